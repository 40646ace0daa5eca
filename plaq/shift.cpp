#include "plaq/shift.hpp"

#include "comms/start/shared_lattice.hpp"
#include "kernels/field/shift.hpp"
#include "kernels/field/symmetric_shift.hpp"

namespace plaq {
namespace {

void expect_hop(Hop hop) {
  if (hop.mu < 0 || hop.mu > 3)
    throw Error(ErrorKind::usage, "a direction must be 0 to 3 for x, y, z, t, not " + std::to_string(hop.mu));
}

void expect_same_lattice(const Lattice& one, const Lattice& other) {
  if (!(one == other))
    throw Error(ErrorKind::usage, "the fields lie on different lattices; make all of them on one Lattice");
}

// Into `out`, which is like `in`. `gauge`: null without links.
template <class F>
void shift_into(F& out, const F& in, const GaugeField* gauge, Hop hop) {
  expect_hop(hop);
  const SharedLattice& lattice = in.lattice().shared();
  if (gauge == nullptr)
    return shift(*lattice.grid, out.field(), in.field(), hop.mu, hop.forward, lattice.queue,
                 lattice.transport);
  expect_same_lattice(gauge->lattice(), in.lattice());
  covariant_shift(*lattice.grid, out.field(), in.field(), gauge->field(), hop.mu, hop.forward, lattice.queue,
                  lattice.transport);
}

SpinorField shifted(const SpinorField& in, const GaugeField* gauge, Hop hop) {
  SpinorField out(in.lattice(), in.settings());
  shift_into(out, in, gauge, hop);
  out.note() = in.note();
  out.note().position.reset();
  return out;
}

ColorMatrixField shifted(const ColorMatrixField& in, const GaugeField* gauge, Hop hop) {
  ColorMatrixField out(in.lattice());
  shift_into(out, in, gauge, hop);
  return out;
}

}  // namespace

SpinorField shift(const SpinorField& in, Hop hop) { return shifted(in, nullptr, hop); }
ColorMatrixField shift(const ColorMatrixField& in, Hop hop) { return shifted(in, nullptr, hop); }
GaugeField shift(const GaugeField& in, Hop hop) {
  GaugeField out(in.lattice());
  shift_into(out, in, nullptr, hop);
  return out;
}

SpinorField covariant_shift(const GaugeField& gauge, const SpinorField& in, Hop hop) {
  return shifted(in, &gauge, hop);
}
ColorMatrixField covariant_shift(const GaugeField& gauge, const ColorMatrixField& in, Hop hop) {
  return shifted(in, &gauge, hop);
}
SpinorField covariant_derivative(const GaugeField& gauge, const SpinorField& in, int mu) {
  return 0.5 * (covariant_shift(gauge, in, forward(mu)) - covariant_shift(gauge, in, backward(mu)));
}

SpinorField symmetric_shift(const GaugeField& gauge, const SpinorField& in, std::string_view directions) {
  unsigned bits = 0;
  for (const char letter : directions) {
    const std::size_t mu = std::string_view("xyzt").find(letter);
    if (mu == std::string_view::npos || (bits >> mu & 1u) != 0)
      throw Error(ErrorKind::usage, "directions must be different letters of x, y, z, t, not \"" +
                                        std::string(directions) + "\"");
    bits |= 1u << mu;
  }
  expect_same_lattice(gauge.lattice(), in.lattice());
  SpinorField out(in.lattice(), in.settings());
  copy(out.field(), symmetric_shift(in.lattice().shared(), in.field(), gauge.field(), bits));
  out.field().touch();
  out.note() = in.note();
  out.note().position.reset();
  return out;
}

ColorMatrixField path_product(const GaugeField& gauge, std::span<const Hop> path) {
  ColorMatrixField product(gauge.lattice());
  for (auto hop = path.rbegin(); hop != path.rend(); ++hop) product = covariant_shift(gauge, product, *hop);
  return product;
}

}  // namespace plaq
