// Forces of Wilson and clover quarks against matrices that are cut open link by link, and against differences
// of the terms that they are the derivative of.
#include "kernels/dirac/force/wilson_force.hpp"

#include <cmath>
#include <optional>

#include "tests/kernels/dirac/force_support.hpp"
#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"

namespace plaq::wilson_force_test {
namespace {

using reference::LinkMatrices;
using test::expect_force;
using test::to_plaq;
constexpr auto wide = Precision::double_precision;

struct Case {
  const char* name;
  WilsonParameters parameters;
  reference::CloverParameters same() const {
    const auto& p = parameters;
    return {{p.mass, p.xi, p.nu, p.boundary},
            p.clover.spatial,
            p.clover.temporal,
            p.clover.exponential,
            p.twisted_mass};
  }
};
std::vector<Case> cases() {
  return {{"wilson", {.mass = 0.1}},
          {"wilson, anisotropic", {.mass = -0.2, .xi = 2.4, .nu = 0.9, .boundary = {1, -1, 1, 1}}},
          {"clover", {.mass = 0.1, .boundary = {-1, 1, -1, -1}, .clover = {1.7, 1.7}}},
          {"clover, anisotropic", {.mass = 0.2, .xi = 1.8, .nu = 1.1, .clover = {0.7, 1.2}}},
          {"exponential", {.mass = -0.1, .boundary = {1, -1, 1, -1}, .clover = {1.8, 1.8, true}}},
          {"exponential, anisotropic", {.mass = 0.2, .xi = 1.8, .nu = 1.1, .clover = {0.7, 6.2, true}}},
          {"clover, twisted mass", {.mass = 0.1, .clover = {1.7, 1.7}, .twisted_mass = 0.3}},
          {"exponential, twisted mass",
           {.mass = -0.1, .boundary = {1, -1, 1, -1}, .clover = {1.8, 1.8, true}, .twisted_mass = -0.4}},
          {"exponential, anisotropic, twisted mass",
           {.mass = 0.2, .xi = 1.8, .nu = 1.1, .clover = {0.7, 6.2, true}, .twisted_mass = 2}}};
}

// Pairs, and the determinant of the odd sites for quarks with a clover term.
struct Terms {
  std::vector<reference::SpinorField> x, y;
  std::vector<double> weights;
  double flavours = 0;
};

LinkMatrices slow_force(const reference::CloverParameters& p, const reference::GaugeField& gauge,
                        const Terms& terms) {
  LinkMatrices n(gauge.link.size());
  const auto add = [&](double weight, const LinkMatrices& more) {
    for (std::size_t x = 0; x < n.size(); ++x)
      for (int mu = 0; mu < 4; ++mu) n[x][mu] = n[x][mu] + reference::Complex(weight) * more[x][mu];
  };
  // The variation of the clover term is linear in what it is multiplied with.
  reference::CloverMatrices of_diagonal(gauge.link.size());
  for (std::size_t k = 0; k < terms.x.size(); ++k) {
    add(terms.weights[k], hop_variation(p.wilson, gauge, terms.x[k], terms.y[k]));
    const auto outer = reference::outer_products(terms.x[k], terms.y[k]);
    for (std::size_t x = 0; x < outer.size(); ++x)
      of_diagonal[x] = of_diagonal[x] + reference::Complex(terms.weights[k]) * outer[x];
  }
  if (terms.flavours != 0) {
    const auto a = clover_matrices(p, gauge);
    const double diagonal = p.wilson.mass + 1 + 3 * p.wilson.nu / p.wilson.xi;
    for (int site = 0; site < gauge.lattice.volume(); ++site) {
      if (gauge.lattice.parity(site) == 0) continue;
      auto c = a[site];
      for (int i = 0; i < 12; ++i) c(i, i) += diagonal;
      of_diagonal[site] = of_diagonal[site] + reference::Complex(terms.flavours / 2) * invert(c).inverse;
    }
  }
  add(1, clover_variation(p, gauge, of_diagonal));
  return force_of(n);
}

double slow_value(const reference::CloverParameters& p, const reference::GaugeField& gauge,
                  const Terms& terms) {
  const auto a = clover_matrices(p, gauge);
  double value = 0;
  for (std::size_t k = 0; k < terms.x.size(); ++k)
    value -=
        2 * terms.weights[k] * reference::dot(terms.y[k], clover_dirac_apply(p, gauge, a, terms.x[k])).real();
  if (terms.flavours == 0) return value;
  const double diagonal = p.wilson.mass + 1 + 3 * p.wilson.nu / p.wilson.xi;
  for (int site = 0; site < gauge.lattice.volume(); ++site) {
    if (gauge.lattice.parity(site) == 0) continue;
    auto c = a[site];
    for (int i = 0; i < 12; ++i) c(i, i) += diagonal;
    value -= terms.flavours * std::log(std::abs(invert(c).determinant));
  }
  return value;
}

Terms random_terms(const reference::Lattice& lattice, const Case& quark, reference::Generator& generator) {
  return {reference::random_spinors(lattice, 3, generator),
          random_spinors(lattice, 3, generator),
          {0.7, -0.4, 1.3},
          quark.parameters.has_clover_determinant() ? 2.0 : 0.0};
}

class WilsonForce : public testing::TestWithParam<Extents> {};

TEST_P(WilsonForce, MatchesMatricesCutOpenOnAllGrids) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(91);
  const auto gauge = reference::random_gauge(lattice, generator);
  test::Turns turns(2);
  for (const auto& quark : cases()) {
    SCOPED_TRACE(quark.name);
    const auto terms = random_terms(lattice, quark, generator);
    if (!turns.mine()) continue;
    const auto expected = test::from_first_rank([&] { return slow_force(quark.same(), gauge, terms); });
    test::for_all_geometries(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                             Location location) {
      const Queue queue(location);
      const auto transport = make_host_transport(grid, location);
      for (const int depth : {1, 2}) {
        const auto extended = geometry->extended(depth);
        const Field links = to_plaq(gauge, extended, wide, location);
        const Field plain = to_plaq(gauge, geometry, wide, location);
        std::vector<Field> x, y;
        for (std::size_t k = 0; k < 3; ++k) {
          x.push_back(to_plaq({terms.x[k]}, geometry, Subset::full, wide, location));
          y.push_back(to_plaq({terms.y[k]}, geometry, Subset::full, wide, location));
        }
        Field force(extended, algebra_spec(wide, location));
        plaq::WilsonForce kernels(grid, extended, quark.parameters, queue, transport,
                                  2);  // three pairs in two
        const auto& p = quark.parameters;
        std::optional<CloverField> exponent;
        if (p.clover.exponential) {
          const CloverCoefficients over{p.clover.spatial / p.diagonal(), p.clover.temporal / p.diagonal()};
          exponent.emplace(grid, plain, 0, over, queue, transport);
        }
        kernels.begin(force);
        if (exponent) kernels.take_exponent(exponent->term(), quark.parameters.diagonal());
        for (std::size_t k = 0; k < 3; ++k) kernels.add_pair(force, links, x[k], y[k], terms.weights[k]);
        if (terms.flavours != 0) {
          CloverField clover(grid, plain, quark.parameters.diagonal(), quark.parameters.clover, queue,
                             transport, quark.parameters.twisted_mass);
          kernels.add_determinant(clover, 1, terms.flavours);
        }
        kernels.finish(force, links);
        queue.synchronize();
        expect_force(force, geometry, expected);
        if (!geometry->any_partitioned()) break;  // both depths are the same
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, WilsonForce,
                         testing::Values(Extents{4, 2, 6, 4}, Extents{2, 2, 2, 2}, Extents{4, 4, 2, 8}),
                         [](const auto& info) { return to_string(info.param); });

// The slow force itself, by central differences of eighth order.
TEST(SlowWilsonForce, IsTheDerivative) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const reference::Lattice lattice{{2, 4, 2, 2}};
  reference::Generator generator(92);
  const auto gauge = reference::weak_gauge(lattice, generator, 0.4);
  for (const auto& quark : cases()) {
    SCOPED_TRACE(quark.name);
    const auto terms = random_terms(lattice, quark, generator);
    const auto t = random_direction(lattice, generator);
    const double predicted = derivative_along(t, slow_force(quark.same(), gauge, terms));
    const double difference = test::central_difference(
        [&](double e) { return slow_value(quark.same(), moved_along(gauge, t, e), terms); }, 8e-3);
    EXPECT_NEAR(predicted / difference, 1, 1e-9);
  }
}

}  // namespace
}  // namespace plaq::wilson_force_test
