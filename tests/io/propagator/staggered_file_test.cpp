// Files of staggered propagators, three columns of color vectors, beside what files of every kind do
// (tests/io/stored_field_test.cpp).
#include "tests/io/propagator/staggered_files.hpp"

namespace plaq {
namespace {

using namespace test;

constexpr StaggeredPhases orders[] = {StaggeredPhases::xyzt, StaggeredPhases::txyz};

class StaggeredFile : public PropagatorFiles {
 protected:
  const StaggeredColumns columns_ = random_staggered(small), single_ = rounded(columns_);
  Field back_ = empty_staggered(geometry_);
};

// Written by plaq, read by what MILC's sources say of their vectors.
TEST_F(StaggeredFile, SciDacHasThreeVectorsASite) {
  for (const auto phases : orders)
    for (const int bits : {32, 64}) {
      const auto& numbers = phases == StaggeredPhases::xyzt ? columns_ : with_zeta(columns_, small);
      auto texts = records_of(staggered_field(geometry_, columns_),
                              {PropagatorFormat::scidac, precision_of_bits(bits), "a < b", phases},
                              vector_bytes(numbers, bits), static_cast<std::size_t>(18 * bits / 8));
      using reference::between_tags;
      const std::string& record = texts["scidac-private-record-xml"];
      EXPECT_EQ(between_tags(record, "datatype"), "USQCD_" + letter_of(bits) + "3_ColorVector");
      EXPECT_EQ(between_tags(record, "typesize"), std::to_string(6 * bits / 8));
      EXPECT_EQ(between_tags(record, "datacount"), "3");
      EXPECT_EQ(between_tags(record, "colors"), "3");
      EXPECT_EQ(record.find("<spins>"), std::string::npos);
      const std::string& user = texts["scidac-record-xml"];
      EXPECT_EQ(between_tags(user, "version"), "1.0");
      EXPECT_EQ(between_tags(user, "info"), "a &lt; b");
      EXPECT_EQ(between_tags(user, "phase_order"), name_of(phases));
      expect_parts(between_tags(user, "normalization"), {"2 (2 m + D)^-1"});
      expect_parts(user, {"<usqcdKSPropInfo>"});
    }
}

TEST_F(StaggeredFile, Hdf5IsRead) {
  if (world_rank() != 0) GTEST_SKIP() << "rank 0 looks at it";
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto sums =
      write_propagator(path_, grid, staggered_field(grid.geometry(small), columns_),
                       {PropagatorFormat::hdf5, Precision::double_precision, "text", StaggeredPhases::txyz});
  hdf5_staggered(with_zeta(columns_, small), small)
      .expect_in(path_, {"axes", "units", "staggered_phases", "normalization", "job"}, "spin_basis", sums);
}

// Written by others: what does not say its phases is MILC's in SciDAC, ours in HDF5.
TEST_F(StaggeredFile, OthersFilesAreRead) {
  const auto expect_read = [&](const StaggeredColumns& expected, const std::string& metadata,
                               std::size_t warnings) {
    const auto report = read(back_);
    EXPECT_EQ(different_numbers(back_, expected), 0);
    EXPECT_EQ(report.info.metadata, metadata);
    EXPECT_EQ(report.info.warnings.size(), warnings) << testing::PrintToString(report.info.warnings);
  };
  for (const int bits : {32, 64}) {
    const auto& numbers = bits == 32 ? single_ : columns_;
    write_bytes(path_, lime_staggered(numbers, small, bits).bytes());
    expect_read(with_zeta(numbers, small), "b & c", 1);
    for (const std::string order : {"xyzt", "txyz"}) {
      const std::string info = "<phase_order>" + order + "</phase_order><info>d</info>";
      write_bytes(path_, lime_staggered(numbers, small, bits, info).bytes());
      expect_read(order == "xyzt" ? numbers : with_zeta(numbers, small), "d", 0);
    }
  }
  for (const std::string order : {"", "xyzt", "txyz"}) {
    const Hdf5Example example = hdf5_staggered(columns_, small, order);
    test::on_first_rank([&] { example.write(path_); });
    expect_read(order == "txyz" ? with_zeta(columns_, small) : columns_, "", order.empty() ? 3 : 2);
  }
}

// A record for each color, in any order, with sources before them.
TEST_F(StaggeredFile, UsqcdFilesAreRead) {
  for (const auto& ranks : allowed_grids(world_size(), small)) {
    const ProcessGrid grid(MPI_COMM_WORLD, ranks);
    Field back = empty_staggered(grid.geometry(small));
    for (const int bits : {32, 64})
      for (const bool sources : {false, true})
        for (const std::vector<int>& colors : {std::vector{0, 1, 2}, std::vector{2, 0, 1}}) {
          const auto& numbers = bits == 32 ? single_ : columns_;
          write_bytes(path_, usqcd_staggered(numbers, small, bits, colors, sources).bytes());
          EXPECT_TRUE(is_propagator(path_));
          const auto report = read_propagator(path_, grid, back);
          EXPECT_EQ(different_numbers(back, with_zeta(numbers, small)), 0);
          EXPECT_EQ(report.info.metadata, "mass 0.02 < 0.03");
          EXPECT_EQ(report.info.quarks, PropagatorKind::staggered);
          EXPECT_EQ(report.info.phases, StaggeredPhases::txyz);
          EXPECT_EQ(report.info.extents, small);
          EXPECT_EQ(report.info.columns.size(), 3u);
          EXPECT_EQ(report.info.checksum, report.checksum);
          EXPECT_EQ(report.info.warnings.size(), 1u) << testing::PrintToString(report.info.warnings);
        }
  }
}

TEST_F(StaggeredFile, OtherUsqcdFilesAreRefused) {
  const LimeExample good = usqcd_staggered(columns_, small, 64),
                    narrow = usqcd_staggered(columns_, small, 32);
  // Records from the 2nd on: four of the source, then four of each column.
  const auto record = [](std::size_t color, std::size_t one) { return 6 + 4 * color + one; };
  const struct {
    std::size_t color, record;
    const char *before, *after;
    const char* part;
  } cases[] = {
      {2, 1, "<color>2", "<color>1", "its color is there twice"},
      {0, 1, "<color>0", "<color>3", "expected <color> 0, 1 or 2, found '3'"},
      {0, 0, "ColorVector", "ColorMatrix", "expected one color vector of 48 bytes"},
      {1, 0, "<typesize>48", "<typesize>24", "found 1 of 24"},
      {1, 0, "<recordtype>0", "<recordtype>2", "a field over the whole lattice"},
  };
  for (const auto& c : cases) {
    LimeExample file = good;
    std::string& data = file.records[record(c.color, c.record)].data;
    data.replace(data.find(c.before), std::strlen(c.before), c.after);
    expect_refused(file.bytes(), back_, {path_, c.part});
  }
  LimeExample file = good;
  file.records[record(1, 2)].data[1000] ^= 4;
  expect_refused(file.bytes(), back_, {path_, "damaged in column 1: expected checksum"});
  file = good;
  file.records.resize(file.records.size() - 4);
  expect_refused(file.bytes(), back_,
                 {path_, "a field <usqcdKSPropInfo> for each color of the source, found 2"});
  file = good;
  for (std::size_t k = 0; k < 4; ++k) file.records[record(2, k)].data = narrow.records[record(2, k)].data;
  expect_refused(file.bytes(), back_, {path_, "expected double precision as before, found single"});
  file = good;
  file.records[record(2, 2)].data.resize(4800);
  expect_refused(file.bytes(), back_, {path_, "expected 9216 bytes", "found 4800"});
  auto bad = columns_;
  bad[2][9][0] = {0, std::numeric_limits<double>::infinity()};
  expect_refused(usqcd_staggered(bad, small, 64).bytes(), back_,
                 {path_, "finite", "site (1, 0, 1, 0)", "source color 2, sink color 0"});

  file = good;  // without a checksum
  file.records.erase(file.records.begin() + 9);
  file.records[8].ends = true;
  write_bytes(path_, file.bytes());
  const auto report = read(back_);
  EXPECT_EQ(different_numbers(back_, with_zeta(columns_, small)), 0);
  EXPECT_FALSE(report.info.checksum.has_value());
  EXPECT_EQ(report.info.warnings.size(), 2u);
}

TEST_F(StaggeredFile, OtherQuarksAreRefused) {
  Field spinors = empty_propagator(geometry_);
  const Field full = propagator_field(geometry_, random_propagator(small)),
              vectors = staggered_field(geometry_, columns_);
  for (const auto format : container_formats) {
    write_propagator(path_, grid_, vectors, {format, Precision::double_precision, ""});
    expect_error_everywhere(
        [&] { read(spinors); }, ErrorKind::input_file,
        {path_, "expected a propagator of spinors, found a propagator of staggered quarks"});
    write_propagator(path_, grid_, full, {format, Precision::double_precision, ""});
    expect_error_everywhere(
        [&] { read(back_); }, ErrorKind::input_file,
        {path_, "expected a propagator of staggered quarks, found a propagator of spinors"});
  }
  auto bad = columns_;
  bad[1][9][2] = {0, std::numeric_limits<double>::quiet_NaN()};
  expect_refused(lime_staggered(bad, small, 64).bytes(), back_,
                 {path_, "finite", "site (1, 0, 1, 0)", "source color 1, sink color 2"});
}

TEST(StaggeredFiles, OtherFilesAreRefused) {
  const Extents extents{2, 2, 2, 2};
  const auto columns = random_staggered(extents);
  const LimeExample good = lime_staggered(columns, extents, 64);
  EXPECT_EQ(refusal_of(good), "");
  const std::string record = "scidac-private-record-xml";
  const struct {
    std::string type, before, after, part;
  } cases[] = {{record, "<datacount>3", "<datacount>2",
                "expected three color vectors of 48 bytes a site, a propagator, found 2 of 48"},
               {record, "<datacount>3", "<datacount>1", "expected 768 bytes"},  // a single one
               {record, "<typesize>48", "<typesize>24", "found 3 of 24"},
               {record, "<colors>3", "<spins>4</spins><colors>3", "3 colors and no spin, found 3 and 4"},
               {record, "<colors>3", "<colors>2", "found 2 and 0"},
               {"scidac-private-file-xml", "2 2 2 2", "2 2 2 4", "expected 4608 bytes"},
               {"scidac-record-xml", "<info>", "<phase_order>tzyx</phase_order><info>",
                "staggered phases xyzt or txyz, found 'tzyx'"}};
  const TemporaryFolder folder;
  for (const auto& [type, before, after, part] : cases) {
    const LimeExample file = changed(good, type, before, after);
    expect_parts(refusal_of(file), {part});
    std::ofstream(folder / "file", std::ios::binary) << file.bytes();
    EXPECT_TRUE(is_propagator(folder / "file"));
  }

  const Hdf5Example example = hdf5_staggered(columns, extents);
  EXPECT_EQ(refusal_of(example, [](auto&) {}), "");
  expect_parts(refusal_of(example, [](auto& f) { f.text = "tzyx"; }), {"'tzyx'"});
  expect_parts(refusal_of(example, [](auto& f) { f.sizes[4] = 2, f.sizes[6] = 3; }), {"2, 2, 2, 2, 3, 3, 2"});
  expect_parts(refusal_of(example, [](auto& f) { f.sizes.pop_back(); }), {"expected 9 axes"});
}

TEST_F(StaggeredFile, WhatCannotBeWrittenLeavesNothing) {
  auto columns = columns_;
  columns[2][100][1] = {1e300, 0};
  for (const auto format : container_formats)
    expect_unwritten(staggered_field(geometry_, columns), {format, Precision::single_precision, ""},
                     {"cannot write " + path_, "single precision", "source color 2, sink color 1"});
}

}  // namespace
}  // namespace plaq
