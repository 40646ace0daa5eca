#include <gtest/gtest.h>

#include "tests/io/propagator/propagator_files.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

using namespace test;

Field on(const GeometryPtr& geometry, const reference::PropagatorColumns& columns, Precision precision) {
  return to_plaq(columns, geometry, Subset::full, precision, Location::host);
}

// All grids, formats, precisions of file and of field: the same bytes, and the same numbers back.
TEST(PropagatorFile, RoundTrip) {
  const SharedDirectory directory;
  const auto columns = random_propagator(small), single = rounded(columns);
  for (const auto format : {PropagatorFormat::scidac, PropagatorFormat::hdf5})
    for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
      std::string first;
      for (const auto& ranks : allowed_grids(world_size(), small)) {
        SCOPED_TRACE(to_string(ranks) + " " + std::string(name_of(format)));
        const ProcessGrid grid(MPI_COMM_WORLD, ranks);
        const auto geometry = grid.geometry(small);
        const Field propagator = on(geometry, columns, Precision::double_precision);
        const std::string path = directory / "propagator", text = "a <text> & more\nof two lines";
        const LinkChecksum written = write_propagator(path, grid, propagator, {format, precision, text});
        MPI_Barrier(MPI_COMM_WORLD);
        const std::string bytes = read_bytes(path);
        if (first.empty()) first = bytes;
        EXPECT_TRUE(bytes == first);

        const auto& expected = precision == Precision::single_precision ? single : columns;
        for (const auto kept : {Precision::single_precision, Precision::double_precision}) {
          Field back = empty_propagator(geometry, kept);
          const auto report = read_propagator(path, grid, back);
          EXPECT_EQ(report.checksum, written);
          EXPECT_EQ(report.info.checksum, written);
          EXPECT_EQ(report.info.metadata, text);
          EXPECT_EQ(report.info.extents, small);
          EXPECT_EQ(report.info.precision, precision);
          EXPECT_TRUE(report.info.warnings.empty());
          EXPECT_EQ(max_difference(back, kept == Precision::single_precision ? single : expected), 0.0);
        }
        EXPECT_EQ(directory.names().size(), 1u);
        MPI_Barrier(MPI_COMM_WORLD);
      }
    }
}

// Written by plaq, read by others' description of the formats.
TEST(PropagatorFile, SciDacIsThatOfQdp) {
  const SharedDirectory directory;
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  const auto columns = random_propagator(small);
  const Field propagator = on(grid.geometry(small), columns, Precision::double_precision);
  for (const int bits : {32, 64}) {
    const auto precision = bits == 32 ? Precision::single_precision : Precision::double_precision;
    const std::string path = directory / "propagator";
    const auto sums = write_propagator(path, grid, propagator, {PropagatorFormat::scidac, precision, "text"});
    MPI_Barrier(MPI_COMM_WORLD);
    std::map<std::string, std::string> texts;
    for (const auto& record : reference::lime_records(read_bytes(path))) texts[record.type] = record.data;
    const std::string& data = texts["scidac-binary-data"];
    EXPECT_TRUE(data == reference::qdp_bytes(columns, bits));
    EXPECT_EQ(reference::qdp_propagator(data, {small}, bits), bits == 32 ? rounded(columns) : columns);
    const auto expected = reference::scidac_sums(data, static_cast<std::size_t>(36 * bits));
    EXPECT_EQ(sums, (LinkChecksum{ChecksumKind::scidac, expected.a, expected.b}));
    const std::string& record = texts["scidac-private-record-xml"];
    using reference::between_tags;
    EXPECT_EQ(between_tags(record, "datatype"), "Lattice");
    EXPECT_EQ(between_tags(record, "typesize"), std::to_string(36 * bits));
    EXPECT_EQ(between_tags(record, "datacount"), "1");
    EXPECT_EQ(between_tags(record, "spins"), "4");
    EXPECT_EQ(between_tags(record, "colors"), "3");
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(PropagatorFile, Hdf5IsRead) {
  const SharedDirectory directory;
  if (world_rank() != 0) GTEST_SKIP() << "rank 0 looks at it";
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto columns = random_propagator(small);
  const Field propagator = on(grid.geometry(small), columns, Precision::double_precision);
  const std::string path = directory / "propagator.h5";
  const auto sums =
      write_propagator(path, grid, propagator, {PropagatorFormat::hdf5, Precision::double_precision, "text"});
  const Hdf5Example expected(columns, small);
  std::vector<double> values(expected.values.size());
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "/propagator", H5P_DEFAULT);
  ASSERT_GE(data, 0);
  const hid_t space = H5Dget_space(data);
  std::array<hsize_t, 9> sizes{};
  EXPECT_EQ(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), 9);
  EXPECT_EQ(sizes, expected.sizes);
  EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  EXPECT_TRUE(values == expected.values);
  const hid_t checksum = H5Aopen(data, "checksum", H5P_DEFAULT);
  std::uint32_t found[2] = {0, 0};
  EXPECT_GE(H5Aread(checksum, H5T_NATIVE_UINT32, found), 0);
  std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * 8);  // little-endian
  const auto reference_sums = reference::scidac_sums(bytes, 2304);
  EXPECT_EQ(found[0], reference_sums.a);
  EXPECT_EQ(found[1], reference_sums.b);
  EXPECT_EQ(sums, (LinkChecksum{ChecksumKind::scidac, found[0], found[1]}));
  for (const char* name : {"axes", "units", "spin_basis", "job"}) EXPECT_GT(H5Aexists(data, name), 0) << name;
  H5Aclose(checksum);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
}

// Written by others.
TEST(PropagatorFile, OthersFilesAreRead) {
  const SharedDirectory directory;
  const auto columns = random_propagator(small), single = rounded(columns);
  const std::string path = directory / "propagator";
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  Field back = empty_propagator(grid.geometry(small));
  const auto read = [&](const reference::PropagatorColumns& expected, std::size_t warnings) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto report = read_propagator(path, grid, back);
    EXPECT_EQ(max_difference(back, expected), 0.0);
    EXPECT_EQ(report.info.warnings.size(), warnings) << testing::PrintToString(report.info.warnings);
    MPI_Barrier(MPI_COMM_WORLD);
  };
  for (const int bits : {32, 64}) {
    write_bytes(path, lime_propagator(columns, small, bits).bytes());
    read(bits == 32 ? single : columns, 1);  // no spin basis
  }
  for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE}) {
    Hdf5Example example(columns, small);
    example.type = type;
    if (world_rank() == 0) example.write(path);
    read(H5Tget_size(type) == 4 ? single : columns, 2);  // no checksum, no seal
  }
}

TEST(PropagatorFile, DamageIsRefused) {
  const SharedDirectory directory;
  const auto columns = random_propagator(small);
  const std::string path = directory / "propagator";
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  const Field propagator = on(grid.geometry(small), columns, Precision::double_precision);
  Field back = empty_propagator(grid.geometry(small));
  const auto refused = [&](const std::string& bytes, const std::vector<std::string>& parts) {
    write_bytes(path, bytes);
    expect_error_everywhere([&] { read_propagator(path, grid, back); }, ErrorKind::input_file, parts);
    MPI_Barrier(MPI_COMM_WORLD);
  };
  for (const auto format : {PropagatorFormat::scidac, PropagatorFormat::hdf5}) {
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
    refused("", {path});
    const Extents other{2, 8, 6, 4};
    Field another = empty_propagator(grid.geometry(other));
    write_bytes(path, good);
    expect_error_everywhere([&] { read_propagator(path, grid, another); }, ErrorKind::input_file,
                            {path, "2x4x6x4", "2x8x6x4"});
    MPI_Barrier(MPI_COMM_WORLD);
  }
  auto bad = columns;
  bad[7][9][2][1] = {0, std::numeric_limits<double>::quiet_NaN()};
  refused(lime_propagator(bad, small, 64).bytes(),
          {path, "finite", "site (1, 0, 1, 0)", "source spin 2 color 1, sink spin 2 color 1"});
}

TEST(PropagatorFile, OtherScidacFilesAreRefused) {
  const auto columns = random_propagator({2, 2, 2, 2});
  const SharedDirectory directory;
  const std::string path = directory / std::to_string(world_rank());
  const auto refusal = [&](const LimeExample& file) {
    std::ofstream(path, std::ios::binary) << file.bytes();
    return refusal_of([&] { inspect_propagator(path); });
  };
  const LimeExample good = lime_propagator(columns, {2, 2, 2, 2}, 64);
  const auto with = [&](const std::string& type, const std::string& before, const std::string& after) {
    LimeExample file = good;
    file.replace(type, before, after);
    return refusal(file);
  };
  EXPECT_EQ(refusal(good), "accepted");
  const std::string record = "scidac-private-record-xml";
  EXPECT_NE(with(record, "Lattice", "QDP_D3_DiracPropagator").find("data type Lattice"), std::string::npos);
  EXPECT_NE(with(record, "2304", "144").find("found 1 of 144"), std::string::npos);
  EXPECT_NE(with(record, "<spins>4", "<spins>1").find("4 spins, found 3 and 1"), std::string::npos);
  EXPECT_NE(with("scidac-private-file-xml", "2 2 2 2", "2 2 2 4").find("expected 73728 bytes"),
            std::string::npos);
  EXPECT_NE(with("scidac-record-xml", "<a/>", "<spin_basis>chiral</spin_basis>").find("'chiral'"),
            std::string::npos);
  LimeExample twice = good;
  twice.records.push_back(good.records[4]);
  EXPECT_NE(refusal(twice).find("found 2"), std::string::npos);
  EXPECT_NE(refusal(lime_example(true, 64, "x")).find("1 of ildg-binary-data"), std::string::npos);
}

TEST(PropagatorFile, OtherHdf5FilesAreRefused) {
  const Extents extents{2, 2, 2, 2};
  const auto columns = random_propagator(extents);
  const SharedDirectory directory;
  const std::string path = directory / std::to_string(world_rank());
  const auto refusal = [&](const std::function<void(Hdf5Example&)>& change) {
    Hdf5Example file(columns, extents);
    change(file);
    file.write(path);
    return refusal_of([&] { inspect_propagator(path); });
  };
  EXPECT_EQ(refusal([](Hdf5Example&) {}), "accepted");
  EXPECT_NE(refusal([](Hdf5Example& f) { f.chunked = true; }).find("contiguous"), std::string::npos);
  EXPECT_NE(refusal([](Hdf5Example& f) { f.type = H5T_STD_I32LE; }).find("IEEE"), std::string::npos);
  EXPECT_NE(refusal([](Hdf5Example& f) { f.axes = 8; }).find("expected 9 axes"), std::string::npos);
  EXPECT_NE(refusal([](Hdf5Example& f) { f.axes = 9, f.sizes[4] = 3, f.sizes[5] = 4; }).find("4, 3, 4, 3, 2"),
            std::string::npos);
  EXPECT_NE(refusal([](Hdf5Example& f) { f.basis = "chiral"; }).find("'chiral'"), std::string::npos);
  EXPECT_NE(refusal([](Hdf5Example& f) { f.name = "/quark"; }).find("expected a dataset /propagator"),
            std::string::npos);
}

TEST(PropagatorFile, WhatCannotBeWrittenLeavesNothing) {
  const SharedDirectory directory;
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  const std::string path = directory / "propagator";
  auto columns = random_propagator(small);
  columns[5][100][3][2] = {1e300, 0};
  const Field propagator = on(grid.geometry(small), columns, Precision::double_precision);
  for (const auto format : {PropagatorFormat::scidac, PropagatorFormat::hdf5}) {
    expect_error_everywhere(
        [&] {
          write_propagator(path, grid, propagator, {format, Precision::single_precision, ""});
        },
        ErrorKind::output_file,
        {"cannot write " + path, "single precision", "source spin 1 color 2, sink spin 3 color 2"});
    expect_error_everywhere(
        [&] {
          write_propagator(path, grid, propagator,
                           {format, Precision::double_precision, std::string("a\0b", 3)});
        },
        ErrorKind::output_file, {"cannot write " + path});
    expect_error_everywhere(
        [&] {
          write_propagator(directory / "none/such", grid, propagator,
                           {format, Precision::double_precision, ""});
        },
        ErrorKind::output_file, {"cannot write", "none/such"});
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(directory.names().empty());
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(PropagatorFile, FoundWrongBeforeItIsPublished) {
  const SharedDirectory directory;
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  const auto columns = random_propagator(small);
  const Field propagator = on(grid.geometry(small), columns, Precision::double_precision);
  const std::string path = directory / "propagator";
  for (const auto format : {PropagatorFormat::scidac, PropagatorFormat::hdf5}) {
    write_bytes(path, "the older file");
    std::string seen;
    const auto look = [&](const std::string& name, const LinkChecksum& checksum) {
      Field back = empty_propagator(grid.geometry(small));
      EXPECT_EQ(read_propagator(name, grid, back).checksum, checksum);
      EXPECT_EQ(max_difference(back, columns), 0.0);
      seen = read_bytes(name);
      MPI_Barrier(MPI_COMM_WORLD);  // or rank 0 would go on, and remove it
    };
    const auto complain = [&](const std::string& name, const LinkChecksum& checksum) {
      look(name, checksum);
      throw Error(ErrorKind::output_file, "the disk forgets");
    };
    const PropagatorWriteOptions options{format, Precision::double_precision, "text"};
    expect_error_everywhere([&] { write_propagator(path, grid, propagator, options, complain); },
                            ErrorKind::output_file, {"the disk forgets"});
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(read_bytes(path), "the older file");
    EXPECT_EQ(directory.names().size(), 1u);
    MPI_Barrier(MPI_COMM_WORLD);
    write_propagator(path, grid, propagator, options, look);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(read_bytes(path) == seen);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(PropagatorFile, AreKnownFromOtherFiles) {
  const SharedDirectory directory;
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  const auto columns = random_propagator(small);
  const Field propagator = on(grid.geometry(small), columns, Precision::double_precision);
  const std::string path = directory / "file";
  for (const auto format : {PropagatorFormat::scidac, PropagatorFormat::hdf5}) {
    write_propagator(path, grid, propagator, {format, Precision::single_precision, "text"});
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(is_propagator(path));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (world_rank() != 0) return;
  EXPECT_THROW(is_propagator(directory / "none"), Error);
  Hdf5Example(columns, small).write(path);
  EXPECT_TRUE(is_propagator(path));
  Hdf5Example other(columns, small);
  other.name = "/quark";
  other.write(path);
  EXPECT_FALSE(is_propagator(path));
  for (const std::string& bytes : {lime_example(true, 64, "x").bytes(), std::string("\x89HDF\r\n\x1a\n"),
                                   std::string("\x45\x67\x89\xab"), std::string("BEGIN_HEADER\n"),
                                   lime_example(false, 64, "x").bytes(), std::string()}) {
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_FALSE(is_propagator(path));
  }
}

}  // namespace
}  // namespace plaq
