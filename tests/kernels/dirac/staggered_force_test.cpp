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
double slow_value(const reference::StaggeredParameters& p, const reference::StaggeredLinks& links,
                  const Terms& terms) {
  double value = 0;
  for (std::size_t k = 0; k < terms.z.size(); ++k) {
    reference::ColorField even = terms.z[k], odd = terms.z[k];
    for (int site = 0; site < links.near.lattice.volume(); ++site)
      (links.near.lattice.parity(site) == 0 ? odd : even)[static_cast<std::size_t>(site)] = {};
    const auto hop = staggered_hop(p, links, odd);
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

// Gradients of fat and long links by their formula, for dS = Re sum of tr(dF Sigma_F) + tr(dN Sigma_N).
struct Gradients {
  LinkMatrices fat, naik;
};
Gradients slow_gradients(const reference::StaggeredParameters& p, const reference::Lattice& lattice,
                         const Terms& terms) {
  Gradients all{LinkMatrices(static_cast<std::size_t>(lattice.volume())), {}};
  all.naik = all.fat;
  for (int site = 0; site < lattice.volume(); ++site)
    for (int mu = 0; mu < 4; ++mu)
      for (const int steps : {1, 3}) {
        int end = site;
        double c = lattice.parity(site) == 0 ? 0.5 : -0.5;
        for (int step = 0; step < steps; ++step) {
          if (lattice.wraps_forward(end, mu)) c *= p.boundary[static_cast<std::size_t>(mu)];
          end = lattice.forward(end, mu);
        }
        c *= eta(lattice, site, mu) * (steps == 1 ? 1 : p.naik);
        auto& sigma =
            (steps == 1 ? all.fat : all.naik)[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)];
        for (std::size_t k = 0; k < terms.z.size(); ++k) {
          const auto &ahead = terms.z[k][static_cast<std::size_t>(end)],
                     &here = terms.z[k][static_cast<std::size_t>(site)];
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              sigma(i, j) += c * terms.weights[k] * ahead[static_cast<std::size_t>(i)] *
                             std::conj(here[static_cast<std::size_t>(j)]);
        }
      }
  return all;
}

void expect_matrices(const Field& found, const GeometryPtr& geometry, const LinkMatrices& expected) {
  Field host(geometry, gauge_spec(wide, Location::host));
  copy(host, found);
  double most = 0;
  test::for_stored_sites(*geometry, [&](int parity, int s, int site) {
    for (int mu = 0; mu < 4; ++mu)
      for (int k = 0; k < 9; ++k) {
        const auto m = expected[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)](k / 3, k % 3);
        const double off = std::abs(m - reference::Complex(get_real(host, mu, parity, s, 2 * k),
                                                           get_real(host, mu, parity, s, 2 * k + 1)));
        if (!(off <= most)) most = off;
      }
  });
  EXPECT_LT(most, 2e-12);
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

// A halo of depth 3 needs as many slices of a rank.
bool has_slices(const ProcessGrid& grid, const GeometryPtr& geometry) {
  for (int mu = 0; mu < 4; ++mu)
    if (geometry->partitioned(mu) && geometry->global()[mu] / grid.ranks()[mu] < 3) return false;
  return true;
}

// Added to what is there.
TEST_P(StaggeredForce, GradientsOfFatAndLongLinksMatchTheirFormula) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(95);
  const Terms terms = random_terms(lattice, generator);
  test::Turns turns(3);
  for (auto p : boundaries()) {
    p.naik = -0.3;
    if (!turns.mine()) continue;
    const auto expected = test::from_first_rank([&] { return slow_gradients(p, lattice, terms).fat; });
    const auto expected_naik = test::from_first_rank([&] { return slow_gradients(p, lattice, terms).naik; });
    test::for_all_geometries(
        GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
          if (!has_slices(grid, geometry)) return;
          const SharedLattice here = test::lattice_on(grid, geometry, location);
          const auto extended = geometry->extended(3);
          Field fat(extended, gauge_spec(wide, location)), naik(extended, gauge_spec(wide, location));
          for (Field* field : {&fat, &naik}) here.queue.zero_async(field->data(0, 0), field->bytes());
          plaq::StaggeredForce kernels(*here.grid, extended, p.boundary, here.queue, here.transport, 2);
          const plaq::StaggeredForce::Gradients gradients{fat, naik, p.naik};
          kernels.begin_gradients();
          for (std::size_t k = 0; k < terms.z.size(); ++k)
            kernels.add_gradients(gradients, to_plaq({terms.z[k]}, geometry, Subset::full, wide, location),
                                  terms.weights[k]);
          kernels.finish_gradients(gradients);
          here.queue.synchronize();
          expect_matrices(fat, geometry, expected);
          expect_matrices(naik, geometry, expected_naik);
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
        [&](double e) {
          const auto moved = moved_along(gauge, t, e);
          return slow_value(p, {moved, moved}, terms);
        },
        8e-3);
    EXPECT_NEAR(predicted / difference, 1, 1e-9);
  }
}

// The value is linear in links that need not be unitary.
TEST(SlowStaggeredForce, HasGradientsOfAnyLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const reference::Lattice lattice{{2, 4, 6, 2}};
  reference::Generator generator(93);
  const auto fat = reference::random_matrices(lattice, generator),
             naik = reference::random_matrices(lattice, generator);
  for (auto p : boundaries()) {
    p.naik = 0.7;
    const Terms terms = random_terms(lattice, generator);
    const Gradients sigma = slow_gradients(p, lattice, terms);
    double sum = 0;
    for (std::size_t x = 0; x < sigma.fat.size(); ++x)
      for (int mu = 0; mu < 4; ++mu)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            sum += (fat.link[x][mu](i, j) * sigma.fat[x][mu](j, i) +
                    naik.link[x][mu](i, j) * sigma.naik[x][mu](j, i))
                       .real();
    EXPECT_NEAR(sum / slow_value(p, {fat, naik}, terms), 1, 1e-11);
  }
}

}  // namespace
}  // namespace plaq::staggered_force_test
