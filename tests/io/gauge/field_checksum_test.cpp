// The checksum of a gauge field, whatever file it came from.
#include "io/gauge/link_sum.hpp"

#include "tests/io/gauge/format_cases.hpp"

namespace plaq {
namespace {

constexpr Extents extents{4, 4, 8, 6};

TEST(FieldChecksum, IsThatOfItsFileInDoublePrecisionOnEveryGrid) {
  const test::SharedDirectory directory;
  const std::string path = directory / "field";
  auto links = test::random_links(extents, 3);
  GaugeWriteOptions way;
  way.format = GaugeFileFormat::ildg;
  const double plaquette = reference::average_plaquette(links).all, trace = reference::link_trace(links);
  std::optional<LinkChecksum> sum;
  for (const auto& ranks : allowed_grids(test::world_size(), extents)) {
    SCOPED_TRACE(to_string(ranks));
    const ProcessGrid grid(MPI_COMM_WORLD, ranks);
    const Field field = test::field_of(grid, links);
    if (!sum) sum = write_gauge_file(path, grid, field, way, plaquette, trace);
    EXPECT_EQ(checksum_of_links(grid, field), *sum);
    // Numbers of single precision are numbers of double precision.
    Field narrow(grid.geometry(extents), gauge_spec(Precision::single_precision, Location::host));
    copy(narrow, field);
    Field again = test::make_field(grid, extents);
    copy(again, narrow);
    EXPECT_EQ(checksum_of_links(grid, narrow), checksum_of_links(grid, again));
    EXPECT_NE(checksum_of_links(grid, narrow), *sum);
  }
}

TEST(FieldChecksum, IsTheSameOfEveryFormat) {
  const test::SharedDirectory directory;
  const std::string path = directory / "field";
  const auto links = test::random_links(extents, 3);
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), extents));
  const Field field = test::field_of(grid, links);
  for (const auto format : {GaugeFileFormat::nersc, GaugeFileFormat::scidac, GaugeFileFormat::openqcd}) {
    GaugeWriteOptions way;
    way.format = format;
    write_gauge_file(path, grid, field, way, reference::average_plaquette(links).all,
                     reference::link_trace(links));
    Field back = test::make_field(grid, extents);
    read_gauge_file(path, grid, back);
    EXPECT_EQ(checksum_of_links(grid, back), checksum_of_links(grid, field)) << name_of(format);
  }
}

// Every link counts, and where it is.
TEST(FieldChecksum, SeesEveryChange) {
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), extents));
  auto links = test::random_links(extents, 3);
  std::set<std::string> sums{checksum_of_links(grid, test::field_of(grid, links)).text()};
  for (std::size_t site = 0; site < links.link.size(); site += links.link.size() / 5)
    for (const std::size_t mu : {std::size_t{0}, std::size_t{3}}) {
      auto other = links;
      other.link[site][mu] = -1.0 * other.link[site][mu];
      sums.insert(checksum_of_links(grid, test::field_of(grid, other)).text());
    }
  std::swap(links.link[0], links.link[1]);
  sums.insert(checksum_of_links(grid, test::field_of(grid, links)).text());
  EXPECT_EQ(sums.size(), 14u);
}

}  // namespace
}  // namespace plaq
