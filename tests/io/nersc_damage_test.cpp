// Damaged and unsuitable files, and writes that fail: one clear error, the same on every rank, and nothing
// lost.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "io/nersc.hpp"
#include "tests/io/gauge_files.hpp"

namespace plaq {
namespace {

using test::expect_error_everywhere;
constexpr Extents global{4, 4, 4, 8};

class NerscDamage : public testing::Test {
 protected:
  NerscDamage() { MPI_Barrier(MPI_COMM_WORLD); }

  // Writes `links_` as a file, unchecked: with a checksum, or without one.
  void write(bool with_checksum, int rows = 3) {
    NerscHeader header;
    header.extents = global;
    header.rows = rows;
    header.order = ByteOrder::big;
    std::string data;
    for (const auto& site : links_.link)
      for (const auto& link : site)
        for (int r = 0; r < 6 * rows; ++r) {
          std::byte bytes[8];
          store(bytes, ByteOrder::big, test::component(link, r));
          data.append(reinterpret_cast<const char*>(bytes), 8);
        }
    if (with_checksum) {
      header.checksum = 0;
      for (std::size_t i = 0; i < data.size(); i += 4)
        *header.checksum +=
            load<std::uint32_t>(reinterpret_cast<const std::byte*>(data.data() + i), ByteOrder::big);
    }
    test::write_bytes(path_, format_nersc_header(header) + data);
  }
  void expect_refused(const std::vector<std::string>& parts) {
    expect_error_everywhere([&] { read_nersc(path_, grid_, gauge_); }, ErrorKind::input_file, parts);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  int site(int x, int y, int z, int t) const { return links_.lattice.index({x, y, z, t}); }

  test::SharedDirectory directory_;
  std::string path_ = directory_ / "field.nersc";
  ProcessGrid grid_{MPI_COMM_WORLD, choose_grid(test::world_size(), global)};
  Field gauge_ = test::make_field(grid_, global, Precision::double_precision);
  reference::GaugeField links_ = test::random_links(global, 3);
};

TEST_F(NerscDamage, TheUndamagedFileIsFine) {
  write(true);
  EXPECT_LE(read_nersc(path_, grid_, gauge_).unitarity_violation, 1e-14);
  write(false, 2);
  read_nersc(path_, grid_, gauge_);
  EXPECT_LE(test::difference(gauge_, links_), 1e-15);
}

TEST_F(NerscDamage, WrongSizes) {
  write(true);
  const std::string bytes = test::read_bytes(path_);
  MPI_Barrier(MPI_COMM_WORLD);
  test::write_bytes(path_, bytes.substr(0, bytes.size() - 5));
  expect_refused(
      {path_, "truncated by 5 bytes", std::to_string(bytes.size()), std::to_string(bytes.size() - 5)});
  test::write_bytes(path_, bytes.substr(0, 100));
  expect_refused({path_, "line", "END_HEADER"});
  test::write_bytes(path_, bytes + "\nx");
  expect_refused({path_, "2 bytes too many", std::to_string(bytes.size())});
  test::write_bytes(path_, bytes + "\n");
  read_nersc(path_, grid_, gauge_);
  EXPECT_EQ(test::difference(gauge_, links_), 0);
}

TEST_F(NerscDamage, AFlippedBit) {
  write(true);
  const std::string bytes = test::read_bytes(path_);
  const auto header = read_nersc_info(path_).data_offset;
  MPI_Barrier(MPI_COMM_WORLD);
  for (const std::size_t at : {std::size_t{0}, (bytes.size() - header) / 3, bytes.size() - header - 1}) {
    std::string damaged = bytes;
    damaged[header + at] = static_cast<char>(damaged[header + at] ^ 0x01);
    test::write_bytes(path_, damaged);
    expect_refused({path_, "CHECKSUM = ", "found"});
  }
}

TEST_F(NerscDamage, NotANumber) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    auto& entry = links_.link[site(1, 3, 0, 6)][2](2, 1);
    const auto good = entry;
    entry = {good.real(), bad};
    links_.link[site(0, 0, 0, 7)][0](0, 0) = 17;  // a later one
    write(true);
    expect_refused({path_, "link z of site (x,y,z,t) = (1,3,0,6)", "not a finite number"});
    entry = good;
  }
}

TEST_F(NerscDamage, LinksThatAreNotSu3) {
  links_.link[site(3, 2, 1, 5)][1](0, 0) += 1e-4;
  links_.link[site(0, 3, 1, 5)][1](0, 0) += 3e-4;  // later
  write(true);
  expect_refused({path_, "link y of site (x,y,z,t) = (3,2,1,5)", "not SU(3)"});
  write(true, 2);
  expect_refused({path_, "link y of site (x,y,z,t) = (3,2,1,5)", "not SU(3)"});
}

TEST_F(NerscDamage, UnitaryWithAnotherDeterminant) {
  auto& link = links_.link[site(2, 2, 2, 2)][0];
  link = std::polar(1.0, 1e-4) * link;
  write(true);
  expect_refused({path_, "link x of site (x,y,z,t) = (2,2,2,2)", "not SU(3)", "determinant"});
}

TEST_F(NerscDamage, SmallDeviationsAreTolerated) {
  links_.link[site(3, 2, 1, 5)][1](0, 0) += 2e-7;
  write(true);
  const double violation = read_nersc(path_, grid_, gauge_).unitarity_violation;
  EXPECT_GT(violation, 1e-8);
  EXPECT_LT(violation, 1e-6);
  EXPECT_EQ(test::difference(gauge_, links_), 0);
}

TEST_F(NerscDamage, AntiperiodicSign) {
  for (int x = 0; x < links_.lattice.volume(); ++x)
    if (links_.lattice.coordinates(x)[3] == 7) links_.link[x][3] = -1.0 * links_.link[x][3];
  write(true);
  expect_refused({path_, "last time slice", "antiperiodic sign", "(0,0,0,7)", "determinant -1"});
  // The same sign elsewhere is no boundary condition.
  links_.link[site(1, 0, 0, 0)][3] = -1.0 * links_.link[site(1, 0, 0, 0)][3];
  write(true);
  expect_refused({path_, "link t of site (x,y,z,t) = (1,0,0,0)", "not SU(3)"});
}

TEST_F(NerscDamage, AnotherLattice) {
  write(true);
  const Extents other{4, 8, 4, 4};
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), other));
  Field gauge = test::make_field(grid, other, Precision::double_precision);
  expect_error_everywhere([&] { read_nersc(path_, grid, gauge); }, ErrorKind::input_file,
                          {path_, "4x4x4x8", "4x8x4x4"});
}

class NerscWriteFailure : public NerscDamage {
 protected:
  // Writing fails, leaves no temporary, and an older file as it was.
  void expect_failure(const std::string& path, const Field& field, const NerscWriteOptions& options,
                      const std::vector<std::string>& parts) {
    const auto names = directory_.names();
    const std::string before = test::read_bytes(path);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_error_everywhere([&] { write_nersc(path, grid_, field, options, 0.5, 0.5); },
                            ErrorKind::output_file, parts);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(directory_.names(), names);
    EXPECT_TRUE(test::read_bytes(path) == before);
    MPI_Barrier(MPI_COMM_WORLD);  // or rank 0 would make the next file while others still look
  }
  Field good_ = test::field_of(grid_, links_, Precision::double_precision);
};

TEST_F(NerscWriteFailure, NoSuchPlace) {
  expect_failure(directory_ / "none/field", good_, {}, {"none/field", "No such file or directory"});
  test::write_bytes(directory_ / "plain", "file");
  expect_failure(directory_ / "plain/field", good_, {}, {"plain/field"});
  expect_failure(directory_ / "", good_, {}, {"not the name of a file"});
  expect_failure("/dev/null", good_, {}, {"/dev/null", "not a regular file"});
}

TEST_F(NerscWriteFailure, UnwritableDirectory) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  namespace fs = std::filesystem;
  const fs::path place = directory_ / "locked";
  if (test::world_rank() == 0) {
    fs::create_directory(place);
    fs::permissions(place, fs::perms::owner_read | fs::perms::owner_exec);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  expect_failure((place / "field").string(), good_, {}, {"locked", "Permission denied"});
  EXPECT_TRUE(fs::is_empty(place));
}

TEST_F(NerscWriteFailure, LinksThatAreNotSu3) {
  test::write_bytes(path_, "the older file");
  auto bad = links_;
  bad.link[site(3, 3, 3, 7)][3](1, 1) = std::nan("");
  expect_failure(path_, test::field_of(grid_, bad, Precision::double_precision), {},
                 {"cannot write", path_, "(3,3,3,7)", "not a finite number"});
  NerscWriteOptions rows2;
  rows2.links.rows = 2;
  bad.link[site(3, 3, 3, 7)][3](1, 1) = 2;
  expect_failure(path_, test::field_of(grid_, bad, Precision::double_precision), rows2,
                 {"(3,3,3,7)", "not SU(3)"});
}

TEST_F(NerscWriteFailure, AHeaderThatWouldNotBeRead) {
  test::write_bytes(path_, "the older file");
  NerscWriteOptions options;
  options.ensemble_label = "two\nlines";
  expect_failure(path_, good_, options, {"cannot write", "'lines'"});
  options.ensemble_label = "x\nEND_HEADER";
  expect_failure(path_, good_, options, {"END_HEADER"});
  options.ensemble_label.clear();
  options.more = {{"PLAQUETTE", "0.7"}};
  expect_failure(path_, good_, options, {"PLAQUETTE again"});
}

// A limit on the size of files stands for a full disk: both fail when space is asked for.
TEST_F(NerscWriteFailure, FullDisk) {
  test::write_bytes(path_, "the older file");
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit unlimited{};
  ::getrlimit(RLIMIT_FSIZE, &unlimited);
  rlimit limited = unlimited;
  limited.rlim_cur = 100000;
  ::setrlimit(RLIMIT_FSIZE, &limited);
  expect_failure(path_, good_, {}, {"cannot write", path_, std::strerror(EFBIG)});
  ::setrlimit(RLIMIT_FSIZE, &unlimited);
  std::signal(SIGXFSZ, ignored);
  write_nersc(path_, grid_, good_, {}, 0.5, 0.5);
  EXPECT_EQ(read_nersc(path_, grid_, gauge_).info.plaquette, 0.5);
}

}  // namespace
}  // namespace plaq
