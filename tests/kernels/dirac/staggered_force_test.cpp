// Forces of staggered quarks against matrices that are cut open link by link, against differences of the
// terms that they are the derivative of, and on transformed links.
#include "kernels/dirac/force/staggered_force.hpp"

#include "tests/kernels/dirac/force_support.hpp"
#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/shared_lattice.hpp"

namespace plaq::staggered_force_test {
namespace {

using reference::LinkMatrices;
using test::to_plaq;
constexpr auto wide = Precision::double_precision;

struct Terms {
  std::vector<reference::ColorField> z;
  std::vector<double> weights;
};

Terms random_terms(const reference::Lattice& lattice, reference::Generator& generator) {
  Terms terms{{}, {0.7, -0.4, 1.3}};
  for (std::size_t k = 0; k < terms.weights.size(); ++k) terms.z.push_back(random_colors(lattice, generator));
  return terms;
}

// All sixteen boundary conditions.
std::vector<reference::StaggeredParameters> boundaries() {
  std::vector<reference::StaggeredParameters> all;
  for (unsigned bits = 0; bits < 16; ++bits) {
    reference::StaggeredParameters p;
    for (unsigned mu = 0; mu < 4; ++mu) p.boundary[mu] = (bits >> mu) % 2 == 0 ? 1 : -1;
    all.push_back(p);
  }
  return all;
}

LinkMatrices slow_force(const reference::StaggeredParameters& p, const reference::GaugeField& gauge,
                        const Terms& terms) {
  LinkMatrices n(gauge.link.size());
  for (std::size_t k = 0; k < terms.z.size(); ++k) {
    const auto more = staggered_variation(p, gauge, terms.z[k]);
    for (std::size_t x = 0; x < n.size(); ++x)
      for (int mu = 0; mu < 4; ++mu) n[x][mu] = n[x][mu] + reference::Complex(terms.weights[k]) * more[x][mu];
  }
  return force_of(n);
}

// (1/2) Re sum_k k Z_e^dagger D_eo Z_o
double slow_value(const reference::StaggeredParameters& p, const reference::GaugeField& gauge,
                  const Terms& terms) {
  double value = 0;
  for (std::size_t k = 0; k < terms.z.size(); ++k) {
    reference::ColorField even = terms.z[k], odd = terms.z[k];
    for (int site = 0; site < gauge.lattice.volume(); ++site)
      (gauge.lattice.parity(site) == 0 ? odd : even)[static_cast<std::size_t>(site)] = {};
    const auto hop = staggered_hop(p, {gauge, gauge}, odd);
    value += 0.5 * terms.weights[k] * reference::dot(even, hop).real();
  }
  return value;
}

// The force by plaq. Three fields are read two at a time, once alone and once as a batch.
Field fast_force(const SharedLattice& lattice, int depth, const std::array<int, 4>& boundary,
                 const reference::GaugeField& gauge, const Terms& terms, bool as_batch) {
  const auto extended = lattice.geometry->extended(depth);
  const Location location = lattice.location();
  const Field links = to_plaq(gauge, extended, wide, location);
  Field force(extended, algebra_spec(wide, location));
  StaggeredForce kernels(*lattice.grid, extended, boundary, lattice.queue, lattice.transport, 2);
  kernels.begin(force);
  if (as_batch) {
    const Field z =
        to_plaq({terms.z[0], terms.z[1], terms.z[2]}, lattice.geometry, Subset::full, wide, location);
    kernels.add(force, links, z, 1);
  } else {
    for (std::size_t k = 0; k < terms.z.size(); ++k)
      kernels.add(force, links, to_plaq({terms.z[k]}, lattice.geometry, Subset::full, wide, location),
                  terms.weights[k]);
  }
  kernels.finish(force, links);
  lattice.queue.synchronize();
  return force;
}

class StaggeredForce : public testing::TestWithParam<Extents> {};

TEST_P(StaggeredForce, MatchesMatricesCutOpenOnAllGrids) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(91);
  const auto gauge = reference::random_gauge(lattice, generator);
  const Terms terms = random_terms(lattice, generator);
  Terms alike = terms;
  alike.weights = {1, 1, 1};
  test::Turns turns(3);
  for (const auto& p : boundaries()) {
    if (!turns.mine()) continue;
    const auto expected = test::from_first_rank([&] { return slow_force(p, gauge, terms); });
    const auto of_batch = test::from_first_rank([&] { return slow_force(p, gauge, alike); });
    test::for_all_geometries(
        GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
          const SharedLattice here = test::lattice_on(grid, geometry, location);
          for (const int depth : {1, 2}) {
            test::expect_force(fast_force(here, depth, p.boundary, gauge, terms, false), geometry, expected);
            test::expect_force(fast_force(here, depth, p.boundary, gauge, terms, true), geometry, of_batch);
            if (!geometry->any_partitioned()) break;  // both depths are the same
          }
        });
  }
}

// F(x) becomes g(x) F(x) g(x)^dagger.
TEST_P(StaggeredForce, IsCovariant) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(94);
  const auto gauge = reference::random_gauge(lattice, generator);
  const Terms terms = random_terms(lattice, generator);
  const auto g = reference::random_transformation(lattice, generator);
  Terms turned = terms;
  for (auto& z : turned.z) z = times(g, z);
  const auto expected = test::from_first_rank([&] {
    LinkMatrices f = slow_force({}, gauge, terms);
    for (std::size_t x = 0; x < f.size(); ++x)
      for (auto& m : f[x]) m = g[x] * m * dagger(g[x]);
    return f;
  });
  test::for_some_geometries(
      GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        test::expect_force(fast_force(test::lattice_on(grid, geometry, location), 1, {1, 1, 1, -1},
                                      transformed(gauge, g), turned, false),
                           geometry, expected);
      });
}

INSTANTIATE_TEST_SUITE_P(Extents, StaggeredForce,
                         testing::Values(Extents{4, 2, 6, 8}, Extents{2, 2, 2, 2}, Extents{4, 4, 2, 6},
                                         Extents{2, 4, 4, 4}),
                         [](const auto& info) { return to_string(info.param); });

// The slow force itself, by central differences of eighth order.
TEST(SlowStaggeredForce, IsTheDerivative) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const reference::Lattice lattice{{2, 4, 6, 2}};
  reference::Generator generator(92);
  const auto gauge = reference::weak_gauge(lattice, generator, 0.4);
  for (const auto& p : boundaries()) {
    const Terms terms = random_terms(lattice, generator);
    const auto t = random_direction(lattice, generator);
    const double predicted = derivative_along(t, slow_force(p, gauge, terms));
    const double difference = test::central_difference(
        [&](double e) { return slow_value(p, moved_along(gauge, t, e), terms); }, 8e-3);
    EXPECT_NEAR(predicted / difference, 1, 1e-9);
  }
}

}  // namespace
}  // namespace plaq::staggered_force_test
