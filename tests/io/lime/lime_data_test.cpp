// Real files, each by the reference and by inspect.
#include <gtest/gtest.h>

#include <cstdlib>

#include "io/gauge/lime_gauge.hpp"
#include "tests/reference/lime.hpp"

namespace plaq {
namespace {

struct Known {
  const char* name;
  GaugeFileFormat format;
  Extents extents;
  int precision;
  double plaquette, link_trace;
  std::size_t texts;
  std::vector<std::string> warnings;
};
const std::vector<Known> known_files = {
    {"lat.sample.l4444.ildg", GaugeFileFormat::ildg, {4, 4, 4, 4}, 32, 0.594850159, 0.646758737, 7, {}},
    {"lat.sample.l4444.scidac", GaugeFileFormat::scidac, {4, 4, 4, 4}, 32, 0.594850159, 0.646758737, 5, {}},
    {"lat.sample.l4448.scidac", GaugeFileFormat::scidac, {4, 4, 4, 8}, 32, 0.569055724, 0.069216590, 5, {}},
    {"purgaug_coulomb.scidac",
     GaugeFileFormat::scidac,
     {4, 4, 4, 8},
     32,
     0.902263125,
     0.971148275,
     5,
     {"data type Lattice"}},
    {"unity.lime", GaugeFileFormat::ildg, {4, 4, 4, 4}, 64, 1, 1, 3, {"ildg-data-lfn is absent"}},
    {"weak_field.lime",
     GaugeFileFormat::ildg,
     {4, 4, 4, 8},
     64,
     0.994804132267,
     0.379449349,
     6,
     {"ildg-data-lfn is absent"}},
};

std::string path_of(const char* name) {
  const char* directory = std::getenv("PLAQ_DATA_DIR");
  return directory ? std::string(directory) + "/gauge/" + name : std::string();
}

TEST(LimeData, TheReferenceReadsRealFiles) {
  for (const auto& known : known_files) {
    const std::string path = path_of(known.name);
    if (path.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
    SCOPED_TRACE(known.name);
    const auto file = reference::read_lime_gauge(path);
    EXPECT_EQ(file.found, file.said);
    EXPECT_EQ(file.precision, known.precision);
    EXPECT_NEAR(reference::average_plaquette(file.gauge).all, known.plaquette, 2e-9);
    EXPECT_NEAR(reference::link_trace(file.gauge), known.link_trace, 2e-9);
  }
}

TEST(LimeData, RealFilesAreInspected) {
  for (const auto& known : known_files) {
    const std::string path = path_of(known.name);
    if (path.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
    SCOPED_TRACE(known.name);
    const auto file = reference::read_lime_gauge(path);
    const GaugeFileInfo info = inspect_lime_gauge(ByteSource::file(path));
    EXPECT_EQ(info.format, known.format);
    EXPECT_EQ(info.extents, known.extents);
    EXPECT_EQ(info.extents, file.gauge.lattice.extents);
    EXPECT_EQ(8 * bytes_of(info.links.precision), known.precision);
    EXPECT_EQ(info.links.order, ByteOrder::big);
    EXPECT_EQ(info.links.rows, 3);
    EXPECT_EQ(info.checksum, (LinkChecksum{ChecksumKind::scidac, file.found.a, file.found.b}));
    EXPECT_EQ(info.entries.size(), known.texts);
    for (const auto& entry : info.entries) {
      std::string text = file.texts.at(entry.key);
      while (text.ends_with('\0')) text.pop_back();
      EXPECT_EQ(entry.value, text);
    }
    ASSERT_EQ(info.warnings.size(), known.warnings.size());
    for (std::size_t i = 0; i < known.warnings.size(); ++i)
      EXPECT_NE(info.warnings[i].find(known.warnings[i]), std::string::npos) << info.warnings[i];
    EXPECT_EQ(info.plaquette.has_value(), std::string(known.name) == "unity.lime");  // in its xlf-info

    // The links are where inspect says they are.
    const std::string data = ByteSource::file(path).text(info.data_offset, info.data_bytes);
    const auto links = reference::links_of(data, {info.extents}, known.precision);
    EXPECT_NEAR(reference::average_plaquette(links).all, known.plaquette, 2e-9);
  }
}

}  // namespace
}  // namespace plaq
