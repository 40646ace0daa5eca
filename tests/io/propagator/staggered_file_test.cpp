// Files of staggered propagators: three columns of color vectors.
#include <gtest/gtest.h>

#include "tests/io/propagator/staggered_files.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

using namespace test;

constexpr PropagatorFormat formats[] = {PropagatorFormat::scidac, PropagatorFormat::hdf5};
constexpr StaggeredPhases orders[] = {StaggeredPhases::xyzt, StaggeredPhases::txyz};

// All grids, formats, phases, precisions of file and of field: the same bytes, and the same numbers back.
TEST(StaggeredFile, RoundTrip) {
  const SharedDirectory directory;
  const auto columns = random_staggered(small), single = rounded(columns);
  for (const auto format : formats)
    for (const auto phases : orders)
      for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
        std::string first;
        for (const auto& ranks : allowed_grids(world_size(), small)) {
          SCOPED_TRACE(to_string(ranks) + " " + std::string(name_of(format)));
          const ProcessGrid grid(MPI_COMM_WORLD, ranks);
          const auto geometry = grid.geometry(small);
          const std::string path = directory / "propagator", text = "a <text> & more\nof two lines";
          const LinkChecksum written = write_propagator(path, grid, staggered_field(geometry, columns),
                                                        {format, precision, text, phases});
          MPI_Barrier(MPI_COMM_WORLD);
          const std::string bytes = read_bytes(path);
          if (first.empty()) first = bytes;
          EXPECT_TRUE(bytes == first);

          const auto& expected = precision == Precision::single_precision ? single : columns;
          for (const auto kept : {Precision::single_precision, Precision::double_precision}) {
            Field back = empty_staggered(geometry, kept);
            const auto report = read_propagator(path, grid, back);
            EXPECT_EQ(report.checksum, written);
            EXPECT_EQ(report.info.checksum, written);
            EXPECT_EQ(report.info.metadata, text);
            EXPECT_EQ(report.info.extents, small);
            EXPECT_EQ(report.info.precision, precision);
            EXPECT_EQ(report.info.quarks, PropagatorKind::staggered);
            EXPECT_EQ(report.info.phases, phases);
            EXPECT_TRUE(report.info.warnings.empty());
            EXPECT_TRUE(is_equal(back, kept == Precision::single_precision ? single : expected));
          }
          EXPECT_EQ(directory.names().size(), 1u);
          MPI_Barrier(MPI_COMM_WORLD);
        }
      }
}

// Written by plaq, read by what MILC's sources say of their vectors.
TEST(StaggeredFile, SciDacHasThreeVectorsASite) {
  const SharedDirectory directory;
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  const auto columns = random_staggered(small);
  for (const auto phases : orders)
    for (const int bits : {32, 64}) {
      const auto precision = bits == 32 ? Precision::single_precision : Precision::double_precision;
      const std::string path = directory / "propagator";
      const auto sums = write_propagator(path, grid, staggered_field(grid.geometry(small), columns),
                                         {PropagatorFormat::scidac, precision, "a < b", phases});
      MPI_Barrier(MPI_COMM_WORLD);
      std::map<std::string, std::string> texts;
      for (const auto& record : reference::lime_records(read_bytes(path))) texts[record.type] = record.data;
      const std::string& data = texts["scidac-binary-data"];
      EXPECT_TRUE(data ==
                  vector_bytes(phases == StaggeredPhases::xyzt ? columns : with_zeta(columns, small), bits));
      const auto expected = reference::scidac_sums(data, static_cast<std::size_t>(18 * bits / 8));
      EXPECT_EQ(sums, (LinkChecksum{ChecksumKind::scidac, expected.a, expected.b}));
      const std::string& record = texts["scidac-private-record-xml"];
      using reference::between_tags;
      EXPECT_EQ(between_tags(record, "datatype"),
                bits == 32 ? "USQCD_F3_ColorVector" : "USQCD_D3_ColorVector");
      EXPECT_EQ(between_tags(record, "typesize"), std::to_string(6 * bits / 8));
      EXPECT_EQ(between_tags(record, "datacount"), "3");
      EXPECT_EQ(between_tags(record, "colors"), "3");
      EXPECT_EQ(record.find("<spins>"), std::string::npos);
      const std::string& user = texts["scidac-record-xml"];
      EXPECT_EQ(between_tags(user, "version"), "1.0");
      EXPECT_EQ(between_tags(user, "info"), "a &lt; b");
      EXPECT_EQ(between_tags(user, "phase_order"), name_of(phases));
      EXPECT_NE(between_tags(user, "normalization").find("2 (2 m + D)^-1"), std::string::npos);
      EXPECT_NE(user.find("<usqcdKSPropInfo>"), std::string::npos);
      MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(StaggeredFile, Hdf5IsRead) {
  const SharedDirectory directory;
  if (world_rank() != 0) GTEST_SKIP() << "rank 0 looks at it";
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto columns = random_staggered(small);
  const std::string path = directory / "propagator.h5";
  write_propagator(path, grid, staggered_field(grid.geometry(small), columns),
                   {PropagatorFormat::hdf5, Precision::double_precision, "text", StaggeredPhases::txyz});
  const StaggeredHdf5 expected(with_zeta(columns, small), small);
  std::vector<double> values(expected.values.size());
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "/propagator", H5P_DEFAULT);
  ASSERT_GE(data, 0);
  const hid_t space = H5Dget_space(data);
  std::vector<hsize_t> sizes(7);
  ASSERT_EQ(H5Sget_simple_extent_ndims(space), 7);
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  EXPECT_EQ(sizes, expected.sizes);
  EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  EXPECT_TRUE(values == expected.values);
  for (const char* name : {"axes", "units", "staggered_phases", "normalization", "job", "checksum"})
    EXPECT_GT(H5Aexists(data, name), 0) << name;
  EXPECT_EQ(H5Aexists(data, "spin_basis"), 0);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
}

// Written by others: what does not say its phases is MILC's in SciDAC, ours in HDF5.
TEST(StaggeredFile, OthersFilesAreRead) {
  const SharedDirectory directory;
  const auto columns = random_staggered(small), single = rounded(columns);
  const std::string path = directory / "propagator";
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  Field back = empty_staggered(grid.geometry(small));
  const auto read = [&](const StaggeredColumns& expected, const std::string& metadata, std::size_t warnings) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto report = read_propagator(path, grid, back);
    EXPECT_TRUE(is_equal(back, expected));
    EXPECT_EQ(report.info.metadata, metadata);
    EXPECT_EQ(report.info.warnings.size(), warnings) << testing::PrintToString(report.info.warnings);
    MPI_Barrier(MPI_COMM_WORLD);
  };
  for (const int bits : {32, 64}) {
    const auto& numbers = bits == 32 ? single : columns;
    write_bytes(path, lime_staggered(numbers, small, bits).bytes());
    read(with_zeta(numbers, small), "b & c", 1);
    for (const std::string order : {"xyzt", "txyz"}) {
      const std::string info = "<phase_order>" + order + "</phase_order><info>d</info>";
      write_bytes(path, lime_staggered(numbers, small, bits, info).bytes());
      read(order == "xyzt" ? numbers : with_zeta(numbers, small), "d", 0);
    }
  }
  for (const std::string order : {"", "xyzt", "txyz"}) {
    StaggeredHdf5 example(columns, small);
    example.phases = order;
    if (world_rank() == 0) example.write(path);
    read(order == "txyz" ? with_zeta(columns, small) : columns, "", order.empty() ? 3 : 2);
  }
}

// A record for each color, in any order, with sources before them.
TEST(StaggeredFile, UsqcdFilesAreRead) {
  const SharedDirectory directory;
  const auto columns = random_staggered(small), single = rounded(columns);
  const std::string path = directory / "propagator";
  for (const auto& ranks : allowed_grids(world_size(), small)) {
    const ProcessGrid grid(MPI_COMM_WORLD, ranks);
    Field back = empty_staggered(grid.geometry(small));
    for (const int bits : {32, 64})
      for (const bool sources : {false, true})
        for (const std::vector<int>& colors : {std::vector{0, 1, 2}, std::vector{2, 0, 1}}) {
          const auto& numbers = bits == 32 ? single : columns;
          write_bytes(path, usqcd_staggered(numbers, small, bits, colors, sources).bytes());
          EXPECT_TRUE(is_propagator(path));
          const auto report = read_propagator(path, grid, back);
          EXPECT_TRUE(is_equal(back, with_zeta(numbers, small)));
          EXPECT_EQ(report.info.metadata, "mass 0.02 < 0.03");
          EXPECT_EQ(report.info.quarks, PropagatorKind::staggered);
          EXPECT_EQ(report.info.phases, StaggeredPhases::txyz);
          EXPECT_EQ(report.info.extents, small);
          EXPECT_EQ(report.info.columns.size(), 3u);
          EXPECT_EQ(report.info.checksum, report.checksum);
          EXPECT_EQ(report.info.warnings.size(), 1u) << testing::PrintToString(report.info.warnings);
          MPI_Barrier(MPI_COMM_WORLD);
        }
  }
}

TEST(StaggeredFile, OtherUsqcdFilesAreRefused) {
  const SharedDirectory directory;
  const auto columns = random_staggered(small);
  const std::string path = directory / "propagator";
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  Field back = empty_staggered(grid.geometry(small));
  const auto refused = [&](const LimeExample& file, const std::vector<std::string>& parts) {
    write_bytes(path, file.bytes());
    expect_error_everywhere([&] { read_propagator(path, grid, back); }, ErrorKind::input_file, parts);
    MPI_Barrier(MPI_COMM_WORLD);
  };
  const LimeExample good = usqcd_staggered(columns, small, 64);
  // Records from the 2nd on: four of the source, then four of each column.
  const auto column = [](LimeExample& file, std::size_t color, std::size_t record) -> std::string& {
    return file.records[6 + 4 * color + record].data;
  };
  const auto changed = [&](std::size_t color, std::size_t record, const std::string& before,
                           const std::string& after) {
    LimeExample file = good;
    std::string& data = column(file, color, record);
    data.replace(data.find(before), before.size(), after);
    return file;
  };
  LimeExample damaged = good;
  column(damaged, 1, 2)[1000] ^= 4;
  refused(damaged, {path, "damaged in column 1: expected checksum"});
  LimeExample missing = good;
  missing.records.resize(missing.records.size() - 4);
  refused(missing, {path, "a field <usqcdKSPropInfo> for each color of the source, found 2"});
  refused(changed(2, 1, "<color>2", "<color>1"), {path, "its color is there twice"});
  refused(changed(0, 1, "<color>0", "<color>3"), {path, "expected <color> 0, 1 or 2, found '3'"});
  refused(changed(0, 0, "ColorVector", "ColorMatrix"), {path, "expected one color vector of 48 bytes"});
  refused(changed(1, 0, "<typesize>48", "<typesize>24"), {path, "found 1 of 24"});
  refused(changed(1, 0, "<recordtype>0", "<recordtype>2"), {path, "a field over the whole lattice"});
  LimeExample mixed = good, narrow = usqcd_staggered(columns, small, 32);
  for (std::size_t record = 0; record < 4; ++record) column(mixed, 2, record) = column(narrow, 2, record);
  refused(mixed, {path, "expected double precision as before, found single"});
  LimeExample short_one = good;
  column(short_one, 2, 2).resize(4800);
  refused(short_one, {path, "expected 9216 bytes", "found 4800"});
  LimeExample unprotected = good;
  unprotected.records.erase(unprotected.records.begin() + 9);
  unprotected.records[8].ends = true;
  write_bytes(path, unprotected.bytes());
  const auto report = read_propagator(path, grid, back);
  EXPECT_TRUE(is_equal(back, with_zeta(columns, small)));
  EXPECT_FALSE(report.info.checksum.has_value());
  EXPECT_EQ(report.info.warnings.size(), 2u);
  MPI_Barrier(MPI_COMM_WORLD);
  auto bad = columns;
  bad[2][9][0] = {0, std::numeric_limits<double>::infinity()};
  refused(usqcd_staggered(bad, small, 64),
          {path, "finite", "site (1, 0, 1, 0)", "source color 2, sink color 0"});
}

TEST(StaggeredFile, DamageIsRefused) {
  const SharedDirectory directory;
  const auto columns = random_staggered(small);
  const std::string path = directory / "propagator";
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  const Field propagator = staggered_field(grid.geometry(small), columns);
  Field back = empty_staggered(grid.geometry(small));
  const auto refused = [&](const std::string& bytes, const std::vector<std::string>& parts) {
    write_bytes(path, bytes);
    expect_error_everywhere([&] { read_propagator(path, grid, back); }, ErrorKind::input_file, parts);
    MPI_Barrier(MPI_COMM_WORLD);
  };
  for (const auto format : formats) {
    SCOPED_TRACE(name_of(format));
    write_propagator(path, grid, propagator, {format, Precision::double_precision, ""});
    MPI_Barrier(MPI_COMM_WORLD);
    const std::string good = read_bytes(path);
    const auto info = inspect_propagator(path);
    MPI_Barrier(MPI_COMM_WORLD);
    for (const std::uint64_t at : {info.data_offset, info.data_offset + info.data_bytes - 1}) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ 4);
      refused(bytes, {path, "the propagator is damaged: expected checksum", "found"});
    }
    refused(good.substr(0, info.data_offset + info.data_bytes / 2),
            {path, format == PropagatorFormat::scidac ? "truncated" : "expected"});
    refused(good.substr(0, 10), {path});
    const Extents other{2, 8, 6, 4};
    Field another = empty_staggered(grid.geometry(other));
    write_bytes(path, good);
    expect_error_everywhere([&] { read_propagator(path, grid, another); }, ErrorKind::input_file,
                            {path, "2x4x6x4", "2x8x6x4"});
    MPI_Barrier(MPI_COMM_WORLD);
    Field spinors = empty_propagator(grid.geometry(small));
    expect_error_everywhere([&] { read_propagator(path, grid, spinors); }, ErrorKind::input_file,
                            {path, "expected a propagator of spinors, found one of staggered quarks"});
    MPI_Barrier(MPI_COMM_WORLD);
    const Field full = to_plaq(random_propagator(small), grid.geometry(small), Subset::full,
                               Precision::double_precision, Location::host);
    write_propagator(path, grid, full, {format, Precision::double_precision, ""});
    MPI_Barrier(MPI_COMM_WORLD);
    expect_error_everywhere([&] { read_propagator(path, grid, back); }, ErrorKind::input_file,
                            {path, "expected a propagator of staggered quarks, found one of spinors"});
    MPI_Barrier(MPI_COMM_WORLD);
  }
  auto bad = columns;
  bad[1][9][2] = {0, std::numeric_limits<double>::quiet_NaN()};
  refused(lime_staggered(bad, small, 64).bytes(),
          {path, "finite", "site (1, 0, 1, 0)", "source color 1, sink color 2"});
}

TEST(StaggeredFile, OtherFilesAreRefused) {
  const Extents extents{2, 2, 2, 2};
  const auto columns = random_staggered(extents);
  const SharedDirectory directory;
  const std::string path = directory / std::to_string(world_rank());
  const auto refusal = [&](const LimeExample& file) {
    std::ofstream(path, std::ios::binary) << file.bytes();
    EXPECT_TRUE(is_propagator(path));
    return refusal_of([&] { inspect_propagator(path); });
  };
  const LimeExample good = lime_staggered(columns, extents, 64);
  const auto with = [&](const std::string& type, const std::string& before, const std::string& after) {
    LimeExample file = good;
    file.replace(type, before, after);
    return refusal(file);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  EXPECT_EQ(refusal(good), "accepted");
  const std::string record = "scidac-private-record-xml";
  has(with(record, "<datacount>3", "<datacount>1"),
      "expected three color vectors of 48 bytes a site, a propagator, found 1 of 48");
  has(with(record, "<typesize>48", "<typesize>24"), "found 3 of 24");
  has(with(record, "<colors>3", "<spins>4</spins><colors>3"), "3 colors and no spin, found 3 and 4");
  has(with(record, "<colors>3", "<colors>2"), "found 2 and 0");
  has(with("scidac-private-file-xml", "2 2 2 2", "2 2 2 4"), "expected 4608 bytes");
  has(with("scidac-record-xml", "<info>", "<phase_order>tzyx</phase_order><info>"),
      "staggered phases xyzt or txyz, found 'tzyx'");

  const auto hdf5 = [&](const std::function<void(StaggeredHdf5&)>& change) {
    StaggeredHdf5 file(columns, extents);
    change(file);
    file.write(path);
    return refusal_of([&] { inspect_propagator(path); });
  };
  EXPECT_EQ(hdf5([](StaggeredHdf5&) {}), "accepted");
  has(hdf5([](StaggeredHdf5& f) { f.phases = "tzyx"; }), "'tzyx'");
  has(hdf5([](StaggeredHdf5& f) { f.sizes[4] = 2, f.sizes[6] = 3; }), "2, 2, 2, 2, 3, 3, 2");
  has(hdf5([](StaggeredHdf5& f) { f.sizes.pop_back(); }), "expected 9 axes");
}

TEST(StaggeredFile, WhatCannotBeWrittenLeavesNothing) {
  const SharedDirectory directory;
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  const std::string path = directory / "propagator";
  auto columns = random_staggered(small);
  columns[2][100][1] = {1e300, 0};
  const Field propagator = staggered_field(grid.geometry(small), columns);
  for (const auto format : formats) {
    expect_error_everywhere(
        [&] {
          write_propagator(path, grid, propagator, {format, Precision::single_precision, ""});
        },
        ErrorKind::output_file, {"cannot write " + path, "single precision", "source color 2, sink color 1"});
    EXPECT_TRUE(directory.names().empty());
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

}  // namespace
}  // namespace plaq
