// Faces of 16-bit numbers: about half the bytes, and what they bring differs by their rounding alone.
#include "core/system/error.hpp"
#include "tests/kernels/dirac/wilson/wilson_storage_support.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

constexpr int batch = 2;

// Sites with a neighbour on another rank, and the others.
struct Differences {
  double edge_most = 0, edge_squares = 0, inside_most = 0, largest = 0;
  std::int64_t edge_reals = 0;
};

Differences differences(const Field& a, const Field& b) {
  const Field x = test::on_host(a), y = test::on_host(b);
  const LatticeShape& shape = x.geometry().shape();
  Differences d;
  test::for_stored_sites(x.geometry(), [&](int parity, int s, int) {
    if (!x.holds(parity)) return;
    const bool edge = shape.at_split_edge(shape.coordinates(parity, s));
    for (int subfield = 0; subfield < x.subfields(); ++subfield)
      for (int r = 0; r < 24; ++r) {
        const double one = get_real(x, subfield, parity, s, r), other = get_real(y, subfield, parity, s, r);
        const double off = std::abs(one - other);
        d.largest = std::max(d.largest, std::abs(other));
        if (edge) {
          d.edge_most = std::max(d.edge_most, off);
          d.edge_squares += off * off;
          ++d.edge_reals;
        } else {
          d.inside_most = std::max(d.inside_most, off);
        }
      }
  });
  return d;
}

TEST(ShortFaces, RoundWhatTheyBringAndNothingElse) {
  const Extents extents{8, 4, 6, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid for so many ranks";
  const auto p = test::make_problem(extents, test::Clover::none, batch);
  for (const auto& bound : test::storage_bounds) {
    if (bound.precision == Precision::double_precision) continue;
    SCOPED_TRACE(bound.name());
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      const Field gauge = test::to_plaq(p.gauge, g, Precision::double_precision, Location::host);
      const auto wide = test::make_hopping(p, grid, gauge, bound.storage(), location),
                 narrow = test::make_hopping(p, grid, gauge, bound.storage(), location);
      narrow->set_short_faces(true);
      const Field in = test::to_plaq(p.in, g, Subset::odd, bound.precision, location);
      Field expected(g, spinor_spec(Subset::even, batch, bound.precision, location)),
          found(g, expected.spec());
      for (const bool dagger : {false, true}) {
        wide->apply(expected, in, 0, dagger);
        narrow->apply(found, in, 0, dagger);
        wide->queue().synchronize();
        narrow->queue().synchronize();
        const Differences d = differences(found, expected);
        // In half precision what is stored is rounded anew.
        EXPECT_LE(d.inside_most, 0.0);
        EXPECT_LT(d.edge_most, 2e-4 * d.largest);
        const double mean =
            d.edge_reals == 0 ? 0 : std::sqrt(d.edge_squares / static_cast<double>(d.edge_reals));
        EXPECT_LT(mean, 2.5e-5 * d.largest);
        if (wide->halo(batch).exchanges()) {
          EXPECT_GT(mean, 1e-7 * d.largest);  // they are short
        }
      }
      const auto bytes = [&](WilsonHopping& hop) {
        return static_cast<double>(hop.halo(batch).face_bytes(6));
      };
      if (g->partitioned(3)) {
        const double as_computed = 48 + (bound.precision == Precision::half_precision ? 4 : 0);
        EXPECT_NEAR(bytes(*narrow) / bytes(*wide), 28 / as_computed, 1e-12);
      }
    });
  }
}

TEST(ShortFaces, AreRefusedInDoubleAndTooLate) {
  const Extents extents{4, 4, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid for so many ranks";
  const auto p = test::make_problem(extents, test::Clover::none, 1);
  const ProcessGrid grid(MPI_COMM_WORLD, allowed_grids(test::world_size(), extents).front());
  const auto g = grid.geometry(extents);
  const Field gauge = test::to_plaq(p.gauge, g, Precision::double_precision, Location::host);
  const auto exact = test::make_hopping(p, grid, gauge, {Precision::double_precision, 18}, Location::host),
             single = test::make_hopping(p, grid, gauge, {Precision::single_precision, 12}, Location::host);
  EXPECT_THROW(exact->set_short_faces(true), Error);
  (void)single->halo(1);
  EXPECT_THROW(single->set_short_faces(true), Error);
}

}  // namespace
}  // namespace plaq
