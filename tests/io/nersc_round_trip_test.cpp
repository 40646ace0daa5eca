// Files do not depend on the process grid, and neither do fields read from them.
#include <gtest/gtest.h>

#include "io/nersc.hpp"
#include "tests/io/gauge_files.hpp"
#include "tests/reference/nersc.hpp"

namespace plaq {
namespace {

constexpr Precision precisions[] = {Precision::single_precision, Precision::double_precision};

std::vector<NerscWriteOptions> all_options() {
  std::vector<NerscWriteOptions> all;
  for (const int rows : {2, 3})
    for (const Precision precision : precisions)
      for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        NerscWriteOptions options;
        options.links = {rows, precision, order};
        options.ensemble_id = "test";
        options.ensemble_label = "random links = a test";
        options.sequence_number = 42;
        options.more = {{"BETA", "6.0"}};
        all.push_back(options);
      }
  return all;
}

void check_header(const GaugeFileInfo& info, const NerscWriteOptions& options,
                  const reference::GaugeField& links) {
  EXPECT_EQ(info.links, options.links);
  EXPECT_EQ(info.extents, links.lattice.extents);
  EXPECT_NEAR(*info.plaquette, reference::average_plaquette(links).all, 1e-14);
  EXPECT_NEAR(*info.link_trace, reference::link_trace(links), 1e-14);
  EXPECT_TRUE(info.warnings.empty());
  std::map<std::string, std::string> entries;
  for (const auto& entry : info.entries) entries[entry.key] = entry.value;
  EXPECT_EQ(entries["ENSEMBLE_ID"], "test");
  EXPECT_EQ(entries["ENSEMBLE_LABEL"], "random links = a test");
  EXPECT_EQ(entries["SEQUENCE_NUMBER"], "42");
  EXPECT_EQ(entries["BETA"], "6.0");
}

// The file of the first grid, after a look at it by its header and by the independent reader.
std::string read_once(const std::string& path, const NerscWriteOptions& options,
                      const reference::GaugeField& links, std::uint32_t sum) {
  check_header(read_nersc_info(path), options, links);
  const auto file = reference::read_nersc(path);
  EXPECT_EQ(file.checksum, sum);
  EXPECT_EQ(file.header_checksum(), sum);
  const bool narrow = options.links.precision == Precision::single_precision;
  double largest = 0;
  for (std::size_t site = 0; site < links.link.size(); ++site)
    for (int mu = 0; mu < 4; ++mu)
      largest = std::max(largest, reference::max_difference(file.gauge.link[site][mu], links.link[site][mu]));
  EXPECT_LE(largest, options.links.rows == 3 && !narrow ? 0 : narrow ? 3e-7 : 1e-15);
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
  const std::string path = directory / "field.nersc";
  const auto links = test::random_links(GetParam(), 1);
  const double plaquette = reference::average_plaquette(links).all, trace = reference::link_trace(links);
  const auto grids = allowed_grids(test::world_size(), GetParam());
  if (grids.empty()) GTEST_SKIP() << "the lattice does not split over " << test::world_size() << " ranks";

  for (const auto& options : all_options()) {
    const bool narrow = options.links.precision == Precision::single_precision;
    std::string bytes;
    for (const Extents& ranks : grids) {
      SCOPED_TRACE(to_string(ranks) + " rows " + std::to_string(options.links.rows) + " " +
                   std::string(name_of(options.links.precision)) + " " +
                   std::string(name_of(options.links.order)));
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      const Field original = test::field_of(grid, links, Precision::double_precision);
      const std::uint32_t sum = write_nersc(path, grid, original, options, plaquette, trace);
      MPI_Barrier(MPI_COMM_WORLD);
      if (bytes.empty()) bytes = read_once(path, options, links, sum);
      EXPECT_TRUE(bytes == test::read_bytes(path)) << "the bytes depend on the grid";

      // Compared with another program's reading, so on all grids with the same numbers.
      const auto expected = reference::read_nersc(path).gauge;
      for (const Precision precision : precisions) {
        Field back = test::make_field(grid, GetParam(), precision);
        const auto version = back.version();
        const auto report = read_nersc(path, grid, back);
        EXPECT_NE(back.version(), version);
        EXPECT_EQ(report.checksum.a, sum);
        EXPECT_LE(report.unitarity_violation, narrow ? 1e-6 : 1e-14);
        EXPECT_LE(test::difference(back, expected), precision == Precision::double_precision ? 1e-15 : 6e-8);
        check_stored_rows(back, expected, options.links.rows);
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  EXPECT_EQ(directory.names(), std::vector<std::string>{"field.nersc"});
}

INSTANTIATE_TEST_SUITE_P(Lattices, RoundTrip,
                         testing::Values(Extents{4, 4, 4, 8}, Extents{8, 6, 4, 2}, Extents{2, 4, 6, 12}));

// 3x2 to a field and back gives the stored rows again; third rows have the same bits on every grid.
TEST(NerscFile, WrittenAgainIsTheSameFile) {
  const test::SharedDirectory directory;
  const Extents global{4, 8, 4, 4};
  const auto links = test::random_links(global, 2);
  for (const auto& options : all_options()) {
    std::vector<double> reals;  // of the whole lattice, as the first grid has them
    for (const Extents& ranks : allowed_grids(test::world_size(), global)) {
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      const Field original = test::field_of(grid, links, Precision::double_precision);
      write_nersc(directory / "first", grid, original, options, 0.5, 0.25);
      Field back = test::make_field(grid, global, options.links.precision);
      read_nersc(directory / "first", grid, back);
      write_nersc(directory / "second", grid, back, options, 0.5, 0.25);
      MPI_Barrier(MPI_COMM_WORLD);
      EXPECT_TRUE(test::read_bytes(directory / "first") == test::read_bytes(directory / "second"));

      std::vector<double> here(links.link.size() * 72);
      test::for_each_link(back, [&](int mu, int parity, int index, int site) {
        for (int r = 0; r < 18; ++r)
          here[static_cast<std::size_t>(72 * site + 18 * mu + r)] = get_real(back, mu, parity, index, r);
      });
      MPI_Allreduce(MPI_IN_PLACE, here.data(), static_cast<int>(here.size()), MPI_DOUBLE, MPI_SUM,
                    MPI_COMM_WORLD);
      if (reals.empty()) reals = here;
      EXPECT_TRUE(reals == here) << "the field depends on the grid " << to_string(ranks);
    }
  }
}

}  // namespace
}  // namespace plaq
