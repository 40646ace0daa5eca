// Walking a lattice of any extents: neighbours and faces as the views of both machines find them.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/lattice/lattice_view.hpp"
#include "tests/support/shapes.hpp"

namespace plaq {
namespace {

template <class T>
class GeneralLattice : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(GeneralLattice, Scalars);

// Calls visit(parity, group of sites that exist).
template <int W, class Visit>
void for_groups(const GeneralShape& shape, Visit&& visit) {
  for (int parity = 0; parity < shape.parities(); ++parity)
    for (int first = 0; first < shape.parity_sites(parity); first += W) {
      const int there = std::min(W, shape.parity_sites(parity) - first);
      visit(parity, LaneSite<W>{first, (LaneMask{1} << there) - 1});
      if (testing::Test::HasFatalFailure()) return;
    }
}

TYPED_TEST(GeneralLattice, NeighborsStepsAndFaces) {
  constexpr int W = Arch<Host, TypeParam>::width;
  for (const auto& g : test::general_geometries()) {
    SCOPED_TRACE(test::describe(*g));
    const auto& shape = g->general_shape();
    using HostView = LatticeView<Host, TypeParam, GeneralShape>;
    const HostView lanes(*g);
    const LatticeView<Device, TypeParam, GeneralShape> single(*g);
    for_groups<W>(shape, [&](int parity, auto site) {
      const auto point = lanes.point(parity, site);
      for (int d = 0; d < 8; ++d) {
        const int mu = d / 2;
        const bool forward = d % 2 == 0;
        const auto next = lanes.neighbor(point, mu, forward);
        const auto stepped = lanes.step(point, mu, forward);
        const auto faces = lanes.face_index(point, mu);
        for (int l = 0; l < W; ++l) {
          if (!((site.mask >> l) & 1u)) continue;
          const Coordinates c = shape.coordinates(parity, site.index + l);
          Coordinates n = c;
          n.x[mu] = (c.x[mu] + (forward ? 1 : shape.extent[mu] - 1)) % shape.extent[mu];
          const bool edge = c.x[mu] == (forward ? shape.extent[mu] - 1 : 0);
          const auto its_point = single.point(parity, {site.index + l});
          const auto its = single.neighbor(its_point, mu, forward);
          ASSERT_EQ(next.lane[l], shape.index(n));
          ASSERT_EQ(its.index, shape.index(n));
          ASSERT_EQ((next.edge >> l) & 1u, edge ? 1u : 0u);
          ASSERT_EQ(its.edge, edge);
          // Across an odd local extent coordinates wrap to the same parity: those are other ranks' sites.
          if (!edge || g->decomposition().ranks[static_cast<std::size_t>(mu)] == 1) {
            ASSERT_EQ(shape.parity(n), shape.neighbor_parity(parity));
          }
          ASSERT_EQ(stepped.parity, shape.neighbor_parity(parity));
          ASSERT_EQ(HostView::index(stepped).lane[l], shape.index(n));
          ASSERT_EQ(single.step(its_point, mu, forward).index, shape.index(n));
          ASSERT_EQ(single.step(its_point, mu, forward).parity, shape.neighbor_parity(parity));
          ASSERT_EQ(faces.lane[l], shape.face_index(mu, c));
        }
      }
    });
  }
}

TYPED_TEST(GeneralLattice, SitesOfFaces) {
  constexpr int W = Arch<Host, TypeParam>::width;
  for (const auto& g : test::general_geometries()) {
    SCOPED_TRACE(test::describe(*g));
    const auto& shape = g->general_shape();
    const LatticeView<Host, TypeParam, GeneralShape> lanes(*g);
    const LatticeView<Device, TypeParam, GeneralShape> single(*g);
    const LaneMask every = static_cast<LaneMask>((std::uint64_t{1} << W) - 1);
    for (int parity = 0; parity < g->parities(); ++parity)
      for (int mu = 0; mu < 4; ++mu)
        for (int slice = 0; slice < shape.extent[mu]; ++slice) {
          int expected = 0, found = 0;
          for (int s = 0; s < shape.parity_sites(parity); ++s)
            expected += shape.coordinates(parity, s).x[mu] == slice ? 1 : 0;
          for (int first = 0; first < shape.face_sites(mu) + W; first += W) {
            const auto sites = lanes.face_sites(parity, mu, slice, {first, every});
            for (int l = 0; l < W; ++l) {
              const int alone = single.face_sites(parity, mu, slice, {first + l}).index;
              ASSERT_EQ((sites.mask >> l) & 1u, alone >= 0 ? 1u : 0u);
              if (alone < 0) continue;
              ++found;
              ASSERT_EQ(sites.lane[l], alone);
              const Coordinates c = shape.coordinates(parity, alone);
              ASSERT_EQ(c.x[mu], slice);
              ASSERT_EQ(shape.face_index(mu, c), first + l);
            }
          }
          ASSERT_EQ(found, expected);
        }
  }
}

}  // namespace
}  // namespace plaq
