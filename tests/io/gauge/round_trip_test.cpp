// Files do not depend on the process grid, and neither do fields read from them; independent readers find in
// them what was written.

#include "tests/io/gauge/format_cases.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

constexpr Precision precisions[] = {Precision::single_precision, Precision::double_precision};

GaugeFileMetadata some_metadata() {
  GaugeFileMetadata metadata;
  metadata.ensemble_id = "test";
  metadata.ensemble_label = "random links = a test";
  metadata.ildg_lfn = "lfn://test/random";
  metadata.sequence_number = 42;
  metadata.entries = {{"BETA", "6.0"}, {"time_stamp", "Sat Nov 21 12:00:00 2026"}};
  return metadata;
}

void check_info(const GaugeFileInfo& info, const GaugeWriteOptions& way, const reference::GaugeField& links) {
  EXPECT_EQ(info.format, way.format);
  EXPECT_EQ(info.links, links_to_write(way));
  EXPECT_EQ(info.extents, links.lattice.extents);
  if (info.plaquette) {
    EXPECT_NEAR(*info.plaquette, reference::average_plaquette(links).all, 1e-14);
  }
  if (info.link_trace) {
    EXPECT_NEAR(*info.link_trace, reference::link_trace(links), 1e-14);
  }
  EXPECT_EQ(info.warnings.empty(), gauge_format(way.format).checksum != ChecksumKind::none);
  std::map<std::string, std::string> entries;
  for (const auto& entry : info.entries) entries[entry.key] = entry.value;
  if (way.format == GaugeFileFormat::nersc) {
    EXPECT_EQ(entries["ENSEMBLE_ID"], "test");
    EXPECT_EQ(entries["ENSEMBLE_LABEL"], "random links = a test");
    EXPECT_EQ(entries["SEQUENCE_NUMBER"], "42");
    EXPECT_EQ(entries["BETA"], "6.0");
  }
  if (is_lime_format(way.format)) {
    EXPECT_EQ(entries["ildg-data-lfn"], "lfn://test/random");
    const std::string record = entries["scidac-record-xml"];
    EXPECT_EQ(reference::between_tags(record, "info"),
              "ENSEMBLE_ID = test\nENSEMBLE_LABEL = random links = a test\nSEQUENCE_NUMBER = 42\n"
              "BETA = 6.0\ntime_stamp = Sat Nov 21 12:00:00 2026\n");
  }
  if (way.format == GaugeFileFormat::milc) {
    EXPECT_EQ(entries["time_stamp"], "Sat Nov 21 12:00:00 2026");
  }
}

// The file of the first grid, after a look at it by plaq's header reader and by the independent reader.
std::string read_once(const std::string& path, const GaugeWriteOptions& way,
                      const reference::GaugeField& links, const LinkChecksum& sum) {
  check_info(inspect_gauge_file(path), way, links);
  const auto file = test::kind_of(way.format).read(path);
  EXPECT_EQ(file.found, sum);
  EXPECT_EQ(file.stored, sum);
  double largest = 0;
  for (std::size_t site = 0; site < links.link.size(); ++site)
    for (std::size_t mu = 0; mu < 4; ++mu)
      largest = std::max(largest, reference::max_difference(file.gauge.link[site][mu], links.link[site][mu]));
  const LinkFormat format = links_to_write(way);
  const bool narrow = format.precision == Precision::single_precision;
  EXPECT_LE(largest, format.rows == 3 && !narrow ? 0 : narrow ? 3e-7 : 1e-15);
  return test::read_bytes(path);
}

// The rows that were stored come back rounded once to the field's precision; third rows were computed.
void check_stored_rows(const Field& back, const reference::GaugeField& expected, int rows) {
  test::for_each_link(back, [&](int mu, int parity, int index, int site) {
    for (int r = 0; r < 6 * rows; ++r) {
      const double stored = test::component(expected.link[site][mu], r);
      const double kept =
          back.precision() == Precision::double_precision ? stored : static_cast<float>(stored);
      ASSERT_EQ(get_real(back, mu, parity, index, r), kept);
    }
  });
}

class RoundTrip : public testing::TestWithParam<Extents> {};

TEST_P(RoundTrip, OnEveryGrid) {
  const test::SharedDirectory directory;
  const std::string path = directory / "field";
  const auto links = test::random_links(GetParam(), 1);
  const double plaquette = reference::average_plaquette(links).all, trace = reference::link_trace(links);
  const auto grids = allowed_grids(test::world_size(), GetParam());
  if (grids.empty()) GTEST_SKIP() << "the lattice does not split over " << test::world_size() << " ranks";

  test::Turns turns(3);
  for (auto way : test::all_ways()) {
    way.metadata = some_metadata();
    const LinkFormat format = links_to_write(way);
    std::string bytes;
    for (const Extents& ranks : grids) {
      if (!turns.mine()) continue;
      SCOPED_TRACE(to_string(ranks) + " " + test::name_of_way(way));
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      const Field original = test::field_of(grid, links);
      const LinkChecksum sum = write_gauge_file(path, grid, original, way, plaquette, trace);
      MPI_Barrier(MPI_COMM_WORLD);
      if (bytes.empty()) bytes = read_once(path, way, links, sum);
      EXPECT_TRUE(bytes == test::read_bytes(path)) << "the bytes depend on the grid";

      // Compared with another program's reading, so on all grids with the same numbers.
      const auto expected = test::kind_of(way.format).read(path).gauge;
      for (const Precision precision : precisions) {
        Field back = test::make_field(grid, GetParam(), precision);
        const auto version = back.version();
        const auto report = read_gauge_file(path, grid, back);
        EXPECT_NE(back.version(), version);
        EXPECT_EQ(report.checksum, sum);
        EXPECT_LE(report.unitarity_violation, format.precision == Precision::single_precision ? 1e-6 : 1e-14);
        EXPECT_LE(test::difference(back, expected), precision == Precision::double_precision ? 1e-15 : 6e-8);
        check_stored_rows(back, expected, format.rows);
        verify_gauge_file(report, plaquette, trace);
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  EXPECT_EQ(directory.names(), std::vector<std::string>{"field"});
}

INSTANTIATE_TEST_SUITE_P(Lattices, RoundTrip,
                         testing::Values(Extents{4, 4, 4, 8}, Extents{6, 2, 10, 4}, Extents{2, 2, 2, 2}));

// Files that independent writers made.
TEST(GaugeFile, OfIndependentWriters) {
  const test::SharedDirectory directory;
  const Extents global{4, 2, 6, 8};
  const auto links = test::random_links(global, 7);
  const double plaquette = reference::average_plaquette(links).all, trace = reference::link_trace(links);
  test::write_bytes(directory / "milc_big", reference::milc_bytes(links, "now", true));
  test::write_bytes(directory / "milc_little", reference::milc_bytes(links, "now", false));
  test::write_bytes(directory / "openqcd", reference::openqcd_bytes(links));
  test::write_bytes(directory / "ddalphaamg_big", reference::ddalphaamg_bytes(links, true));
  test::write_bytes(directory / "ddalphaamg_little", reference::ddalphaamg_bytes(links, false));
  for (const bool ildg : {true, false}) {
    auto file = test::lime_example(ildg, 64, reference::link_bytes(links, 64), "4 2 6 8");
    file.replace("scidac-record-xml", "5.948502e-01", std::to_string(plaquette));
    file.replace("scidac-record-xml", "-1.25e-01", std::to_string(trace));
    test::write_bytes(directory / (ildg ? "ildg" : "scidac"), file.bytes());
  }
  for (const Extents& ranks : allowed_grids(test::world_size(), global)) {
    const ProcessGrid grid(MPI_COMM_WORLD, ranks);
    for (const char* name :
         {"milc_big", "milc_little", "openqcd", "ddalphaamg_big", "ddalphaamg_little", "ildg", "scidac"}) {
      SCOPED_TRACE(name + (" on " + to_string(ranks)));
      Field gauge = test::make_field(grid, global);
      const auto report = read_gauge_file(directory / name, grid, gauge);
      const bool milc = report.info.format == GaugeFileFormat::milc;
      EXPECT_LE(test::difference(gauge, links), milc ? 3.1e-8 : 0);
      if (milc) {
        EXPECT_EQ(report.info.entries.at(0).value, "now");
      }
      verify_gauge_file(report, plaquette, trace);
      // Written again it is the same file; LIME gets a record plaq-info, once.
      GaugeWriteOptions way;
      way.format = report.info.format;
      way.order = report.info.links.order;
      way.metadata.entries = report.info.entries;
      write_gauge_file(directory / "again", grid, gauge, way, plaquette, trace);
      MPI_Barrier(MPI_COMM_WORLD);
      std::string first = name;
      if (is_lime_format(way.format)) {
        const auto again = inspect_gauge_file(directory / "again");
        EXPECT_EQ(again.entries.size(), report.info.entries.size() + 1);
        way.metadata.entries = again.entries;
        write_gauge_file(directory / (first = "third"), grid, gauge, way, plaquette, trace);
        MPI_Barrier(MPI_COMM_WORLD);
      }
      EXPECT_TRUE(test::read_bytes(directory / "again") == test::read_bytes(directory / first));
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

// 3x2 to a field and back gives the stored rows again; third rows have the same bits on every grid.
TEST(GaugeFile, WrittenAgainIsTheSameFile) {
  const test::SharedDirectory directory;
  const Extents global{4, 8, 4, 4};
  const auto links = test::random_links(global, 2);
  test::Turns turns(3);
  for (const auto& way : test::all_ways()) {
    std::optional<std::uint64_t> bits;  // of the whole lattice, as the first grid has them
    for (const Extents& ranks : allowed_grids(test::world_size(), global)) {
      if (!turns.mine()) continue;
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      const Field original = test::field_of(grid, links);
      write_gauge_file(directory / "first", grid, original, way, 0.5, 0.25);
      Field back = test::make_field(grid, global, links_to_write(way).precision);
      read_gauge_file(directory / "first", grid, back);
      write_gauge_file(directory / "second", grid, back, way, 0.5, 0.25);
      MPI_Barrier(MPI_COMM_WORLD);
      EXPECT_TRUE(test::read_bytes(directory / "first") == test::read_bytes(directory / "second"));

      const std::uint64_t here = test::fingerprint(back, grid);
      if (!bits) bits = here;
      EXPECT_EQ(bits, here) << "the field depends on the grid " << to_string(ranks);
    }
  }
}

}  // namespace
}  // namespace plaq
