// Files of gauge transformations beside what files of every kind do (tests/io/stored_field_test.cpp).
#include "io/gauge/gauge_file.hpp"
#include "io/propagator/propagator_file.hpp"
#include "tests/io/propagator/propagator_files.hpp"
#include "tests/io/transformation/transformation_files.hpp"

namespace plaq {
namespace {

using namespace test;

class TransformationFile : public testing::Test {
 protected:
  void expect_refused(const std::string& bytes, Parts parts) const {
    parts.push_back(path_);
    write_bytes(path_, bytes);
    Field back = empty_transformation(geometry_);
    expect_error_everywhere([&] { read_transformation(path_, grid_, back); }, ErrorKind::input_file, parts);
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

// Written by plaq, read by others' description of the format.
TEST_F(TransformationFile, IsThatOfQdp) {
  const std::vector<HeaderEntry> entries = {
      {"GAUGE_FIXED", "Landau"}, {"GAUGE_THETA", "1.5e-15"}, {"NOTE", "a < b & c = d"}};
  for (const int bits : {32, 64}) {
    const auto sums = write_transformation(path_, grid_, transformation_of(geometry_, g_),
                                           {precision_of_bits(bits), entries});
    std::map<std::string, std::string> texts;
    for (const auto& record : reference::lime_records(read_together(path_))) texts[record.type] = record.data;
    const std::string& data = texts["scidac-binary-data"];
    EXPECT_TRUE(data == reference::matrix_bytes(g_, bits));
    const auto found = reference::scidac_sums(data, static_cast<std::size_t>(9 * bits / 4));
    EXPECT_EQ(sums, (LinkChecksum{ChecksumKind::scidac, found.a, found.b}));
    for (const auto& [tag, value] : {std::pair{"datatype", "QDP_" + letter_of(bits) + "3_ColorMatrix"},
                                     {"precision", letter_of(bits)},
                                     {"typesize", std::to_string(9 * bits / 4)},
                                     {"datacount", "1"},
                                     {"spins", "4"},
                                     {"colors", "3"}})
      EXPECT_EQ(reference::between_tags(texts["scidac-private-record-xml"], tag), value);
    EXPECT_EQ(reference::between_tags(texts["scidac-private-file-xml"], "dims"), "2 4 6 4 ");
    EXPECT_EQ(reference::between_tags(texts["scidac-record-xml"], "info"),
              "GAUGE_FIXED = Landau\nGAUGE_THETA = 1.5e-15\nNOTE = a &lt; b &amp; c = d\n");
  }
}

TEST_F(TransformationFile, OthersFilesAreRead) {
  for (const int bits : {32, 64})
    for (const std::string& type : {std::string("Lattice"), "QDP_" + letter_of(bits) + "3_ColorMatrix"})
      for (const bool checksum : {true, false}) {
        auto file = lime_transformation(g_, small, bits, type);
        if (!checksum) {
          file.remove("scidac-checksum");
          file["scidac-binary-data"].ends = true;  // of the message
        }
        write_bytes(path_, file.bytes());
        EXPECT_TRUE(is_transformation(path_));
        Field back = empty_transformation(geometry_);
        const auto report = read_transformation(path_, grid_, back);
        EXPECT_EQ(different_numbers(
                      back, std::vector<reference::GaugeTransformation>{bits == 32 ? rounded(g_) : g_}),
                  0);
        EXPECT_EQ(report.info.checksum.has_value(), checksum);
        EXPECT_EQ(report.info.warnings.size(), checksum ? 0u : 1u);
        ASSERT_EQ(report.info.entries.size(), 1u);
        EXPECT_EQ(report.info.entries[0].key, "scidac-record-xml");
        expect_parts(report.info.entries[0].value, {"<a>b</a>"});
      }
}

TEST_F(TransformationFile, MatricesMustBeSu3) {
  const auto changed = [&](std::size_t site, const reference::Complex& by) {
    auto g = g_;
    g[site](1, 2) += by;
    return g;
  };
  const std::size_t site = 1 + 2 * (3 + 4 * (5 + 6 * 2));
  for (const int bits : {32, 64}) {
    expect_refused(file_of(changed(site, {3e-5, 0}), bits),
                   {"the matrix of site (x,y,z,t) = (1,3,5,2) is not SU(3)", "deviation"});
    expect_refused(file_of(changed(site, {0, std::numeric_limits<double>::quiet_NaN()}), bits),
                   {"the matrix of site (x,y,z,t) = (1,3,5,2) is not a finite number"});
    auto negative = g_;
    negative[site] = -1.0 * negative[site];
    expect_refused(file_of(negative, bits), {"is not SU(3)", "determinant -1"});
  }
  write_bytes(path_, file_of(changed(site, {1e-7, 0})));
  Field back = empty_transformation(geometry_);
  EXPECT_GT(read_transformation(path_, grid_, back).unitarity_violation, 1e-8);

  const std::string other = directory_ / "other";
  expect_error_everywhere(
      [&] {
        write_transformation(other, grid_, transformation_of(geometry_, changed(site, {3e-5, 0})), {});
      },
      ErrorKind::output_file, {"cannot write " + other, "(1,3,5,2)", "not SU(3)"});
  EXPECT_EQ(directory_.names().size(), 1u);
}

TEST_F(TransformationFile, OtherFilesAreRefused) {
  const auto expect_other = [&](const std::string& found) {
    EXPECT_FALSE(is_transformation(path_));
    expect_refused(read_together(path_), {"a gauge transformation", found});
  };
  const auto links = random_links(small, 3);
  for (const auto format :
       {GaugeFileFormat::nersc, GaugeFileFormat::ildg, GaugeFileFormat::scidac, GaugeFileFormat::milc}) {
    GaugeWriteOptions way;
    way.format = format;
    write_gauge_file(path_, grid_, field_of(grid_, links), way, reference::average_plaquette(links).all,
                     reference::link_trace(links));
    MPI_Barrier(MPI_COMM_WORLD);
    expect_other(format == GaugeFileFormat::ildg ? "1 of ildg-binary-data" : "a gauge field");
  }
  const Field propagator = propagator_field(geometry_, random_propagator(small));
  for (const auto format : container_formats) {
    write_propagator(path_, grid_, propagator, {format, Precision::single_precision, "text"});
    MPI_Barrier(MPI_COMM_WORLD);
    expect_other(format == PropagatorFormat::scidac ? "a propagator" : "it seems to be an HDF5 file");
  }
  const auto with = [&](const std::string& type, const std::string& before, const std::string& after) {
    return changed(lime_transformation(g_, small, 64, "QDP_D3_ColorMatrix"), type, before, after).bytes();
  };
  const std::string record = "scidac-private-record-xml";
  expect_refused(with(record, "ColorMatrix", "ColorMatriy"), {"expected the data type", "ColorMatriy"});
  expect_refused(with(record, "_D3_", "_F3_"), {"QDP_D3_ColorMatrix", "found QDP_F3_ColorMatrix"});
  expect_refused(with(record, "<colors>3", "<colors>2"), {"expected 3 colors, found 2"});
  expect_refused(with("scidac-private-file-xml", "2 4 6 4", "2 4 6 8"), {"expected 55296 bytes"});

  // The transformation is no other field either.
  write_transformation(path_, grid_, transformation_of(geometry_, g_), {});
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_FALSE(is_propagator(path_));
  expect_error([&] { inspect_gauge_file(path_); }, ErrorKind::input_file,
               {"found 1 of 144, a gauge transformation"});
  EXPECT_THROW(is_transformation(directory_ / "none"), Error);
}

TEST_F(TransformationFile, WhatCannotBeWrittenLeavesNothing) {
  const Field field = transformation_of(geometry_, g_);
  const auto refused = [&](const HeaderEntry& entry, const std::string& part) {
    expect_error_everywhere(
        [&] {
          write_transformation(path_, grid_, field, {Precision::double_precision, {entry}});
        },
        ErrorKind::output_file, {"cannot write " + path_, part});
    EXPECT_TRUE(together([&] { return directory_.names().empty(); }));
  };
  refused({"A=B", "c"}, "a key without '='");
  refused({"", "c"}, "a key");
  refused({"A", "two\nlines"}, "a value of one line");
  refused({"A", "\x01"}, "control characters");
  refused({"A", std::string(1 << 24, 'x')}, "at most 16773120 bytes");
}

}  // namespace
}  // namespace plaq
