// The host's way through the lattice, group by group, against coordinates: what a kernel loads at neighbours,
// at the end of paths and on faces.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/field/field.hpp"
#include "core/field/views.hpp"
#include "core/lattice/lattice_view.hpp"
#include "tests/support/shapes.hpp"

namespace plaq {
namespace {

// One step in the stored lattice, with wrap.
Coordinates moved(const LatticeShape& shape, Coordinates c, int mu, bool forward) {
  c.x[mu] = (c.x[mu] + (forward ? 1 : shape.extent[mu] - 1)) % shape.extent[mu];
  return c;
}
bool leaves(const LatticeShape& shape, const Coordinates& c, int mu, bool forward) {
  return c.x[mu] == (forward ? shape.extent[mu] - 1 : 0);
}

template <class T>
class HostLattice : public testing::Test {
 public:
  static constexpr int W = Arch<Host, T>::width;
  using View = LatticeView<Host, T>;
  using Array = SiteArray<Host, T, 18>;

  // A field in which every real is another number.
  static double number(const LatticeShape& shape, int subfield, int parity, int site, int real) {
    return ((subfield * 2 + parity) * shape.half_volume + site) * 18.0 + real;
  }
  static Field numbered(const GeometryPtr& g) {
    Field f(g, gauge_spec(precision_of<T>, Location::host));
    for (int subfield = 0; subfield < 4; ++subfield)
      for (int parity = 0; parity < 2; ++parity)
        for (int s = 0; s < g->shape().half_volume; ++s)
          for (int r = 0; r < 18; ++r)
            set_real(f, subfield, parity, s, r, number(g->shape(), subfield, parity, s, r));
    return f;
  }
  static Array array(const Field& f) {
    return Array(f.data(0, 0), f.layout().size());  // subfields: 2 mu + parity
  }

  // The lanes of `got` that are meant hold the reals of the sites that `where` gives for the group's sites.
  template <class Where>
  static void expect_loaded(const LatticeShape& shape, const typename Arch<Host, T>::Real (&got)[18],
                            int parity, LaneSite<W> site, int subfield, int at_parity, Where&& where) {
    for (int l = 0; l < W; ++l) {
      if (!((site.mask >> l) & 1u)) continue;
      const int s = shape.index(where(shape.coordinates(parity, site.index + l)));
      for (int r = 0; r < 18; ++r)
        ASSERT_EQ(got[r][l], number(shape, subfield, at_parity, s, r)) << "lane " << l;
    }
  }

  // Calls visit(parity, site group with the mask of the sites that exist, mu, forward).
  template <class Visit>
  static void for_groups(const LatticeShape& shape, Visit&& visit) {
    for (int parity = 0; parity < 2; ++parity)
      for (int first = 0; first < shape.half_volume; first += W)
        for (int d = 0; d < 8; ++d) {
          if (testing::Test::HasFatalFailure()) return;  // one bad group says enough
          const int there = std::min(W, shape.half_volume - first);
          visit(parity, LaneSite<W>{first, (LaneMask{1} << there) - 1}, d / 2, d % 2 == 0);
        }
  }
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(HostLattice, Scalars);

TYPED_TEST(HostLattice, Neighbors) {
  for (const auto& g : test::geometries()) {
    SCOPED_TRACE(test::describe(*g));
    const auto& shape = g->shape();
    const Field field = this->numbered(g);
    const auto array = this->array(field);
    const typename TestFixture::View view(*g);
    this->for_groups(shape, [&](int parity, auto site, int mu, bool forward) {
      const auto next = view.neighbor(view.point(parity, site), mu, forward);
      for (int l = 0; l < TestFixture::W; ++l) {
        if (!((site.mask >> l) & 1u)) continue;
        const Coordinates c = shape.coordinates(parity, site.index + l);
        ASSERT_EQ((next.edge >> l) & 1u, leaves(shape, c, mu, forward) ? 1u : 0u);
      }
      typename Arch<Host, TypeParam>::Real got[18];
      array.load(2 * mu + 1 - parity, next, got);
      this->expect_loaded(shape, got, parity, site, mu, 1 - parity,
                          [&](const Coordinates& c) { return moved(shape, c, mu, forward); });
    });
  }
}

// Three steps away; a device's view says the same site by site.
TYPED_TEST(HostLattice, ThirdNeighborsTheirFacesAndPhases) {
  for (const auto& g : test::geometries()) {
    if (g->halo_depth() > 0) continue;
    SCOPED_TRACE(test::describe(*g));
    const auto& shape = g->shape();
    const Field field = this->numbered(g);
    const auto array = this->array(field);
    const typename TestFixture::View view(*g, true);
    const LatticeView<Device, TypeParam> single(*g);
    this->for_groups(shape, [&](int parity, auto site, int mu, bool forward) {
      const auto third = [&](Coordinates c) {
        for (int k = 0; k < 3; ++k) c = moved(shape, c, mu, forward);
        return c;
      };
      constexpr int stride = 1000, first = 1;
      const auto point = view.point(parity, site);
      const auto n = view.third_neighbor(point, mu, forward);
      const auto faces = view.third_face_index(point, mu, forward, stride, first);
      const auto odd = view.odd_before(point, mu);
      for (int l = 0; l < TestFixture::W; ++l) {
        if (!((site.mask >> l) & 1u)) continue;
        const DeviceSite alone{site.index + l};
        const auto its_point = single.point(parity, alone);
        const auto its = single.third_neighbor(its_point, mu, forward);
        const Coordinates c = shape.coordinates(parity, site.index + l);
        Coordinates walked = c;
        bool wrapped = false;  // an odd number of times
        int steps = 0;         // to the edge
        for (int k = 0; k < 3; ++k) {
          if (leaves(shape, walked, mu, forward)) wrapped = !wrapped, steps = k;
          walked = moved(shape, walked, mu, forward);
        }
        ASSERT_EQ((n.edge >> l) & 1u, wrapped ? 1u : 0u);
        ASSERT_EQ(its.edge, wrapped);
        ASSERT_EQ(its.index, shape.index(walked));
        int sum = 0;
        for (int nu = 0; nu < mu; ++nu) sum += c.x[nu] + g->offset()[static_cast<std::size_t>(nu)];
        ASSERT_EQ((odd >> l) & 1u, static_cast<unsigned>(sum % 2));
        ASSERT_EQ(single.odd_before(its_point, mu), sum % 2 == 1);
        if (!wrapped || shape.extent[mu] < 4) continue;
        // The nearest layer ahead comes first, the nearest one behind last.
        const int layer = first + (forward ? 2 - steps : steps);
        ASSERT_EQ(faces.lane[l], layer * stride + shape.face_index(mu, c));
        ASSERT_EQ(single.third_face_index(its_point, mu, forward, stride, first), faces.lane[l]);
      }
      typename Arch<Host, TypeParam>::Real got[18];
      array.load(2 * mu + 1 - parity, n, got);
      this->expect_loaded(shape, got, parity, site, mu, 1 - parity, third);
    });
  }
}

TYPED_TEST(HostLattice, PathsOfSeveralSteps) {
  for (const auto& g : test::geometries()) {
    SCOPED_TRACE(test::describe(*g));
    const auto& shape = g->shape();
    const Field field = this->numbered(g);
    const auto array = this->array(field);
    using View = typename TestFixture::View;
    const View view(*g);
    this->for_groups(shape, [&](int parity, auto site, int mu, bool forward) {
      const int nu = (mu + 1) % 4;
      typename Arch<Host, TypeParam>::Real got[18];
      const auto start = view.point(parity, site);
      array.load(2 * nu + parity, View::index(start), got);
      this->expect_loaded(shape, got, parity, site, nu, parity, [&](const Coordinates& c) { return c; });
      const auto one = view.step(start, mu, forward);
      ASSERT_EQ(one.parity, 1 - parity);
      array.load(2 * nu + one.parity, View::index(one), got);
      this->expect_loaded(shape, got, parity, site, nu, 1 - parity,
                          [&](const Coordinates& c) { return moved(shape, c, mu, forward); });
      const auto three = view.step(view.step(one, nu, !forward), mu, forward);
      array.load(2 * mu + three.parity, View::index(three), got);
      this->expect_loaded(shape, got, parity, site, mu, 1 - parity, [&](const Coordinates& c) {
        return moved(shape, moved(shape, moved(shape, c, mu, forward), nu, !forward), mu, forward);
      });
    });
  }
}

TYPED_TEST(HostLattice, Faces) {
  constexpr int W = TestFixture::W;
  for (const auto& g : test::geometries()) {
    SCOPED_TRACE(test::describe(*g));
    const auto& shape = g->shape();
    const typename TestFixture::View view(*g);
    this->for_groups(shape, [&](int parity, auto site, int mu, bool) {
      const auto faces = view.face_index(view.point(parity, site), mu);
      for (int l = 0; l < W; ++l) {
        if (!((site.mask >> l) & 1u)) continue;
        ASSERT_EQ(faces.lane[l], shape.face_index(mu, shape.coordinates(parity, site.index + l)));
      }
    });
    const LaneMask wanted = 0x55555555u & static_cast<LaneMask>((std::uint64_t{1} << W) - 1);
    for (int mu = 0; mu < 4; ++mu) {
      const int slice = shape.extent[mu] - 1, count = shape.face_sites(mu);
      for (int first = 0; first < 2 * (count + W); first += W) {
        const int parity = first / (count + W), face = first % (count + W) / W * W;
        const auto sites = view.face_sites(parity, mu, slice, {face, wanted});
        for (int l = 0; l < W; ++l) {
          const bool there = ((wanted >> l) & 1u) && face + l < count;
          ASSERT_EQ((sites.mask >> l) & 1u, there ? 1u : 0u);
          if (!there) continue;
          ASSERT_EQ(sites.lane[l], shape.index(shape.face_coordinates(parity, mu, slice, face + l)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace plaq
