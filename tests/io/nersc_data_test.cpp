// The NERSC files that other programs wrote, link by link against an independent reader.
#include <gtest/gtest.h>

#include <cstdlib>

#include "io/gauge_file.hpp"
#include "tests/io/gauge_files.hpp"
#include "tests/reference/nersc.hpp"

namespace plaq {
namespace {

std::optional<std::filesystem::path> gauge_directory() {
  const char* data = std::getenv("PLAQ_DATA_DIR");
  if (!data || !*data) return std::nullopt;
  return std::filesystem::path(data) / "gauge";
}

TEST(NerscData, EveryFileOnEveryGrid) {
  const auto directory = gauge_directory();
  if (!directory) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*directory)) {
    if (entry.path().extension() != ".nersc") continue;
    const std::string path = entry.path().string();
    SCOPED_TRACE(path);
    ++files;
    const auto expected = reference::read_nersc(path);
    const auto grids = allowed_grids(test::world_size(), expected.gauge.lattice.extents);
    EXPECT_FALSE(grids.empty());
    for (const Extents& ranks : grids) {
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
        Field gauge = test::make_field(grid, expected.gauge.lattice.extents, precision);
        const auto report = read_gauge_file(path, grid, gauge);
        EXPECT_LE(test::difference(gauge, expected.gauge),
                  precision == Precision::double_precision ? 1e-15 : 6e-8);
        EXPECT_EQ(report.checksum.a, expected.checksum);
        EXPECT_LE(report.unitarity_violation, 1e-6);
        EXPECT_EQ(report.info.plaquette.value_or(0), expected.header_plaquette());
        EXPECT_EQ(report.info.link_trace.value_or(0), expected.header_link_trace());
        EXPECT_EQ(report.info.checksum.value_or(LinkChecksum{}).a, expected.header_checksum());
        verify_gauge_file(report.info, reference::average_plaquette(expected.gauge).all,
                          reference::link_trace(expected.gauge));
      }
    }
  }
  EXPECT_GT(files, 0) << "no .nersc file in " << *directory;
}

TEST(NerscData, OtherFormatsAreNamed) {
  const auto directory = gauge_directory();
  if (!directory) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  for (const auto& entry : std::filesystem::directory_iterator(*directory)) {
    const auto extension = entry.path().extension();
    if (extension == ".nersc") continue;
    const bool lime = extension == ".lime" || extension == ".ildg" || extension == ".scidac";
    test::expect_error(test::error_of([&] { inspect_gauge_file(entry.path().string()); }),
                       ErrorKind::input_file, {entry.path().string(), lime ? "LIME" : "MILC v5", "NERSC"});
  }
}

TEST(NerscData, RewrittenAndReadBack) {
  const auto directory = gauge_directory();
  if (!directory) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const test::SharedDirectory scratch;
  for (const char* name : {"l4444_coulomb.nersc", "purgaug.nersc", "lat.sample.l4444.nersc"}) {
    const std::string path = (*directory / name).string(), copy = scratch / name;
    const auto info = read_nersc_info(path);
    const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), info.extents));
    Field gauge = test::make_field(grid, info.extents, Precision::double_precision);
    const auto report = read_nersc(path, grid, gauge);
    NerscWriteOptions options;
    options.links = info.links;
    EXPECT_EQ(write_nersc(copy, grid, gauge, options, *info.plaquette, 0.5), report.checksum);
    MPI_Barrier(MPI_COMM_WORLD);
    // The links have the very bytes that the other program wrote.
    const auto links = [](const std::string& file) {
      const auto i = read_nersc_info(file);
      return test::read_bytes(file).substr(i.data_offset, i.data_bytes);
    };
    EXPECT_TRUE(links(copy) == links(path)) << name;
  }
}

}  // namespace
}  // namespace plaq
