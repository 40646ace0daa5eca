// Files of spinor propagators beside what files of every kind do (tests/io/stored_field_test.cpp).
#include "tests/io/propagator/propagator_files.hpp"

namespace plaq {
namespace {

using namespace test;
using PropagatorFile = PropagatorFiles;

// Written by plaq, read by others' description of the formats.
TEST_F(PropagatorFile, SciDacIsThatOfQdp) {
  const auto columns = random_propagator(small);
  for (const int bits : {32, 64}) {
    const std::string numbers = reference::qdp_bytes(columns, bits);
    auto texts = records_of(propagator_field(geometry_, columns),
                            {PropagatorFormat::scidac, precision_of_bits(bits), "text"}, numbers,
                            static_cast<std::size_t>(36 * bits));
    EXPECT_EQ(reference::qdp_propagator(numbers, {small}, bits), bits == 32 ? rounded(columns) : columns);
    for (const auto& [tag, value] : {std::pair{"datatype", std::string("Lattice")},
                                     {"typesize", std::to_string(36 * bits)},
                                     {"datacount", "1"},
                                     {"spins", "4"},
                                     {"colors", "3"}})
      EXPECT_EQ(reference::between_tags(texts["scidac-private-record-xml"], tag), value);
  }
}

TEST_F(PropagatorFile, Hdf5IsRead) {
  if (world_rank() != 0) GTEST_SKIP() << "rank 0 looks at it";
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto columns = random_propagator(small);
  const auto sums = write_propagator(path_, grid, propagator_field(grid.geometry(small), columns),
                                     {PropagatorFormat::hdf5, Precision::double_precision, "text"});
  hdf5_propagator(columns, small)
      .expect_in(path_, {"axes", "units", "spin_basis", "job"}, "staggered_phases", sums);
}

// Written by others.
TEST_F(PropagatorFile, OthersFilesAreRead) {
  const auto columns = random_propagator(small), single = rounded(columns);
  Field back = empty_propagator(geometry_);
  const auto expect_read = [&](const reference::PropagatorColumns& expected, std::size_t warnings) {
    const auto report = read(back);
    EXPECT_EQ(different_numbers(back, expected), 0);
    EXPECT_EQ(report.info.warnings.size(), warnings) << testing::PrintToString(report.info.warnings);
  };
  for (const int bits : {32, 64}) {
    write_bytes(path_, lime_propagator(columns, small, bits).bytes());
    expect_read(bits == 32 ? single : columns, 1);  // no spin basis
  }
  for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE}) {
    Hdf5Example example = hdf5_propagator(columns, small);
    example.type = type;
    test::on_first_rank([&] { example.write(path_); });
    expect_read(H5Tget_size(type) == 4 ? single : columns, 2);  // no checksum, no trailer
  }
}

TEST_F(PropagatorFile, NumbersAreFinite) {
  auto bad = random_propagator(small);
  Field back = empty_propagator(geometry_);
  bad[7][9][2][1] = {0, std::numeric_limits<double>::quiet_NaN()};
  expect_refused(lime_propagator(bad, small, 64).bytes(), back,
                 {path_, "finite", "site (1, 0, 1, 0)", "source spin 2 color 1, sink spin 2 color 1"});
}

TEST_F(PropagatorFile, WhatCannotBeWrittenLeavesNothing) {
  auto columns = random_propagator(small);
  columns[5][100][3][2] = {1e300, 0};
  const Field propagator = propagator_field(geometry_, columns);
  for (const auto format : container_formats) {
    expect_unwritten(
        propagator, {format, Precision::single_precision, ""},
        {"cannot write " + path_, "single precision", "source spin 1 color 2, sink spin 3 color 2"});
    expect_unwritten(propagator, {format, Precision::double_precision, std::string("a\0b", 3)},
                     {"cannot write " + path_});
  }
}

TEST(PropagatorFiles, OtherScidacFilesAreRefused) {
  const Extents extents{2, 2, 2, 2};
  const LimeExample good = lime_propagator(random_propagator(extents), extents, 64);
  EXPECT_EQ(refusal_of(good), "");
  const std::string record = "scidac-private-record-xml";
  const struct {
    std::string type, before, after, part;
  } cases[] = {{record, "Lattice", "QDP_D3_DiracPropagator", "data type Lattice"},
               {record, "2304", "144", "found 1 of 144"},
               {record, "<spins>4", "<spins>1", "4 spins, found 3 and 1"},
               {record, "2304", "192", "expected 3072 bytes"},  // a single spinor
               {"scidac-private-file-xml", "2 2 2 2", "2 2 2 4", "expected 73728 bytes"},
               {"scidac-record-xml", "<a/>", "<spin_basis>chiral</spin_basis>", "'chiral'"}};
  for (const auto& [type, before, after, part] : cases)
    expect_parts(refusal_of(changed(good, type, before, after)), {part});
  LimeExample twice = good;
  twice.records.push_back(good.records[4]);
  expect_parts(refusal_of(twice), {"found 2"});
  expect_parts(refusal_of(lime_example(true, 64, "x")), {"1 of ildg-binary-data"});
}

TEST(PropagatorFiles, OtherHdf5FilesAreRefused) {
  const Hdf5Example good = hdf5_propagator(random_propagator({2, 2, 2, 2}), {2, 2, 2, 2});
  const struct {
    std::function<void(Hdf5Example&)> change;
    std::string part;
  } cases[] = {{[](auto& f) { f.chunked = true; }, "contiguous"},
               {[](auto& f) { f.type = H5T_STD_I32LE; }, "IEEE"},
               {[](auto& f) { f.sizes.pop_back(); }, "expected 9 axes"},
               {[](auto& f) { f.sizes[4] = 3, f.sizes[5] = 4; }, "4, 3, 4, 3, 2"},
               {[](auto& f) { f.text = "chiral"; }, "'chiral'"},
               {[](auto& f) { f.name = "/quark"; }, "expected a dataset /propagator"}};
  EXPECT_EQ(refusal_of(good, [](auto&) {}), "");
  for (const auto& [change, part] : cases) expect_parts(refusal_of(good, change), {part});
}

TEST(PropagatorFiles, AreKnownFromOtherFiles) {
  if (world_rank() != 0) GTEST_SKIP() << "rank 0 looks at it";
  const TemporaryFolder folder;
  const std::string path = folder / "file";
  EXPECT_THROW(is_propagator(folder / "none"), Error);
  Hdf5Example example = hdf5_propagator(random_propagator(small), small);
  for (const bool named : {true, false}) {
    if (!named) example.name = "/quark";
    example.write(path);
    EXPECT_EQ(is_propagator(path), named);
  }
  for (const std::string& bytes : {lime_example(true, 64, "x").bytes(), std::string("\x89HDF\r\n\x1a\n"),
                                   std::string("\x45\x67\x89\xab"), std::string("BEGIN_HEADER\n"),
                                   lime_example(false, 64, "x").bytes(), std::string()}) {
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_FALSE(is_propagator(path));
  }
}

}  // namespace
}  // namespace plaq
