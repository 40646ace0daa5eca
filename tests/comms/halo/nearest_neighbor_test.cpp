// A nearest-neighbour operator on lattices of any extents, split and merged: the same bits as a plain loop
// over the whole lattice.
#include "tests/comms/halo/nearest_neighbor.hpp"

#include "comms/grid/process_grid.hpp"
#include "comms/halo/redistribution.hpp"
#include "comms/halo/schedule.hpp"
#include "comms/sums/sum_exchange.hpp"
#include "core/launch/dispatch.hpp"
#include "tests/comms/halo/number_faces.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

constexpr int batch = 2;

// All of the lattice, by lexicographic site.
template <class T>
struct Vector {
  std::vector<T> re, im;
  explicit Vector(std::size_t sites) : re(sites), im(sites) {}
};

template <class T>
Vector<T> start(std::size_t sites, int rhs) {
  Vector<T> v(sites);
  for (std::size_t s = 0; s < sites; ++s) {
    v.re[s] = static_cast<T>(std::sin(1.7 * static_cast<double>(s) + rhs));
    v.im[s] = static_cast<T>(std::cos(0.9 * static_cast<double>(s * s) - rhs));
  }
  return v;
}

template <class T>
Vector<T> applied(const Vector<T>& in, const Extents& extents) {
  Vector<T> out(in.re.size());
  for (std::size_t s = 0; s < in.re.size(); ++s) {
    const Extents x = position_of(static_cast<int>(s), extents);
    const T a = static_cast<T>(test::toy_mass);
    T re = a * in.re[s], im = a * in.im[s];
    for (std::size_t d = 0; d < 8; ++d) {
      Extents next = x;
      const int extent = extents[d / 2];
      next[d / 2] = (next[d / 2] + (d % 2 == 0 ? 1 : extent - 1)) % extent;
      const auto n = static_cast<std::size_t>(cell_of(next, extents));
      const T wr = static_cast<T>(test::toy_weights[d].re), wi = static_cast<T>(test::toy_weights[d].im);
      re = re + (wr * in.re[n] - wi * in.im[n]);
      im = im + (wr * in.im[n] + wi * in.re[n]);
    }
    out.re[s] = re;
    out.im[s] = im;
  }
  return out;
}

template <class T>
double norm(const Vector<T>& v) {
  ExactSum sum;
  for (std::size_t s = 0; s < v.re.size(); ++s) {
    const auto re = static_cast<double>(v.re[s]), im = static_cast<double>(v.im[s]);
    sum.add(re * re + im * im);
  }
  return sum.round();
}

// What the whole lattice has to be, for each right-hand side.
template <class T>
struct Expected {
  std::vector<Vector<T>> before, once, twice;
  explicit Expected(const Extents& extents) {
    const auto sites = static_cast<std::size_t>(extents[0] * extents[1] * extents[2] * extents[3]);
    for (int rhs = 0; rhs < batch; ++rhs) {
      before.push_back(start<T>(sites, rhs));
      once.push_back(applied(before.back(), extents));
      twice.push_back(applied(once.back(), extents));
    }
  }
};

// Calls visit(rhs, parity, checkerboard index, site in the whole lattice).
template <class Visit>
void for_sites(const Geometry& g, Visit&& visit) {
  const auto& shape = g.general_shape();
  for (int rhs = 0; rhs < batch; ++rhs)
    for (int parity = 0; parity < g.parities(); ++parity)
      for (int s = 0; s < shape.parity_sites(parity); ++s)
        visit(static_cast<std::size_t>(rhs), parity, s,
              static_cast<std::size_t>(shape.global_index(shape.coordinates(parity, s))));
}

template <class T>
Field to_field(const std::vector<Vector<T>>& v, const GeometryPtr& g, const FieldSpec& spec) {
  FieldSpec host_spec = spec;
  host_spec.location = Location::host;
  Field host(g, host_spec), field(g, spec);
  for_sites(*g, [&](std::size_t rhs, int parity, int s, std::size_t site) {
    set_real(host, static_cast<int>(rhs), parity, s, 0, static_cast<double>(v[rhs].re[site]));
    set_real(host, static_cast<int>(rhs), parity, s, 1, static_cast<double>(v[rhs].im[site]));
  });
  copy(field, host);
  return field;
}

template <class T>
void expect_bits(const Field& field, const std::vector<Vector<T>>& v) {
  FieldSpec host_spec = field.spec();
  host_spec.location = Location::host;
  Field host(field.geometry_ptr(), host_spec);
  copy(host, field);
  for_sites(field.geometry(), [&](std::size_t rhs, int parity, int s, std::size_t site) {
    ASSERT_EQ(get_real(host, static_cast<int>(rhs), parity, s, 0), static_cast<double>(v[rhs].re[site]));
    ASSERT_EQ(get_real(host, static_cast<int>(rhs), parity, s, 1), static_cast<double>(v[rhs].im[site]));
  });
}

template <class T>
void apply(Halo& halo, Field& out, const Field& in, const Queue& queue) {
  Schedule schedule(queue, "nearest neighbours");
  dispatch(in.location(), precision_of<T>, [&](auto kind) {
    using K = decltype(kind);
    const Geometry& g = in.geometry();
    for (int parity = 0; parity < g.parities(); ++parity)
      schedule.apply(
          halo,
          [&](const Queue& moving) {
            test::launch_pack_numbers<typename K::target, typename K::scalar, GeneralShape>(
                halo, in, g.general_shape().neighbor_parity(parity), moving);
          },
          [&](Region region, const Queue& computing) {
            test::launch_nearest_neighbor<typename K::target, typename K::scalar>(halo, out, in, parity,
                                                                                  region, computing);
          });
  });
  queue.synchronize();
}

template <class T>
void expect_norms(const ProcessGrid& grid, const Field& x, const std::vector<Vector<T>>& v,
                  const Queue& queue) {
  SumBuffer sums(x.location(), batch);
  sums.clear(queue, batch);
  dispatch(x.location(), precision_of<T>, [&](auto kind) {
    using K = decltype(kind);
    for (int parity = 0; parity < x.geometry().parities(); ++parity)
      test::launch_norm<typename K::target, typename K::scalar>(x, parity, sums, queue);
  });
  const auto norms = grid.sums().take(sums, batch, queue);
  for (std::size_t rhs = 0; rhs < batch; ++rhs) ASSERT_EQ(norms[rhs], norm(v[rhs]));
}

// Twice on a grid, and the norms before and after.
template <class T>
Field expect_applications(const ProcessGrid& grid, const Field& in, const Expected<T>& expected) {
  const Queue queue(in.location());
  const GeometryPtr& g = in.geometry_ptr();
  Halo halo(grid, g, {2, batch, precision_of<T>, in.location()}, make_host_transport(grid, in.location()));
  Field once(g, in.spec()), twice(g, in.spec());
  expect_norms(grid, in, expected.before, queue);
  apply<T>(halo, once, in, queue);
  expect_bits(once, expected.once);
  apply<T>(halo, twice, once, queue);
  expect_bits(twice, expected.twice);
  expect_norms(grid, twice, expected.twice, queue);
  return once;
}

template <class T>
class NearestNeighbors : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(NearestNeighbors, Scalars);

// On 16 ranks, the fewest of which one can have another number of even sites than of odd ones.
const Extents odd_volumes{6, 2, 2, 10};

TYPED_TEST(NearestNeighbors, IsTheLoopOverTheWholeLatticeOnEveryGrid) {
  using T = TypeParam;
  for (const auto& [extents, order] : test::general_lattices()) {
    if (test::world_size() == 16 && extents != odd_volumes) continue;
    const Expected<T> expected(extents);
    test::for_all_general_geometries(
        extents, order, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
          const FieldSpec spec{Subset::full, 1, 1, batch, precision_of<T>, location};
          expect_applications<T>(grid, to_field(expected.before, g, spec), expected);
        });
  }
}

// One application on the merged grid, and back.
TEST(NearestNeighborOperator, IsTheSameOnFewerRanks) {
  using T = float;
  const auto compare = [](const Extents& extents, LatticeOrder order, std::uint32_t forced) {
    const Expected<T> expected(extents);
    const auto visit = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      const FieldSpec spec{Subset::full, 1, 1, batch, precision_of<T>, location};
      const Field spread = to_field(expected.before, g, spec);
      for (const Extents& merge : test::merges(grid.ranks())) {
        SCOPED_TRACE("merging " + to_string(merge));
        const auto merged = merged_grid(grid, merge);
        const GeometryPtr few = merged ? merged->general_geometry(extents, order, forced) : nullptr;
        Redistribution redistribution(grid, merge, g, few, spec, location);
        const ActiveSet all(batch);
        const Queue queue(location);
        Field in, out;
        if (merged) in = Field(few, spec);
        redistribution.gather(merged ? &in : nullptr, spread, all, queue);
        if (merged) out = expect_applications<T>(*merged, in, expected);
        Field back(g, spec);
        redistribution.scatter(back, merged ? &out : nullptr, all, queue);
        expect_bits(back, expected.once);
      }
    };
    test::for_all_general_geometries(extents, order, visit, {forced});
  };
  compare(odd_volumes, LatticeOrder::checkerboard, 0);
  compare({3, 2, 6, 1}, LatticeOrder::lexicographic, 15);
}

}  // namespace
}  // namespace plaq
