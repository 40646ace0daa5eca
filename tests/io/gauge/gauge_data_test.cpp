// The files that other programs wrote, link by link against independent readers; written in every format
// they come back with the same bits.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/io/gauge/format_cases.hpp"

namespace plaq {
namespace {

struct Known {
  const char* name;
  GaugeFileFormat format;
  Extents extents;
  Precision precision;
  double plaquette, link_trace;  // by an independent program
};
constexpr auto f32 = Precision::single_precision, f64 = Precision::double_precision;
const std::vector<Known> known_files = {
    {"l4444_coulomb.nersc", GaugeFileFormat::nersc, {4, 4, 4, 4}, f64, 0.594850159, 0.856127640},
    {"lat.sample.l4444", GaugeFileFormat::milc, {4, 4, 4, 4}, f32, 0.594850159, 0.646758737},
    {"lat.sample.l4444.ildg", GaugeFileFormat::ildg, {4, 4, 4, 4}, f32, 0.594850159, 0.646758737},
    {"lat.sample.l4444.nersc", GaugeFileFormat::nersc, {4, 4, 4, 4}, f32, 0.594850158, 0.646758737},
    {"lat.sample.l4444.scidac", GaugeFileFormat::scidac, {4, 4, 4, 4}, f32, 0.594850159, 0.646758737},
    {"lat.sample.l4448.gf", GaugeFileFormat::milc, {4, 4, 4, 8}, f32, 0.569055726, 0.751466184},
    {"lat.sample.l4448.scidac", GaugeFileFormat::scidac, {4, 4, 4, 8}, f32, 0.569055724, 0.069216590},
    {"purgaug.nersc", GaugeFileFormat::nersc, {4, 4, 4, 8}, f32, 0.902263119, 0.734640951},
    {"purgaug_coulomb.scidac", GaugeFileFormat::scidac, {4, 4, 4, 8}, f32, 0.902263125, 0.971148275},
    {"unity.lime", GaugeFileFormat::ildg, {4, 4, 4, 4}, f64, 1, 1},
    {"weak_field.lime", GaugeFileFormat::ildg, {4, 4, 4, 8}, f64, 0.994804132267, 0.379449349},
};

std::string directory() {
  const char* data = std::getenv("PLAQ_DATA_DIR");
  return data && *data ? std::string(data) + "/gauge/" : "";
}
std::vector<std::string> data_files() {
  std::vector<std::string> files;
  if (!directory().empty())
    for (const auto& known : known_files) files.push_back(directory() + known.name);
  return files;
}

TEST(GaugeData, EveryFileIsWhatItIsKnownToBe) {
  if (directory().empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  std::ptrdiff_t there = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory())) ++there;
  EXPECT_EQ(there, std::ssize(known_files)) << "files that this test does not know";
  for (const auto& known : known_files) {
    SCOPED_TRACE(known.name);
    const std::string path = directory() + known.name;
    const auto info = inspect_gauge_file(path);
    EXPECT_EQ(info.format, known.format);
    EXPECT_EQ(info.extents, known.extents);
    EXPECT_EQ(info.links.precision, known.precision);
    const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), info.extents));
    Field gauge = test::make_field(grid, info.extents, Precision::double_precision);
    const auto report = read_gauge_file(path, grid, gauge);
    verify_gauge_file(report, known.plaquette, known.link_trace);
    // Of the links that plaq has read, put together from all ranks.
    std::vector<double> reals(static_cast<std::size_t>(72 * grid.geometry(info.extents)->global_volume()));
    test::for_each_link(gauge, [&](int mu, int parity, int index, int site) {
      for (int r = 0; r < 18; ++r)
        reals[static_cast<std::size_t>(72 * site + 18 * mu + r)] = get_real(gauge, mu, parity, index, r);
    });
    MPI_Allreduce(MPI_IN_PLACE, reals.data(), static_cast<int>(reals.size()), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    reference::GaugeField links({info.extents});
    for (std::size_t i = 0; i < reals.size(); i += 2)
      links.link[i / 72][i / 18 % 4](static_cast<int>(i % 18 / 6), static_cast<int>(i % 6 / 2)) = {
          reals[i], reals[i + 1]};
    EXPECT_NEAR(reference::average_plaquette(links).all, known.plaquette, 2e-9);
    EXPECT_NEAR(reference::link_trace(links), known.link_trace, 2e-9);
  }
}

TEST(GaugeData, EveryFileOnEveryGrid) {
  const auto files = data_files();
  if (files.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  for (const auto& path : files) {
    SCOPED_TRACE(path);
    const auto format = inspect_gauge_file(path).format;
    const auto expected = test::kind_of(format).read(path);
    const auto grids = allowed_grids(test::world_size(), expected.gauge.lattice.extents);
    EXPECT_FALSE(grids.empty());
    for (const Extents& ranks : grids) {
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
        Field gauge = test::make_field(grid, expected.gauge.lattice.extents, precision);
        const auto report = read_gauge_file(path, grid, gauge);
        EXPECT_LE(test::difference(gauge, expected.gauge),
                  precision == Precision::double_precision ? 1e-15 : 6e-8);
        EXPECT_EQ(report.checksum, expected.found);
        if (report.info.checksum) {
          EXPECT_EQ(*report.info.checksum, expected.stored);
        }
        EXPECT_LE(report.unitarity_violation, 1e-6);
        verify_gauge_file(report, reference::average_plaquette(expected.gauge).all,
                          reference::link_trace(expected.gauge));
      }
    }
  }
}

// What the header says, of a file each.
TEST(GaugeData, Headers) {
  if (data_files().empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const std::string directory = std::string(std::getenv("PLAQ_DATA_DIR")) + "/gauge/";
  const auto little = inspect_gauge_file(directory + "lat.sample.l4444");
  EXPECT_EQ(little.format, GaugeFileFormat::milc);
  EXPECT_EQ(little.links, (LinkFormat{3, Precision::single_precision, ByteOrder::little, LinkOrder::sites}));
  EXPECT_EQ(little.checksum, (LinkChecksum{ChecksumKind::milc, 0x02352c05, 0xd137321d}));
  EXPECT_EQ(little.entries.at(0).value, "Thu Feb 12 13:40:21 1998");
  const auto big = inspect_gauge_file(directory + "lat.sample.l4448.gf");
  EXPECT_EQ(big.links.order, ByteOrder::big);
  EXPECT_EQ(big.checksum, (LinkChecksum{ChecksumKind::milc, 0x092a1404, 0x01416736}));
  const auto nersc = inspect_gauge_file(directory + "lat.sample.l4444.nersc");
  EXPECT_EQ(nersc.links.rows, 2);
  EXPECT_EQ(nersc.checksum, std::nullopt);
  EXPECT_EQ(nersc.plaquette, 0.594850122929);
}

// Numbers of the file as the format of the links keeps them.
void expect_same_links(const Field& back, const Field& original, const LinkFormat& links) {
  test::for_each_link(back, [&](int mu, int parity, int index, int) {
    for (int r = 0; r < links.link_reals(); ++r) {
      const double whole = get_real(original, mu, parity, index, r);
      const double kept = links.precision == Precision::single_precision
                              ? static_cast<double>(static_cast<float>(whole))
                              : whole;
      ASSERT_EQ(get_real(back, mu, parity, index, r), kept);
    }
  });
}

TEST(GaugeData, RewrittenInEveryFormatAndReadBack) {
  const auto files = data_files();
  if (files.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const test::SharedDirectory scratch;
  for (const auto& path : files) {
    const auto info = inspect_gauge_file(path);
    const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), info.extents));
    Field gauge = test::make_field(grid, info.extents, Precision::double_precision);
    const auto report = read_gauge_file(path, grid, gauge);
    const auto reference = test::kind_of(info.format).read(path).gauge;
    const double plaquette = reference::average_plaquette(reference).all,
                 trace = reference::link_trace(reference);
    for (const auto& way : test::all_ways()) {
      SCOPED_TRACE(path + " as " + test::name_of_way(way));
      const std::string copy = scratch / test::name_of_way(way);
      const LinkChecksum sum = write_gauge_file(copy, grid, gauge, way, plaquette, trace);
      Field back = test::make_field(grid, info.extents, Precision::double_precision);
      const auto again = read_gauge_file(copy, grid, back);
      EXPECT_EQ(again.checksum, sum);
      verify_gauge_file(again, plaquette, trace);
      expect_same_links(back, gauge, again.info.links);
      if (way.format != info.format || again.info.links != info.links) continue;
      // The links have the very bytes that the other program wrote.
      EXPECT_EQ(sum, report.checksum);
      EXPECT_TRUE(test::read_bytes(copy).substr(again.info.data_offset, again.info.data_bytes) ==
                  test::read_bytes(path).substr(info.data_offset, info.data_bytes));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

}  // namespace
}  // namespace plaq
