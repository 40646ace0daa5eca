#include "tests/support/operators/wilson.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace plaq::test {
namespace {

constexpr auto wide = Precision::double_precision, single = Precision::single_precision,
               half = Precision::half_precision;

// M = C - hop/2 block by block, from whole-lattice formulas.
class SlowWilson {
 public:
  explicit SlowWilson(const WilsonProblem& p) : p_(p) {}

  Vector full(const Vector& in, bool dagger) const {
    const auto x = from_vector<reference::SpinorField>(in);
    const auto& a = blocks().clover;
    return to_vector(dagger ? reference::clover_dirac_dagger(p_.theirs, p_.gauge, a, x)
                            : reference::clover_dirac_apply(p_.theirs, p_.gauge, a, x));
  }
  // Only the sites of `parity` count in `in`.
  Vector complement(const Vector& in, int parity, bool symmetric, bool dagger) const {
    const Blocks& c = dagger ? adjoint_blocks() : blocks(true);
    const auto here = only(from_vector<reference::SpinorField>(in), parity);
    // S^dagger of the symmetric form ends where S begins.
    auto x = symmetric && dagger ? reference::times(c.inverse, here) : here;
    x = reference::times(c.inverse, only(hop(x, dagger), 1 - parity));
    x = only(hop(x, dagger), parity);
    if (symmetric && !dagger) x = reference::times(c.inverse, x);
    auto out = symmetric ? here : reference::times(c.diagonal, here);
    reference::add(out, -0.25, x);
    return to_vector(out);
  }

 private:
  struct Blocks {
    reference::CloverMatrices clover, diagonal, inverse;
  };
  // Made when they are needed.
  const Blocks& blocks(bool with_inverse = false) const {
    if (blocks_.clover.empty()) blocks_.clover = reference::clover_matrices(p_.theirs, p_.gauge);
    if (!with_inverse || !blocks_.inverse.empty()) return blocks_;
    for (const auto& a : blocks_.clover) {
      blocks_.diagonal.push_back(a + reference::Complex(p_.ours.diagonal()) * reference::Matrix12::unit());
      blocks_.inverse.push_back(reference::invert(blocks_.diagonal.back()).inverse);
    }
    return blocks_;
  }
  const Blocks& adjoint_blocks() const {
    const Blocks& of_m = blocks(true);
    if (!adjoint_.inverse.empty()) return adjoint_;
    for (const auto& m : of_m.diagonal) adjoint_.diagonal.push_back(reference::dagger(m));
    for (const auto& m : of_m.inverse) adjoint_.inverse.push_back(reference::dagger(m));
    return adjoint_;
  }
  reference::SpinorField hop(const reference::SpinorField& in, bool dagger) const {
    return dagger ? reference::hop_dagger(p_.theirs.wilson, p_.gauge, in)
                  : reference::hop(p_.theirs.wilson, p_.gauge, in);
  }
  reference::SpinorField only(reference::SpinorField field, int parity) const {
    for (int x = 0; x < p_.gauge.lattice.volume(); ++x)
      if (p_.gauge.lattice.parity(x) != parity) field[static_cast<std::size_t>(x)] = {};
    return field;
  }

  WilsonProblem p_;
  mutable Blocks blocks_, adjoint_;
};

OperatorProblem common(const WilsonProblem& p) {
  OperatorProblem op;
  op.extents = p.gauge.lattice.extents;
  const auto& c = p.ours.clover;
  op.name = to_string(op.extents) + "_" +
            (c.exponential             ? "exponential"
             : c.spatial != c.temporal ? "anisotropic"
             : c.spatial == 0          ? "plain"
                                       : "isotropic") +
            (p.temporal ? "_temporal" : "") + (p.ours.twisted_mass != 0 ? "_twisted" : "");
  // Eight reals are in another gauge.
  for (const StorageBound& bound : wilson_bounds)
    if (!p.temporal || bound.reals != 8) op.bounds.push_back(bound);
  if (p.ours.twisted_mass == 0) op.gamma5 = times_gamma5;
  return op;
}

Field gauge_of(const WilsonProblem& p, const GeometryPtr& g) {
  return to_plaq(p.gauge, g, wide, Location::host);
}

}  // namespace

const StorageBounds wilson_bounds = {
    {wide, 18, 1e-15, 1e-16}, {wide, 12, 1e-15, 1e-16}, {wide, 8, 4e-15, 4e-16},
    {single, 18, 4e-7, 4e-8}, {single, 12, 4e-7, 4e-8}, {single, 8, 6e-7, 6e-8},
    {half, 18, 8e-5, 1.6e-5}, {half, 12, 8e-5, 1.6e-5}, {half, 8, 3e-4, 2e-5},
};

std::string name_of(Clover c) {
  return c == Clover::none          ? "plain"
         : c == Clover::isotropic   ? "isotropic"
         : c == Clover::anisotropic ? "anisotropic"
                                    : "exponential";
}

WilsonProblem make_wilson(const Extents& extents, Clover clover, Gauge gauge, double twisted_mass) {
  reference::Generator generator(41);
  WilsonProblem p{reference::random_gauge({extents}, generator), {}, {}, gauge == Gauge::temporal};
  if (p.temporal) p.gauge = reference::temporal_gauge(p.gauge);
  p.ours.mass = 0.83;
  p.ours.xi = 2.464;
  p.ours.nu = 0.95;
  if (clover == Clover::isotropic) p.ours.clover = CloverCoefficients::isotropic(1.2);
  if (clover == Clover::anisotropic) p.ours.clover = {0.91 / 2.464, 1.07};
  if (clover == Clover::exponential) p.ours.clover = {0.83 / 2.464, 1.17, true};
  const auto& [spatial, temporal, exponential] = p.ours.clover;
  p.theirs = {{p.ours.mass, p.ours.xi, p.ours.nu, {}}, spatial, temporal, exponential, twisted_mass};
  p.ours.twisted_mass = twisted_mass;
  set_boundary(p, {-1, 1, -1, -1});
  return p;
}

void set_boundary(WilsonProblem& p, const std::array<int, 4>& boundary) {
  p.ours.boundary = p.theirs.wilson.boundary = boundary;
}

WilsonHoppingPtr make_hopping(const WilsonProblem& p, const Setting& s) {
  const auto hopping = std::make_shared<WilsonHopping>(s.grid, gauge_of(p, s.geometry), p.ours, s.storage,
                                                       s.queue, s.carrier(), p.rotated_parity);
  EXPECT_EQ(hopping->temporal_gauge(), p.temporal && s.storage.reconstruction != 8);
  return hopping;
}

OperatorProblem wilson_operator(const WilsonProblem& p) {
  OperatorProblem op = common(p);
  op.make = [p](const Setting& s) {
    const auto hopping = make_hopping(p, s);
    return std::make_shared<WilsonOperator>(
        hopping, make_clover_blocks(s.grid, gauge_of(p, s.geometry), *hopping, CloverNeed::operator_full));
  };
  op.image = [slow = SlowWilson(p)](const Vector& in, bool dagger) { return slow.full(in, dagger); };
  op.turned = [p](const reference::GaugeTransformation& g) {
    auto other = p;
    other.gauge = reference::transformed(p.gauge, g);
    return wilson_operator(other);
  };
  return op;
}

OperatorProblem wilson_complement(const WilsonProblem& problem, int parity, WilsonSchur::Form form) {
  auto p = problem;
  p.rotated_parity = 1 - parity;
  const bool symmetric = form == WilsonSchur::Form::symmetric;
  OperatorProblem op = common(p);
  op.name += std::string(symmetric ? "_symmetric" : "_asymmetric") + (parity == 0 ? "_even" : "_odd");
  op.parity = parity;
  op.bounds = times(1.5, op.bounds);
  op.make = [=](const Setting& s) {
    const auto hopping = make_hopping(p, s);
    const auto need = symmetric ? CloverNeed::schur_symmetric : CloverNeed::schur_asymmetric;
    return std::make_shared<WilsonSchur>(
        hopping, parity, form, s.batch,
        make_clover_blocks(s.grid, gauge_of(p, s.geometry), *hopping, need, parity));
  };
  const auto slow = std::make_shared<const SlowWilson>(p);
  op.image = [=](const Vector& in, bool dagger) { return slow->complement(in, parity, symmetric, dagger); };
  op.full = [=](const Vector& in) { return slow->full(in, false); };
  // S^dagger = gamma5 S gamma5 of the asymmetric form alone.
  if (symmetric) op.gamma5 = nullptr;
  op.turn = 2 * parity + (symmetric ? 0 : 1);
  op.share = 2;
  return op;
}

}  // namespace plaq::test
