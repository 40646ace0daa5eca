// The way through the lattice that kernels take, on the host group by group and as a device takes it site by
// site, against coordinates: what is loaded at neighbours, at the end of paths and on faces.
#include "core/lattice/lattice_view.hpp"

#include "core/field/field.hpp"
#include "core/field/views.hpp"
#include "tests/support/shapes.hpp"

namespace plaq::lattice_view_test {
namespace {

template <class T_, class Shape_>
struct Kind {
  using T = T_;
  using Shape = Shape_;
};

template <class K>
class Views : public testing::Test {
 public:
  using T = typename K::T;
  using Shape = typename K::Shape;
  using Real = typename Arch<Host, T>::Real;
  using View = LatticeView<Host, T, Shape>;
  using Single = LatticeView<Device, T, Shape>;
  using Array = SiteArray<Host, T, 18>;
  static constexpr int W = Arch<Host, T>::width;
  static constexpr bool even = std::is_same_v<Shape, LatticeShape>;
  static constexpr LaneMask every = static_cast<LaneMask>((std::uint64_t{1} << W) - 1);

  static std::vector<GeometryPtr> geometries() {
    return even ? test::geometries() : test::general_geometries();
  }
  // One step in the stored lattice, with wrap.
  static Coordinates moved(const Shape& shape, Coordinates c, int mu, bool forward) {
    c.x[mu] = (c.x[mu] + (forward ? 1 : shape.extent[mu] - 1)) % shape.extent[mu];
    return c;
  }
  static bool leaves(const Shape& shape, const Coordinates& c, int mu, bool forward) {
    return c.x[mu] == (forward ? shape.extent[mu] - 1 : 0);
  }
  // True if a step with wrap comes to the other parity. Across an odd local extent it does not: those are
  // other ranks' sites.
  static bool changes_parity(const Geometry& g, const Shape& shape, int mu) {
    return even || shape.extent[mu] % 2 == 0 || g.decomposition().ranks[mu] == 1;
  }

  // A field in which every real is another number. Subfields of the array: parities * mu + parity.
  static double number(const Field& f, int subfield, int parity, int site, int real) {
    return ((subfield * 2 + parity) * f.layout().sites + site) * 18.0 + real;
  }
  static Field numbered(const GeometryPtr& g) {
    Field f(g, gauge_spec(precision_of<T>, Location::host));
    for (int subfield = 0; subfield < 4; ++subfield)
      for (int parity = 0; parity < f.parities(); ++parity)
        for (int s = 0; s < f.layout().sites; ++s)
          for (int r = 0; r < 18; ++r) set_real(f, subfield, parity, s, r, number(f, subfield, parity, s, r));
    return f;
  }

  // Calls visit(parity, site group with the mask of the sites that exist, mu, forward).
  template <class Visit>
  static void for_groups(const Shape& shape, int parities, Visit&& visit) {
    for (int parity = 0; parity < parities; ++parity)
      for (int first = 0; first < shape.parity_sites(parity); first += W)
        for (int d = 0; d < 8; ++d) {
          if (testing::Test::HasFatalFailure()) return;  // one bad group says enough
          const int there = std::min(W, shape.parity_sites(parity) - first);
          visit(parity, LaneSite<W>{first, (LaneMask{1} << there) - 1}, d / 2, d % 2 == 0);
        }
  }
  template <class Visit>
  static void for_lanes(const Shape& shape, int parity, LaneSite<W> site, Visit&& visit) {
    for (int l = 0; l < W; ++l)
      if ((site.mask >> l) & 1u) visit(l, shape.coordinates(parity, site.index + l));
  }

  // What is loaded at `index`: of each lane's site the numbers of the site to which `where` leads.
  template <class Index, class Where>
  static void expect_loads(const Field& f, const Shape& shape, int subfield, int at_parity,
                           const Index& index, int parity, LaneSite<W> site, Where&& where) {
    const Array array(f.data(0, 0), f.layout().size());
    Real got[18];
    array.load(f.parities() * subfield + at_parity, index, got);
    for_lanes(shape, parity, site, [&](int l, const Coordinates& c) {
      const int s = shape.index(where(c));
      for (int r = 0; r < 18; ++r) ASSERT_EQ(got[r][l], number(f, subfield, at_parity, s, r)) << "lane " << l;
    });
  }
};
using Kinds = testing::Types<Kind<float, LatticeShape>, Kind<double, LatticeShape>, Kind<float, GeneralShape>,
                             Kind<double, GeneralShape>>;
TYPED_TEST_SUITE(Views, Kinds);

TYPED_TEST(Views, NeighborsStepsAndFaces) {
  using F = TestFixture;
  for (const auto& g : F::geometries()) {
    SCOPED_TRACE(test::describe(*g));
    const auto& shape = shape_of<typename F::Shape>(*g);
    const Field field = F::numbered(g);
    const typename F::View lanes(*g);
    const typename F::Single single(*g);
    F::for_groups(shape, g->parities(), [&](int parity, auto site, int mu, bool forward) {
      const int there = shape.neighbor_parity(parity);
      const auto point = lanes.point(parity, site);
      const auto next = lanes.neighbor(point, mu, forward);
      const auto stepped = lanes.step(point, mu, forward);
      const auto faces = lanes.face_index(point, mu);
      ASSERT_EQ(stepped.parity, there);
      F::for_lanes(shape, parity, site, [&](int l, const Coordinates& c) {
        const Coordinates n = F::moved(shape, c, mu, forward);
        const bool edge = F::leaves(shape, c, mu, forward);
        const auto its_point = single.point(parity, {site.index + l});
        const auto its = single.neighbor(its_point, mu, forward);
        ASSERT_EQ(next.lane[l], shape.index(n));
        ASSERT_EQ(its.index, shape.index(n));
        ASSERT_EQ((next.edge >> l) & 1u, edge ? 1u : 0u);
        ASSERT_EQ(its.edge, edge);
        if (!edge || F::changes_parity(*g, shape, mu)) {
          ASSERT_EQ(shape.parity(n), there);
        }
        ASSERT_EQ(single.step(its_point, mu, forward).index, shape.index(n));
        ASSERT_EQ(single.step(its_point, mu, forward).parity, there);
        ASSERT_EQ(faces.lane[l], shape.face_index(mu, c));
      });
      const auto one_step = [&](const Coordinates& c) { return F::moved(shape, c, mu, forward); };
      F::expect_loads(field, shape, mu, there, next, parity, site, one_step);
      F::expect_loads(field, shape, mu, there, F::View::index(stepped), parity, site, one_step);
    });
  }
}

TYPED_TEST(Views, PathsOfSeveralSteps) {
  using F = TestFixture;
  for (const auto& g : F::geometries()) {
    SCOPED_TRACE(test::describe(*g));
    const auto& shape = shape_of<typename F::Shape>(*g);
    const Field field = F::numbered(g);
    const typename F::View view(*g);
    F::for_groups(shape, g->parities(), [&](int parity, auto site, int mu, bool forward) {
      const int nu = (mu + 1) % 4, there = shape.neighbor_parity(parity);
      if (!F::changes_parity(*g, shape, mu) || !F::changes_parity(*g, shape, nu)) return;
      const auto start = view.point(parity, site);
      F::expect_loads(field, shape, nu, parity, F::View::index(start), parity, site,
                      [](const Coordinates& c) { return c; });
      const auto three = view.step(view.step(view.step(start, mu, forward), nu, !forward), mu, forward);
      ASSERT_EQ(three.parity, there);
      F::expect_loads(field, shape, mu, there, F::View::index(three), parity, site, [&](Coordinates c) {
        c = F::moved(shape, F::moved(shape, c, mu, forward), nu, !forward);
        return F::moved(shape, c, mu, forward);
      });
    });
  }
}

// Three steps away, which even extents alone have; a device's view says the same site by site.
TYPED_TEST(Views, ThirdNeighborsTheirFacesAndPhases) {
  using F = TestFixture;
  if constexpr (F::even) {
    for (const auto& g : F::geometries()) {
      if (g->halo_depth() > 0) continue;
      SCOPED_TRACE(test::describe(*g));
      const auto& shape = g->shape();
      const Field field = F::numbered(g);
      const typename F::View view(*g, true);
      const typename F::Single single(*g);
      F::for_groups(shape, 2, [&](int parity, auto site, int mu, bool forward) {
        constexpr int stride = 1000, first = 1;
        const auto point = view.point(parity, site);
        const auto n = view.third_neighbor(point, mu, forward);
        const auto faces = view.third_face_index(point, mu, forward, stride, first);
        const auto odd = view.odd_before(point, mu);
        F::for_lanes(shape, parity, site, [&](int l, const Coordinates& c) {
          const auto its_point = single.point(parity, {site.index + l});
          const auto its = single.third_neighbor(its_point, mu, forward);
          Coordinates walked = c;
          bool wrapped = false;  // an odd number of times
          int steps = 0;         // to the edge
          for (int k = 0; k < 3; ++k) {
            if (F::leaves(shape, walked, mu, forward)) wrapped = !wrapped, steps = k;
            walked = F::moved(shape, walked, mu, forward);
          }
          ASSERT_EQ((n.edge >> l) & 1u, wrapped ? 1u : 0u);
          ASSERT_EQ(its.edge, wrapped);
          ASSERT_EQ(its.index, shape.index(walked));
          int sum = 0;
          for (int nu = 0; nu < mu; ++nu) sum += c.x[nu] + g->offset()[nu];
          ASSERT_EQ((odd >> l) & 1u, static_cast<unsigned>(sum % 2));
          ASSERT_EQ(single.odd_before(its_point, mu), sum % 2 == 1);
          if (!wrapped || shape.extent[mu] < 4) return;
          // The nearest layer ahead comes first, the nearest one behind last.
          const int layer = first + (forward ? 2 - steps : steps);
          ASSERT_EQ(faces.lane[l], layer * stride + shape.face_index(mu, c));
          ASSERT_EQ(single.third_face_index(its_point, mu, forward, stride, first), faces.lane[l]);
        });
        F::expect_loads(field, shape, mu, 1 - parity, n, parity, site, [&](Coordinates c) {
          for (int k = 0; k < 3; ++k) c = F::moved(shape, c, mu, forward);
          return c;
        });
      });
    }
  }
}

// Faces of every slice, for all lanes and for every other one.
TYPED_TEST(Views, SitesOfFaces) {
  using F = TestFixture;
  for (const auto& g : F::geometries()) {
    SCOPED_TRACE(test::describe(*g));
    const auto& shape = shape_of<typename F::Shape>(*g);
    const typename F::View lanes(*g);
    const typename F::Single single(*g);
    for (int parity = 0; parity < g->parities(); ++parity)
      for (int mu = 0; mu < 4; ++mu)
        for (int slice = 0; slice < shape.extent[mu]; ++slice) {
          int expected = 0, found = 0;
          for (int s = 0; s < shape.parity_sites(parity); ++s)
            expected += shape.coordinates(parity, s).x[mu] == slice ? 1 : 0;
          for (int first = 0; first < shape.face_sites(mu) + F::W; first += F::W)
            for (const LaneMask wanted : {F::every, F::every & 0x55555555u}) {
              const auto sites = lanes.face_sites(parity, mu, slice, {first, wanted});
              for (int l = 0; l < F::W; ++l) {
                const int alone = single.face_sites(parity, mu, slice, {first + l}).index;
                const bool there = alone >= 0 && ((wanted >> l) & 1u);
                ASSERT_EQ((sites.mask >> l) & 1u, there ? 1u : 0u);
                if (!there) continue;
                found += wanted == F::every ? 1 : 0;
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
}  // namespace plaq::lattice_view_test
