// For the tests of gauge files: fields with known links, files as bytes, a directory that goes away.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/system/error.hpp"
#include "tests/reference/gauge.hpp"
#include "tests/support/world.hpp"

namespace plaq::test {

// The same on every rank; made and removed by rank 0.
class SharedDirectory {
 public:
  explicit SharedDirectory(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "plaq-io-XXXXXX").string();
    if (world_rank() == 0 && !::mkdtemp(name.data())) ADD_FAILURE() << "cannot make " << name;
    MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    path_ = name;
  }
  ~SharedDirectory() {
    MPI_Barrier(MPI_COMM_WORLD);
    std::error_code ignored;
    if (world_rank() == 0) std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      found.push_back(entry.path().filename().string());
    return found;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_bytes(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return {};
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
// Collective: rank 0 writes, when all have read what was there, and all see it.
inline void write_bytes(const std::string& path, const std::string& bytes) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) std::ofstream(path, std::ios::binary) << bytes;
  MPI_Barrier(MPI_COMM_WORLD);
}

// Calls visit(mu, parity, index, lexicographic global site) for every link of this rank.
inline void for_each_link(const Field& gauge, const std::function<void(int, int, int, int)>& visit) {
  const LatticeShape shape = gauge.geometry().shape();
  for (int mu = 0; mu < 4; ++mu)
    for (int parity = 0; parity < 2; ++parity)
      for (int index = 0; index < shape.half_volume; ++index)
        visit(mu, parity, index, static_cast<int>(shape.global_index(shape.coordinates(parity, index))));
}

inline double component(const reference::ColorMatrix& u, int real) {
  const auto& z = u(real / 6, real / 2 % 3);
  return real % 2 == 0 ? z.real() : z.imag();
}

inline Field make_field(const ProcessGrid& grid, const Extents& global, Precision precision) {
  return Field(grid.geometry(global), gauge_spec(precision, Location::host));
}

inline Field field_of(const ProcessGrid& grid, const reference::GaugeField& links, Precision precision) {
  Field gauge = make_field(grid, links.lattice.extents, precision);
  for_each_link(gauge, [&](int mu, int parity, int index, int site) {
    for (int r = 0; r < 18; ++r) set_real(gauge, mu, parity, index, r, component(links.link[site][mu], r));
  });
  return gauge;
}

// Largest difference of any component of this rank's links.
inline double difference(const Field& gauge, const reference::GaugeField& links) {
  double largest = 0;
  for_each_link(gauge, [&](int mu, int parity, int index, int site) {
    for (int r = 0; r < 18; ++r)
      largest = std::max(
          largest, std::abs(get_real(gauge, mu, parity, index, r) - component(links.link[site][mu], r)));
  });
  return largest;
}

inline reference::GaugeField random_links(const Extents& global, std::uint64_t seed) {
  reference::Generator generator(seed);
  return reference::random_gauge({global}, generator);
}

// The error that `action` throws on this rank.
inline std::optional<Error> error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

inline void expect_error(const std::optional<Error>& error, ErrorKind kind,
                         const std::vector<std::string>& parts) {
  ASSERT_TRUE(error.has_value()) << "no error, but one with " << testing::PrintToString(parts)
                                 << " was expected";
  EXPECT_EQ(error->kind(), kind) << error->what();
  for (const auto& part : parts)
    EXPECT_NE(std::string(error->what()).find(part), std::string::npos) << error->what();
}

// Collective: this very error on every rank.
inline void expect_error_everywhere(const std::function<void()>& action, ErrorKind kind,
                                    const std::vector<std::string>& parts) {
  const auto error = error_of(action);
  expect_error(error, kind, parts);
  std::string message = error ? error->what() : "";
  message.resize(1000, ' ');
  std::string of_rank_0 = message;
  MPI_Bcast(of_rank_0.data(), 1000, MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT_EQ(message, of_rank_0);
}

}  // namespace plaq::test
