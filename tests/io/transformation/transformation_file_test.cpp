#include "io/transformation/transformation_file.hpp"

#include <map>

#include "io/gauge/gauge_file.hpp"
#include "io/propagator/propagator_file.hpp"
#include "tests/io/propagator/propagator_files.hpp"
#include "tests/io/transformation/transformation_files.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

using namespace test;

const std::vector<HeaderEntry> entries = {
    {"GAUGE_FIXED", "Landau"}, {"GAUGE_THETA", "1.5e-15"}, {"NOTE", "a < b & c = d"}};

int bits_of(Precision precision) { return 8 * bytes_of(precision); }

void expect_entries(const std::vector<HeaderEntry>& found) {
  ASSERT_EQ(found.size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(found[i].key, entries[i].key);
    EXPECT_EQ(found[i].value, entries[i].value);
  }
}

// All grids, both precisions: the same bytes, and the same numbers back.
TEST(TransformationFile, RoundTrip) {
  const SharedDirectory directory;
  const auto g = random_matrices(small), single = rounded(g);
  for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
    const auto& expected = precision == Precision::single_precision ? single : g;
    std::string first;
    for (const auto& ranks : allowed_grids(world_size(), small)) {
      SCOPED_TRACE(to_string(ranks) + " " + std::string(name_of(precision)));
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      const auto geometry = grid.geometry(small);
      const std::string path = directory / "g.lime";
      const LinkChecksum written =
          write_transformation(path, grid, transformation_of(geometry, g), {precision, entries});
      MPI_Barrier(MPI_COMM_WORLD);
      const std::string bytes = read_bytes(path);
      if (first.empty()) first = bytes;
      EXPECT_TRUE(bytes == first);
      EXPECT_TRUE(is_transformation(path));

      Field back = empty_transformation(geometry);
      const auto report = read_transformation(path, grid, back);
      EXPECT_EQ(different_numbers(back, expected), 0);
      EXPECT_EQ(report.checksum, written);
      EXPECT_EQ(report.info.checksum, written);
      EXPECT_EQ(report.info.path, path);
      EXPECT_EQ(report.info.extents, small);
      EXPECT_EQ(report.info.precision, precision);
      EXPECT_EQ(report.info.warnings, std::vector<std::string>());
      EXPECT_LT(report.unitarity_violation, precision == Precision::single_precision ? 1e-6 : 1e-14);
      expect_entries(report.info.entries);
      EXPECT_EQ(directory.names().size(), 1u);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

// Written by plaq, read by others' description of the format.
TEST(TransformationFile, IsThatOfQdp) {
  const SharedDirectory directory;
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  const auto g = random_matrices(small);
  const Field field = transformation_of(grid.geometry(small), g);
  for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
    const int bits = bits_of(precision);
    const std::string path = directory / "g.lime";
    const auto sums = write_transformation(path, grid, field, {precision, entries});
    MPI_Barrier(MPI_COMM_WORLD);
    std::map<std::string, std::string> texts;
    for (const auto& record : reference::lime_records(read_bytes(path))) texts[record.type] = record.data;
    const std::string& data = texts["scidac-binary-data"];
    const auto back = reference::matrices_of(data, {small}, bits), expected = bits == 32 ? rounded(g) : g;
    for (std::size_t site = 0; site < g.size(); ++site)
      for (int r = 0; r < 18; ++r) EXPECT_EQ(component(back[site], r), component(expected[site], r));
    const auto found = reference::scidac_sums(data, static_cast<std::size_t>(9 * bits / 4));
    EXPECT_EQ(sums, (LinkChecksum{ChecksumKind::scidac, found.a, found.b}));
    using reference::between_tags;
    const std::string& record = texts["scidac-private-record-xml"];
    EXPECT_EQ(between_tags(record, "datatype"), bits == 32 ? "QDP_F3_ColorMatrix" : "QDP_D3_ColorMatrix");
    EXPECT_EQ(between_tags(record, "precision"), bits == 32 ? "F" : "D");
    EXPECT_EQ(between_tags(record, "typesize"), bits == 32 ? "72" : "144");
    EXPECT_EQ(between_tags(record, "datacount"), "1");
    EXPECT_EQ(between_tags(record, "spins"), "4");
    EXPECT_EQ(between_tags(record, "colors"), "3");
    EXPECT_EQ(between_tags(texts["scidac-private-file-xml"], "dims"), "2 4 6 4 ");
    EXPECT_EQ(between_tags(texts["scidac-record-xml"], "info"),
              "GAUGE_FIXED = Landau\nGAUGE_THETA = 1.5e-15\nNOTE = a &lt; b &amp; c = d\n");
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(TransformationFile, OthersFilesAreRead) {
  const SharedDirectory directory;
  const auto g = random_matrices(small);
  const std::string path = directory / "g.lime";
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  for (const int bits : {32, 64})
    for (const bool named : {true, false})
      for (const bool checksum : {true, false}) {
        auto file = lime_transformation(g, small, bits,
                                        !named       ? "Lattice"
                                        : bits == 32 ? "QDP_F3_ColorMatrix"
                                                     : "QDP_D3_ColorMatrix");
        if (!checksum) {
          file.remove("scidac-checksum");
          file["scidac-binary-data"].ends = true;  // of the message
        }
        write_bytes(path, file.bytes());
        EXPECT_TRUE(is_transformation(path));
        Field back = empty_transformation(grid.geometry(small));
        const auto report = read_transformation(path, grid, back);
        EXPECT_EQ(different_numbers(back, bits == 32 ? rounded(g) : g), 0);
        EXPECT_EQ(report.info.checksum.has_value(), checksum);
        EXPECT_EQ(report.info.warnings.size(), checksum ? 0u : 1u);
        ASSERT_EQ(report.info.entries.size(), 1u);
        EXPECT_EQ(report.info.entries[0].key, "scidac-record-xml");
        EXPECT_NE(report.info.entries[0].value.find("<a>b</a>"), std::string::npos);
        MPI_Barrier(MPI_COMM_WORLD);
      }
}

class TransformationDamage : public testing::Test {
 protected:
  TransformationDamage() { MPI_Barrier(MPI_COMM_WORLD); }

  std::string sound(Precision precision = Precision::double_precision) const {
    write_transformation(path_, grid_, transformation_of(geometry_, g_), {precision, entries});
    MPI_Barrier(MPI_COMM_WORLD);
    std::string bytes = read_bytes(path_);
    MPI_Barrier(MPI_COMM_WORLD);
    return bytes;
  }
  void expect_refused(const std::string& bytes, const std::vector<std::string>& parts) {
    write_bytes(path_, bytes);
    Field back = empty_transformation(geometry_);
    expect_error_everywhere([&] { read_transformation(path_, grid_, back); }, ErrorKind::input_file, parts);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  // With checksums that fit, so that nothing but the matrices is wrong.
  std::string file_of(const reference::GaugeTransformation& g, int bits = 64) const {
    return lime_transformation(g, small, bits, "Lattice").bytes();
  }

  SharedDirectory directory_;
  std::string path_ = directory_ / "g.lime";
  ProcessGrid grid_{MPI_COMM_WORLD, choose_grid(world_size(), small)};
  GeometryPtr geometry_ = grid_.geometry(small);
  reference::GaugeTransformation g_ = random_matrices(small);
};

TEST_F(TransformationDamage, IsNoticed) {
  for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
    const std::string good = sound(precision);
    const auto info = inspect_transformation(path_);
    MPI_Barrier(MPI_COMM_WORLD);
    for (const std::uint64_t at : {info.data_offset, info.data_offset + info.data_bytes - 1}) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
      expect_refused(bytes, {path_, "the gauge transformation is damaged: expected checksum", "found"});
    }
    for (const std::uint64_t size :
         {info.data_offset - 1, info.data_offset, info.data_offset + info.data_bytes / 2,
          info.data_offset + info.data_bytes - 1})
      expect_refused(good.substr(0, size), {path_});
    expect_refused(good.substr(0, info.data_offset + 1), {path_, "truncated"});
    expect_refused(good.substr(0, 10), {path_});
    expect_refused("", {path_, "empty"});
    expect_refused(good + "more", {path_});
  }
}

TEST_F(TransformationDamage, MatricesMustBeSu3) {
  const auto changed = [&](std::size_t site, const reference::Complex& by) {
    auto g = g_;
    g[site](1, 2) += by;
    return g;
  };
  const std::size_t site = 1 + 2 * (3 + 4 * (5 + 6 * 2));
  for (const int bits : {32, 64}) {
    expect_refused(file_of(changed(site, {3e-5, 0}), bits),
                   {path_, "the matrix of site (x,y,z,t) = (1,3,5,2) is not SU(3)", "deviation"});
    expect_refused(file_of(changed(site, {0, std::numeric_limits<double>::quiet_NaN()}), bits),
                   {path_, "the matrix of site (x,y,z,t) = (1,3,5,2) is not a finite number"});
    auto negative = g_;
    negative[site] = -1.0 * negative[site];
    expect_refused(file_of(negative, bits), {path_, "is not SU(3)", "determinant -1"});
  }
  write_bytes(path_, file_of(changed(site, {1e-7, 0})));
  Field back = empty_transformation(geometry_);
  EXPECT_GT(read_transformation(path_, grid_, back).unitarity_violation, 1e-8);
  MPI_Barrier(MPI_COMM_WORLD);

  const std::string other = directory_ / "other";
  expect_error_everywhere(
      [&] {
        write_transformation(other, grid_, transformation_of(geometry_, changed(site, {3e-5, 0})), {});
      },
      ErrorKind::output_file, {"cannot write " + other, "(1,3,5,2)", "not SU(3)"});
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(directory_.names().size(), 1u);
}

TEST_F(TransformationDamage, OtherFilesAreRefused) {
  const std::string expected = "a gauge transformation";
  const auto links = random_links(small, 3);
  const std::string other = directory_ / "other";
  const Field gauge = field_of(grid_, links, Precision::double_precision);
  for (const auto format :
       {GaugeFileFormat::nersc, GaugeFileFormat::ildg, GaugeFileFormat::scidac, GaugeFileFormat::milc}) {
    GaugeWriteOptions way;
    way.format = format;
    write_gauge_file(other, grid_, gauge, way, reference::average_plaquette(links).all,
                     reference::link_trace(links));
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_FALSE(is_transformation(other));
    const std::string bytes = read_bytes(other);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_refused(bytes, {path_, expected,
                           format == GaugeFileFormat::ildg ? "1 of ildg-binary-data" : "a gauge field"});
  }
  const Field propagator =
      to_plaq(random_propagator(small), geometry_, Subset::full, Precision::double_precision, Location::host);
  for (const auto format : {PropagatorFormat::scidac, PropagatorFormat::hdf5}) {
    write_propagator(other, grid_, propagator, {format, Precision::single_precision, "text"});
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_FALSE(is_transformation(other));
    const std::string bytes = read_bytes(other);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_refused(bytes,
                   {path_, expected,
                    format == PropagatorFormat::scidac ? "a propagator" : "it seems to be an HDF5 file"});
  }
  const auto with = [&](const std::string& type, const std::string& before, const std::string& after) {
    auto file = lime_transformation(g_, small, 64, "QDP_D3_ColorMatrix");
    file.replace(type, before, after);
    return file.bytes();
  };
  const std::string record = "scidac-private-record-xml";
  expect_refused(with(record, "ColorMatrix", "ColorMatriy"),
                 {path_, "expected the data type", "ColorMatriy"});
  expect_refused(with(record, "_D3_", "_F3_"), {path_, "QDP_D3_ColorMatrix", "found QDP_F3_ColorMatrix"});
  expect_refused(with(record, "<colors>3", "<colors>2"), {path_, "expected 3 colors, found 2"});
  expect_refused(with("scidac-private-file-xml", "2 4 6 4", "2 4 6 8"), {path_, "expected 55296 bytes"});

  // The transformation is no other field either.
  sound();
  EXPECT_FALSE(is_propagator(path_));
  EXPECT_NE(refusal_of([&] { inspect_gauge_file(path_); }).find("found 1 of 144, a gauge transformation"),
            std::string::npos);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_F(TransformationDamage, AnotherLattice) {
  sound();
  Field another = empty_transformation(grid_.geometry({2, 8, 6, 4}));
  expect_error_everywhere([&] { read_transformation(path_, grid_, another); }, ErrorKind::input_file,
                          {path_, "2x4x6x4", "2x8x6x4"});
  MPI_Barrier(MPI_COMM_WORLD);
  Field back = empty_transformation(geometry_);
  expect_error_everywhere([&] { read_transformation(directory_ / "none", grid_, back); },
                          ErrorKind::input_file, {"none", "No such file"});
  EXPECT_THROW(is_transformation(directory_ / "none"), Error);
}

TEST_F(TransformationDamage, WhatCannotBeWrittenLeavesNothing) {
  const Field field = transformation_of(geometry_, g_);
  const auto refused = [&](const std::string& path, const std::vector<HeaderEntry>& given,
                           const std::vector<std::string>& parts) {
    expect_error_everywhere(
        [&] {
          write_transformation(path, grid_, field, {Precision::double_precision, given});
        },
        ErrorKind::output_file, parts);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(directory_.names().empty());
    MPI_Barrier(MPI_COMM_WORLD);
  };
  refused(directory_ / "none/such", {}, {"cannot write", "none/such"});
  refused(path_, {{"A=B", "c"}}, {"cannot write " + path_, "a key without '='"});
  refused(path_, {{"", "c"}}, {"cannot write " + path_, "a key"});
  refused(path_, {{"A", "two\nlines"}}, {"cannot write " + path_, "a value of one line"});
  refused(path_, {{"A", "\x01"}}, {"cannot write " + path_, "control characters"});
  refused(path_, {{"A", std::string(100000, 'x')}}, {"cannot write " + path_, "at most 32768 bytes"});
}

TEST_F(TransformationDamage, FoundWrongBeforeItIsPublished) {
  write_bytes(path_, "the older file");
  const Field field = transformation_of(geometry_, g_);
  const auto complain = [&](const std::string& name, const LinkChecksum& checksum) {
    Field back = empty_transformation(geometry_);
    EXPECT_EQ(read_transformation(name, grid_, back).checksum, checksum);
    EXPECT_EQ(different_numbers(back, g_), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    throw Error(ErrorKind::output_file, "the disk forgets");
  };
  expect_error_everywhere([&] { write_transformation(path_, grid_, field, {}, complain); },
                          ErrorKind::output_file, {"the disk forgets"});
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(read_bytes(path_), "the older file");
  EXPECT_EQ(directory_.names().size(), 1u);
}

}  // namespace
}  // namespace plaq
