// Neighbours of fields: shifts, covariant shifts and derivatives, and products of links along paths.
#include "python/bindings/neighbours.hpp"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "kernels/field/shift.hpp"
#include "kernels/gauge/temporal_gauge.hpp"
#include "plaq/linear_algebra.hpp"
#include "python/bindings/fields.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

void expect_direction(int mu) {
  if (mu < 0 || mu > 3)
    throw Error(ErrorKind::usage, fmt::format("argument 'mu': expected 0 to 3 for x, y, z, t, found {}", mu));
}

// The field after |steps| shifts by a site, forward where steps > 0. `gauge`: null without links.
Field moved(const LatticeField& of, const GaugeField* gauge, int mu, int steps) {
  expect_direction(mu);
  if (gauge != nullptr) expect_same_lattice(*gauge, of);
  const Lattice& lattice = *of.lattice;
  const int extent = lattice.geometry()->global()[static_cast<std::size_t>(mu)];
  if (gauge == nullptr) steps %= extent;
  Field from = of.field;
  for (int i = 0; i < std::abs(steps); ++i) {
    Field to = like(from);
    if (gauge == nullptr)
      shift(lattice.grid(), to, from, mu, steps > 0, lattice.queue(), lattice.context().transport);
    else
      covariant_shift(lattice.grid(), to, from, gauge->field, mu, steps > 0, lattice.queue(),
                      lattice.context().transport);
    from = to;
  }
  if (steps == 0) {
    Field same = like(from);
    copy(same, from);
    from = same;
  }
  return from;
}

// What is known of a source or a solution is not known of its neighbours.
QuarkField quarks(const QuarkField& like_it, Field field) {
  PropagatorNote note = like_it.note;
  note.position.reset();
  return {{like_it.lattice, std::move(field)}, note};
}

QuarkField shifted_quarks(const QuarkField& q, int mu, int steps) {
  const Call call = q.call();
  return quarks(q, moved(q, nullptr, mu, steps));
}
GaugeField shifted_gauge(const GaugeField& gauge, int mu, int steps) {
  const Call call = gauge.call();
  return {{gauge.lattice, moved(gauge, nullptr, mu, steps)}};
}
Transformation shifted_matrices(const Transformation& g, int mu, int steps) {
  const Call call = g.call();
  return {{g.lattice, moved(g, nullptr, mu, steps)}};
}
QuarkField covariantly_shifted(const GaugeField& gauge, const QuarkField& q, int mu, int steps) {
  const Call call = q.call();
  return quarks(q, moved(q, &gauge, mu, steps));
}

QuarkField derivative(const GaugeField& gauge, const QuarkField& q, int mu) {
  const Call call = q.call();
  const Field ahead = moved(q, &gauge, mu, 1);
  Field difference = moved(q, &gauge, mu, -1);
  combine(0.5, ahead, -0.5, difference, q.queue());
  return quarks(q, difference);
}

Transformation path_product(const GaugeField& gauge, const std::vector<std::pair<int, int>>& path) {
  const Call call = gauge.call();
  const Lattice& lattice = *gauge.lattice;
  Transformation product{
      {gauge.lattice,
       Field(lattice.geometry(), gauge_frame_spec(Precision::double_precision, Location::host))}};
  for (int parity = 0; parity < 2; ++parity)
    for (int site = 0; site < lattice.geometry()->general_shape().parity_sites(parity); ++site)
      for (int i = 0; i < 3; ++i) set_real(product.field, 0, parity, site, 8 * i, 1);
  if (lattice.location() != Location::host) {
    Field there(lattice.geometry(), gauge_frame_spec(Precision::double_precision, lattice.location()));
    copy(there, product.field);
    product.field = there;
  }
  for (auto hop = path.rbegin(); hop != path.rend(); ++hop)
    product.field = moved(product, &gauge, hop->first, hop->second);
  product.field.touch();
  return product;
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
  module.def("path_product", &path_product, "gauge"_a, "path"_a,
             "Product of links along a path from x, a list of (mu, steps); the first hop is\n"
             "the leftmost factor: [(0, 1), (3, 1), (0, -1), (3, -1)] is a plaquette.\n"
             "Collective.");
}

}  // namespace plaq::python
