// Neighbours of fields: shifts, covariant shifts and derivatives, and products of links along paths.
#include "python/bindings/bindings.hpp"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "plaq/shift.hpp"
#include "python/bindings/fields.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

void expect_direction(int mu) {
  if (mu < 0 || mu > 3)
    throw Error(ErrorKind::usage, fmt::format("argument 'mu': expected 0 to 3 for x, y, z, t, found {}", mu));
}

// The field after |steps| hops, forward where steps > 0. `hopped` makes one hop.
template <class F, class Hopped>
F moved(F field, int mu, int steps, const Hopped& hopped) {
  expect_direction(mu);
  for (int i = 0; i < std::abs(steps); ++i) field = hopped(field, Hop{mu, steps > 0});
  return field;
}
// Without links: a walk around the lattice ends where it began.
template <class F>
F shifted(F field, int mu, int steps) {
  expect_direction(mu);
  steps %= field.lattice().extents()[static_cast<std::size_t>(mu)];
  return moved(std::move(field), mu, steps, [](const F& from, Hop hop) { return shift(from, hop); });
}

SpinorField shifted_quarks(const SpinorField& q, int mu, int steps) {
  return in_call(q, [&] { return shifted(q, mu, steps); });
}
GaugeField shifted_gauge(const GaugeField& gauge, int mu, int steps) {
  return in_call(gauge, [&] { return shifted(gauge, mu, steps); });
}
ColorMatrixField shifted_matrices(const ColorMatrixField& g, int mu, int steps) {
  return in_call(g, [&] { return shifted(g, mu, steps); });
}

SpinorField covariantly_shifted(const GaugeField& gauge, const SpinorField& q, int mu, int steps) {
  expect_same_lattice(gauge, q);
  const Call call = call_on(q);
  return moved(q, mu, steps,
               [&](const SpinorField& from, Hop hop) { return covariant_shift(gauge, from, hop); });
}

SpinorField derivative(const GaugeField& gauge, const SpinorField& q, int mu) {
  expect_direction(mu);
  expect_same_lattice(gauge, q);
  const Call call = call_on(q);
  return covariant_derivative(gauge, q, mu);
}

SpinorField symmetrically_shifted(const GaugeField& gauge, const SpinorField& q,
                                  const std::string& directions) {
  expect_same_lattice(gauge, q);
  const Call call = call_on(q);
  return symmetric_shift(gauge, q, directions);
}

ColorMatrixField product_of_links(const GaugeField& gauge, const std::vector<std::pair<int, int>>& path) {
  std::vector<Hop> hops;
  for (const auto& [mu, steps] : path) {
    expect_direction(mu);
    hops.insert(hops.end(), static_cast<std::size_t>(std::abs(steps)), Hop{mu, steps > 0});
  }
  const Call call = call_on(gauge);
  return path_product(gauge, hops);
}

}  // namespace

void bind_neighbours(nb::module_& module) {
  constexpr const char* text =
      "f(x + steps mu) at each site x, around the lattice without a boundary sign; mu =\n"
      "0 to 3 for x, y, z, t, steps may be negative. Collective.";
  module.def("shift", &shifted_quarks, "field"_a, "mu"_a, "steps"_a = 1, text);
  module.def("shift", &shifted_gauge, "field"_a, "mu"_a, "steps"_a = 1);
  module.def("shift", &shifted_matrices, "field"_a, "mu"_a, "steps"_a = 1);
  module.def("covariant_shift", &covariantly_shifted, "gauge"_a, "quark"_a, "mu"_a, "steps"_a = 1,
             "U_mu(x) q(x + mu) for steps = 1, U_mu(x - mu)^dagger q(x - mu) for steps = -1;\n"
             "with the product of all links between for more steps. Collective.");
  module.def("covariant_derivative", &derivative, "gauge"_a, "quark"_a, "mu"_a,
             "(1/2) [U_mu(x) q(x + mu) - U_mu(x - mu)^dagger q(x - mu)]. Collective.");
  module.def("symmetric_shift", &symmetrically_shifted, "gauge"_a, "quark"_a, "directions"_a,
             "The mean over all orders of the products of (1/2) [U_mu(x) q(x + mu) + U_mu(x -\n"
             "mu)^dagger q(x - mu)], mu in directions, letters of \"xyzt\": bilinears of staggered\n"
             "quarks have it in the directions in which spin and taste differ. Collective.");
  module.def("path_product", &product_of_links, "gauge"_a, "path"_a,
             "Product of links along a path from x, a list of (mu, steps); the first hop is\n"
             "the leftmost factor: [(0, 1), (3, 1), (0, -1), (3, -1)] is a plaquette.\n"
             "Collective.");
}

}  // namespace plaq::python
