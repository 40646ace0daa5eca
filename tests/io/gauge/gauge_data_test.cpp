// The files that other programs wrote, link by link against independent readers; written in every format
// they come back with the same bits.

#include "tests/io/gauge/format_cases.hpp"
#include "tests/support/grids.hpp"

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
    {"conf.00200", GaugeFileFormat::ildg, {4, 4, 4, 4}, f64, 0.571077111695, -0.004703155},
    {"l4444_coulomb.nersc", GaugeFileFormat::nersc, {4, 4, 4, 4}, f64, 0.594850159, 0.856127640},
    {"lat.sample.l4444", GaugeFileFormat::milc, {4, 4, 4, 4}, f32, 0.594850159, 0.646758737},
    {"lat.sample.l4444.ildg", GaugeFileFormat::ildg, {4, 4, 4, 4}, f32, 0.594850159, 0.646758737},
    {"lat.sample.l4444.nersc", GaugeFileFormat::nersc, {4, 4, 4, 4}, f32, 0.594850158, 0.646758737},
    {"lat.sample.l4444.scidac", GaugeFileFormat::scidac, {4, 4, 4, 4}, f32, 0.594850159, 0.646758737},
    {"lat.sample.l4448.gf", GaugeFileFormat::milc, {4, 4, 4, 8}, f32, 0.569055726, 0.751466184},
    {"lat.sample.l4448.scidac", GaugeFileFormat::scidac, {4, 4, 4, 8}, f32, 0.569055724, 0.069216590},
    {"lat.sample.l6666b650m010m050", GaugeFileFormat::milc, {6, 6, 6, 6}, f32, 0.549692612, 0.075177486},
    {"purgaug.nersc", GaugeFileFormat::nersc, {4, 4, 4, 8}, f32, 0.902263119, 0.734640951},
    {"purgaug_coulomb.scidac", GaugeFileFormat::scidac, {4, 4, 4, 8}, f32, 0.902263125, 0.971148275},
    {"unity.lime", GaugeFileFormat::ildg, {4, 4, 4, 4}, f64, 1, 1},
    {"weak_field.lime", GaugeFileFormat::ildg, {4, 4, 4, 8}, f64, 0.994804132267, 0.379449349},
};

std::string directory() {
  const char* data = std::getenv("PLAQ_DATA_DIR");
  return data && *data ? std::string(data) + "/gauge/" : "";
}

// Not every lattice splits over any number of ranks into even local extents.
std::vector<Known> files_for_these_ranks() {
  std::vector<Known> files;
  std::copy_if(known_files.begin(), known_files.end(), std::back_inserter(files),
               [](const Known& known) { return !allowed_grids(test::world_size(), known.extents).empty(); });
  return files;
}

std::vector<std::string> data_files() {
  std::vector<std::string> files;
  if (!directory().empty())
    for (const auto& known : files_for_these_ranks()) files.push_back(directory() + known.name);
  return files;
}

TEST(GaugeData, EveryFileIsWhatItIsKnownToBe) {
  if (directory().empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  std::ptrdiff_t there = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory())) ++there;
  EXPECT_EQ(there, std::ssize(known_files)) << "files that this test does not know";
  for (const auto& known : files_for_these_ranks()) {
    SCOPED_TRACE(known.name);
    const std::string path = directory() + known.name;
    const auto info = inspect_gauge_file(path);
    EXPECT_EQ(info.format, known.format);
    EXPECT_EQ(info.extents, known.extents);
    EXPECT_EQ(info.links.precision, known.precision);
    const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), info.extents));
    Field gauge = test::make_field(grid, info.extents);
    const auto report = read_gauge_file(path, grid, gauge);
    verify_gauge_file(report, known.plaquette, known.link_trace);
    const auto links = test::gathered_links(gauge);
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

// Entries of the header of each file.
TEST(GaugeData, Headers) {
  if (directory().empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const auto little = inspect_gauge_file(directory() + "lat.sample.l4444");
  EXPECT_EQ(little.format, GaugeFileFormat::milc);
  EXPECT_EQ(little.links, (LinkFormat{3, f32, ByteOrder::little, LinkOrder::sites}));
  EXPECT_EQ(little.checksum, (LinkChecksum{ChecksumKind::milc, 0x02352c05, 0xd137321d}));
  EXPECT_EQ(little.entries.at(0).value, "Thu Feb 12 13:40:21 1998");
  const auto big = inspect_gauge_file(directory() + "lat.sample.l4448.gf");
  EXPECT_EQ(big.links.order, ByteOrder::big);
  EXPECT_EQ(big.checksum, (LinkChecksum{ChecksumKind::milc, 0x092a1404, 0x01416736}));
  const auto nersc = inspect_gauge_file(directory() + "lat.sample.l4444.nersc");
  EXPECT_EQ(nersc.links.rows, 2);
  EXPECT_EQ(nersc.checksum, std::nullopt);
  EXPECT_EQ(nersc.plaquette, 0.594850122929);
}

// LIME files: every text, what is odd about it, and where the links are.
TEST(GaugeData, TextsOfLimeFiles) {
  if (directory().empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const struct {
    const char* name;
    std::size_t texts;
    const char* warning;
  } cases[] = {
      {"lat.sample.l4444.ildg", 7, nullptr},        {"lat.sample.l4444.scidac", 5, nullptr},
      {"lat.sample.l4448.scidac", 5, nullptr},      {"purgaug_coulomb.scidac", 5, "data type Lattice"},
      {"unity.lime", 3, "ildg-data-lfn is absent"}, {"weak_field.lime", 6, "ildg-data-lfn is absent"}};
  for (const auto& known : cases) {
    SCOPED_TRACE(known.name);
    const auto file = reference::read_lime_gauge(directory() + known.name);
    const auto info = inspect_gauge_file(directory() + known.name);
    EXPECT_EQ(file.found, file.said);
    EXPECT_EQ(info.extents, file.gauge.lattice.extents);
    EXPECT_EQ(info.links,
              (LinkFormat{3, file.precision == 32 ? f32 : f64, ByteOrder::big, LinkOrder::sites}));
    EXPECT_EQ(info.checksum, (LinkChecksum{ChecksumKind::scidac, file.found.a, file.found.b}));
    EXPECT_EQ(info.entries.size(), known.texts);
    for (const auto& entry : info.entries) {
      std::string text = file.texts.at(entry.key);
      while (text.ends_with('\0')) text.pop_back();
      EXPECT_EQ(entry.value, text);
    }
    ASSERT_EQ(info.warnings.size(), known.warning ? 1u : 0u);
    if (known.warning) test::expect_parts(info.warnings[0], {known.warning});
    EXPECT_EQ(info.plaquette.has_value(), std::string(known.name) == "unity.lime");  // in its xlf-info
    const std::string data =
        test::read_bytes(directory() + known.name).substr(info.data_offset, info.data_bytes);
    EXPECT_TRUE(data == reference::link_bytes(file.gauge, file.precision));
  }
}

// Numbers of the file as the format of the links keeps them.
void expect_same_links(const Field& back, const Field& original, const LinkFormat& links) {
  test::for_each_link(back, [&](int mu, int parity, int index, int) {
    for (int r = 0; r < links.reals_per_link(); ++r) {
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
  test::Turns turns(4);
  for (const auto& path : files) {
    const auto info = inspect_gauge_file(path);
    const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), info.extents));
    Field gauge = test::make_field(grid, info.extents);
    const auto report = read_gauge_file(path, grid, gauge);
    const auto reference = test::kind_of(info.format).read(path).gauge;
    const double plaquette = reference::average_plaquette(reference).all,
                 trace = reference::link_trace(reference);
    for (const auto& way : test::all_ways()) {
      if (!turns.mine()) continue;
      SCOPED_TRACE(path + " as " + test::name_of_way(way));
      const std::string copy = scratch / test::name_of_way(way);
      const LinkChecksum sum = write_gauge_file(copy, grid, gauge, way, plaquette, trace);
      Field back = test::make_field(grid, info.extents);
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
