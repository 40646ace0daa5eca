// Gauge fields that cannot be written: one clear error everywhere, no temporary left, and an older file as it
// was. (What strikes files of every kind: tests/io/stored_field_test.cpp.)
#include <unistd.h>

#include "tests/io/gauge/format_cases.hpp"

namespace plaq {
namespace {

constexpr Extents global{4, 4, 4, 8};

class WriteFailure : public testing::TestWithParam<GaugeWriteOptions> {
 protected:
  void SetUp() override {
    if (!test::is_for_this_many_ranks(GetParam())) GTEST_SKIP() << "one rank tries all ways";
    test::write_bytes(path_, "the older file");
  }
  void expect_failure(const std::string& path, const Field& field, const GaugeWriteOptions& way,
                      const test::Parts& parts) const {
    const auto names = test::together([&] { return directory_.names(); });
    test::expect_error_everywhere([&] { write_gauge_file(path, grid_, field, way, 0.5, 0.5); },
                                  ErrorKind::output_file, parts);
    EXPECT_EQ(test::together([&] { return directory_.names(); }), names);
    EXPECT_EQ(test::read_together(path_), "the older file");
  }

  test::SharedDirectory directory_;
  std::string path_ = directory_ / "field";
  ProcessGrid grid_{MPI_COMM_WORLD, choose_grid(test::world_size(), global)};
  reference::GaugeField links_ = test::random_links(global, 3);
};

INSTANTIATE_TEST_SUITE_P(Formats, WriteFailure, testing::ValuesIn(test::all_ways()),
                         [](const auto& info) { return test::name_of_way(info.param); });

TEST_P(WriteFailure, UnwritableDirectory) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  namespace fs = std::filesystem;
  const fs::path place = directory_ / "locked";
  if (test::world_rank() == 0) {
    fs::create_directory(place);
    fs::permissions(place, fs::perms::owner_read | fs::perms::owner_exec);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  expect_failure((place / "field").string(), test::field_of(grid_, links_), GetParam(),
                 {"locked", "Permission denied"});
  EXPECT_TRUE(fs::is_empty(place));
}

TEST_P(WriteFailure, LinksThatAreNotSu3) {
  auto& number = links_.link.back()[3](1, 1);  // of site (3,3,3,7)
  number = std::nan("");
  expect_failure(path_, test::field_of(grid_, links_), GetParam(),
                 {"cannot write", path_, "(3,3,3,7)", "not a finite number"});
  number = 2;
  expect_failure(path_, test::field_of(grid_, links_), GetParam(), {"(3,3,3,7)", "not SU(3)"});
}

using NerscWriteFailure = WriteFailure;
INSTANTIATE_TEST_SUITE_P(Nersc, NerscWriteFailure, testing::Values(GaugeWriteOptions{}));

TEST_P(NerscWriteFailure, AHeaderThatWouldNotBeRead) {
  const Field field = test::field_of(grid_, links_);
  const auto refused = [&](GaugeFileFormat format, const std::string& label, std::vector<HeaderEntry> entries,
                           const test::Parts& parts) {
    GaugeWriteOptions way;
    way.format = format;
    way.metadata.ensemble_label = label;
    way.metadata.entries = std::move(entries);
    expect_failure(path_, field, way, parts);
  };
  const auto nersc = GaugeFileFormat::nersc, milc = GaugeFileFormat::milc;
  refused(nersc, "two\nlines", {}, {"cannot write " + path_, "'lines'"});
  refused(nersc, "x\nEND_HEADER", {}, {"END_HEADER"});
  refused(nersc, "", {{"PLAQUETTE", "0.7"}}, {"PLAQUETTE again"});
  refused(milc, "", {{"time_stamp", std::string(64, 'x')}}, {"at most 63 bytes, found 64"});
  refused(milc, "", {{"time_stamp", "two\nlines"}}, {"one line"});
}

TEST(GaugeWriteOptions, WhatAFormatCannotHold) {
  const auto refused = [](GaugeWriteOptions way, const char* reason) {
    test::expect_error([&] { links_to_write(way); }, ErrorKind::usage, {reason});
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
