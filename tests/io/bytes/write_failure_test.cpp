// Writes that fail, on all ranks or on one: one clear error everywhere, no temporary left, and an older file
// as it was.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "tests/io/gauge/format_cases.hpp"

namespace plaq {
namespace {

constexpr Extents global{4, 4, 4, 8};

class WriteFailure : public testing::TestWithParam<GaugeWriteOptions> {
 protected:
  WriteFailure() { MPI_Barrier(MPI_COMM_WORLD); }

  void expect_failure(const std::string& path, const Field& field, const GaugeWriteOptions& way,
                      const std::vector<std::string>& parts) {
    const auto names = directory_.names();
    const std::string before = test::read_bytes(path);
    MPI_Barrier(MPI_COMM_WORLD);
    test::expect_error_everywhere([&] { write_gauge_file(path, grid_, field, way, 0.5, 0.5); },
                                  ErrorKind::output_file, parts);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(directory_.names(), names);
    EXPECT_TRUE(test::read_bytes(path) == before);
    MPI_Barrier(MPI_COMM_WORLD);  // or rank 0 would make the next file while others still look
  }
  std::size_t site(int x, int y, int z, int t) const {
    return static_cast<std::size_t>(links_.lattice.index({x, y, z, t}));
  }

  test::SharedDirectory directory_;
  std::string path_ = directory_ / "field";
  ProcessGrid grid_{MPI_COMM_WORLD, choose_grid(test::world_size(), global)};
  reference::GaugeField links_ = test::random_links(global, 3);
  Field good_ = test::field_of(grid_, links_, Precision::double_precision);
};

INSTANTIATE_TEST_SUITE_P(Formats, WriteFailure, testing::ValuesIn(test::all_ways()),
                         [](const auto& info) { return test::name_of_way(info.param); });

TEST_P(WriteFailure, NoSuchPlace) {
  expect_failure(directory_ / "none/field", good_, GetParam(), {"none/field", "No such file or directory"});
  test::write_bytes(directory_ / "plain", "file");
  expect_failure(directory_ / "plain/field", good_, GetParam(), {"plain/field"});
  expect_failure(directory_ / "", good_, GetParam(), {"not the name of a file"});
  expect_failure("/dev/null", good_, GetParam(), {"/dev/null", "not a regular file"});
}

TEST_P(WriteFailure, UnwritableDirectory) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  namespace fs = std::filesystem;
  const fs::path place = directory_ / "locked";
  if (test::world_rank() == 0) {
    fs::create_directory(place);
    fs::permissions(place, fs::perms::owner_read | fs::perms::owner_exec);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  expect_failure((place / "field").string(), good_, GetParam(), {"locked", "Permission denied"});
  EXPECT_TRUE(fs::is_empty(place));
}

TEST_P(WriteFailure, LinksThatAreNotSu3) {
  test::write_bytes(path_, "the older file");
  auto bad = links_;
  bad.link[site(3, 3, 3, 7)][3](1, 1) = std::nan("");
  expect_failure(path_, test::field_of(grid_, bad, Precision::double_precision), GetParam(),
                 {"cannot write", path_, "(3,3,3,7)", "not a finite number"});
  bad.link[site(3, 3, 3, 7)][3](1, 1) = 2;
  expect_failure(path_, test::field_of(grid_, bad, Precision::double_precision), GetParam(),
                 {"(3,3,3,7)", "not SU(3)"});
}

// A limit on the size of files stands for a full disk. On rank 0 it shows when the space is reserved, on the
// others when they write.
TEST_P(WriteFailure, FullDisk) {
  test::write_bytes(path_, "the older file");
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit unlimited{};
  ::getrlimit(RLIMIT_FSIZE, &unlimited);
  rlimit limited = unlimited;
  limited.rlim_cur = 10000;
  for (int only = -1; only < test::world_size(); ++only) {
    SCOPED_TRACE("limited rank " + std::to_string(only));
    if (only < 0 || only == test::world_rank()) ::setrlimit(RLIMIT_FSIZE, &limited);
    expect_failure(path_, good_, GetParam(), {"cannot write " + path_, std::strerror(EFBIG)});
    ::setrlimit(RLIMIT_FSIZE, &unlimited);
  }
  std::signal(SIGXFSZ, ignored);
  write_gauge_file(path_, grid_, good_, GetParam(), 0.5, 0.5);
  Field back = test::make_field(grid_, global, Precision::double_precision);
  EXPECT_EQ(read_gauge_file(path_, grid_, back).info.extents, global);
}

// A look at the whole file before it replaces the older one, which a complaint keeps.
TEST_P(WriteFailure, FoundWrongBeforeItIsPublished) {
  test::write_bytes(path_, "the older file");
  std::string seen;
  const auto look = [&](const std::string& name, const LinkChecksum& checksum) {
    EXPECT_EQ(test::read_bytes(path_), "the older file");
    Field back = test::make_field(grid_, global, Precision::double_precision);
    EXPECT_EQ(read_gauge_file(name, grid_, back).checksum, checksum);
    seen = test::read_bytes(name);
    MPI_Barrier(MPI_COMM_WORLD);  // or rank 0 would go on, and remove it
  };
  const auto complain = [&](const std::string& name, const LinkChecksum& checksum) {
    look(name, checksum);
    throw Error(ErrorKind::output_file, "the disk forgets");
  };
  const auto names = directory_.names();
  MPI_Barrier(MPI_COMM_WORLD);
  test::expect_error_everywhere(
      [&] { write_gauge_file(path_, grid_, good_, GetParam(), 0.5, 0.5, complain); }, ErrorKind::output_file,
      {"the disk forgets"});
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(directory_.names(), names);
  EXPECT_EQ(test::read_bytes(path_), "the older file");
  MPI_Barrier(MPI_COMM_WORLD);
  write_gauge_file(path_, grid_, good_, GetParam(), 0.5, 0.5, look);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_TRUE(test::read_bytes(path_) == seen);
}

using NerscWriteFailure = WriteFailure;
INSTANTIATE_TEST_SUITE_P(Nersc, NerscWriteFailure, testing::Values(GaugeWriteOptions{}));

TEST_P(NerscWriteFailure, AHeaderThatWouldNotBeRead) {
  test::write_bytes(path_, "the older file");
  GaugeWriteOptions way;
  way.metadata.ensemble_label = "two\nlines";
  expect_failure(path_, good_, way, {"cannot write " + path_, "'lines'"});
  way.metadata.ensemble_label = "x\nEND_HEADER";
  expect_failure(path_, good_, way, {"END_HEADER"});
  way.metadata.ensemble_label.clear();
  way.metadata.entries = {{"PLAQUETTE", "0.7"}};
  expect_failure(path_, good_, way, {"PLAQUETTE again"});
  way.format = GaugeFileFormat::milc;
  way.metadata.entries = {{"time_stamp", std::string(64, 'x')}};
  expect_failure(path_, good_, way, {"at most 63 bytes, found 64"});
  way.metadata.entries = {{"time_stamp", "two\nlines"}};
  expect_failure(path_, good_, way, {"one line"});
}

TEST(GaugeWriteOptions, WhatAFormatCannotHold) {
  const auto refused = [](GaugeWriteOptions way, const char* reason) {
    test::expect_error(test::error_of([&] { links_to_write(way); }), ErrorKind::usage, {reason});
  };
  refused({GaugeFileFormat::milc, Precision::double_precision, {}, {}, {}}, "single precision only");
  refused({GaugeFileFormat::milc, {}, 2, {}, {}}, "3x3 links only");
  refused({GaugeFileFormat::openqcd, Precision::single_precision, {}, {}, {}}, "double precision only");
  refused({GaugeFileFormat::openqcd, {}, 2, {}, {}}, "3x3 links only");
  refused({GaugeFileFormat::openqcd, {}, {}, ByteOrder::big, {}}, "little-endian only");
  EXPECT_EQ(links_to_write({}), LinkFormat{});
}

}  // namespace
}  // namespace plaq
