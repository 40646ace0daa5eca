// Files of more than 2^31 bytes: unit links, and known ones at known places, the last one included.
#include <unistd.h>

#include "io/gauge/gauge_file.hpp"
#include "tests/io/gauge/gauge_files.hpp"

namespace plaq::large_file_test {
namespace {

constexpr Extents global{40, 40, 40, 64};
constexpr std::uint64_t link_data = std::uint64_t{40} * 40 * 40 * 64 * 576;
static_assert(link_data > std::uint64_t{1} << 31);

struct Special {
  std::array<int, 4> x;
  int mu;
};
constexpr std::array<Special, 5> specials = {{{{0, 0, 0, 0}, 0},
                                              {{39, 0, 0, 0}, 3},
                                              {{17, 21, 5, 58}, 2},
                                              {{20, 39, 39, 63}, 1},
                                              {{39, 39, 39, 63}, 3}}};

std::int64_t number_of(const Special& s) {
  return s.x[0] + std::int64_t{40} * (s.x[1] + 40 * (s.x[2] + std::int64_t{40} * s.x[3]));
}
// exp(i angle) and its inverse on the diagonal.
double angle_of(std::size_t i) { return 0.3 + 0.2 * static_cast<double>(i); }

// Average of Re tr P / 3: no plaquette has two special links, and each of these is in six.
double plaquette() {
  double missing = 0;
  for (std::size_t i = 0; i < specials.size(); ++i) missing += 6 * 2 * (1 - std::cos(angle_of(i)));
  return 1 - missing / (18.0 * static_cast<double>(link_data / 576));
}

// Calls visit(special number, parity, index) for those of this rank.
template <class Visit>
void for_specials(const Field& gauge, Visit&& visit) {
  const LatticeShape shape = gauge.geometry().shape();
  const Extents first = gauge.geometry().offset();
  for (std::size_t i = 0; i < specials.size(); ++i) {
    Coordinates c{};
    bool mine = true;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      c.x[mu] = specials[i].x[mu] - first[mu];
      mine = mine && c.x[mu] >= 0 && c.x[mu] < gauge.geometry().local()[mu];
    }
    if (mine) visit(i, shape.parity(c), shape.index(c));
  }
}

// Reals of this rank that are not those of a unit link; 0 and 1 come through any precision.
std::int64_t not_unit(const Field& gauge) {
  std::int64_t count = 0;
  const int sites = gauge.geometry().shape().half_volume;
  for (int mu = 0; mu < 4; ++mu)
    for (int parity = 0; parity < 2; ++parity) {
      const auto* data = static_cast<const float*>(gauge.data(mu, parity));
#pragma omp parallel for schedule(static) reduction(+ : count)
      for (int site = 0; site < sites; ++site)
        for (int r = 0; r < 18; ++r)
          if (data[gauge.layout().offset(site, r)] != (r % 8 == 0 ? 1.0f : 0.0f)) ++count;
    }
  return count;
}

bool has_room(const test::SharedDirectory& directory) {
  std::error_code failed;
  const auto free = std::filesystem::space(directory / "", failed).available;
  const auto memory = static_cast<std::uint64_t>(::sysconf(_SC_AVPHYS_PAGES)) *
                      static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return !failed && free > link_data + (std::uint64_t{1} << 30) && memory > 2 * link_data;
}

class LargeFile : public testing::TestWithParam<GaugeFileFormat> {};
INSTANTIATE_TEST_SUITE_P(Formats, LargeFile,
                         testing::Values(GaugeFileFormat::nersc, GaugeFileFormat::ildg,
                                         GaugeFileFormat::openqcd),
                         [](const auto& info) { return std::string(short_name(info.param)); });

TEST_P(LargeFile, WrittenAndRead) {
  const test::SharedDirectory directory;
  if (!has_room(directory)) GTEST_SKIP() << "disk or memory has no room for " << link_data << " bytes";
  const std::string path = directory / "field";
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), global));
  LinkChecksum sum;
  {
    Field gauge = test::make_field(grid, global, Precision::single_precision);
    for (int mu = 0; mu < 4; ++mu)
      for (int parity = 0; parity < 2; ++parity) {
        auto* data = static_cast<float*>(gauge.data(mu, parity));
        for (int site = 0; site < gauge.geometry().shape().half_volume; ++site)
          for (const int r : {0, 8, 16}) data[gauge.layout().offset(site, r)] = 1;
      }
    for_specials(gauge, [&](std::size_t i, int parity, int index) {
      const int mu = specials[i].mu;
      for (const int r : {0, 8}) {
        set_real(gauge, mu, parity, index, r, std::cos(angle_of(i)));
        set_real(gauge, mu, parity, index, r + 1, (r == 0 ? 1 : -1) * std::sin(angle_of(i)));
      }
    });
    GaugeWriteOptions way;
    way.format = GetParam();
    way.precision = Precision::double_precision;
    sum = write_gauge_file(path, grid, gauge, way, plaquette(), 1);
  }
  const GaugeFileInfo info = inspect_gauge_file(path);
  ASSERT_EQ(info.data_bytes, link_data);
  if (GetParam() == GaugeFileFormat::ildg)
    EXPECT_GT(info.file_bytes, link_data + info.data_offset);
  else
    EXPECT_EQ(info.file_bytes, link_data + info.data_offset);
  if (GetParam() != GaugeFileFormat::openqcd) {  // straight from the bytes
    std::ifstream stream(path, std::ios::binary);
    for (std::size_t i = 0; i < specials.size(); ++i) {
      std::byte real[8];
      const std::int64_t at =
          static_cast<std::int64_t>(info.data_offset) + (4 * number_of(specials[i]) + specials[i].mu) * 144;
      stream.seekg(at).read(reinterpret_cast<char*>(real), 8);
      EXPECT_EQ(load<double>(real, ByteOrder::big),
                static_cast<double>(static_cast<float>(std::cos(angle_of(i)))));
    }
  }
  Field back = test::make_field(grid, global, Precision::single_precision);
  const auto report = read_gauge_file(path, grid, back);
  EXPECT_EQ(report.checksum, sum);
  std::int64_t others = 0;
  for_specials(back, [&](std::size_t i, int parity, int index) {
    const auto cosine = static_cast<float>(std::cos(angle_of(i)));
    EXPECT_EQ(get_real(back, specials[i].mu, parity, index, 0), cosine);
    EXPECT_EQ(get_real(back, specials[i].mu, parity, index, 8), cosine);
    others += 4;
  });
  EXPECT_EQ(not_unit(back), others);
}

}  // namespace
}  // namespace plaq::large_file_test
