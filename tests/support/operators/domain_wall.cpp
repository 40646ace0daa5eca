#include "tests/support/operators/domain_wall.hpp"

#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "tests/reference/solve.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq::test {
namespace {

constexpr auto wide = Precision::double_precision;

OperatorProblem common(const WallProblem& p) {
  OperatorProblem op;
  op.name = p.name;
  op.extents = p.gauge.lattice.extents;
  op.shape = {4, p.ours.Ls(), 3};
  op.batch = 3;
  for (StorageBound bound : wilson_bounds) {
    const double factor = bound.precision == Precision::half_precision ? 15 : 12;
    bound.most *= factor, bound.mean *= factor;
    op.bounds.push_back(bound);
  }
  return op;
}

// The even-odd form by S1 D S2 = 1 + B: C = 1 - B_pq B_qp.
class EvenOddWall {
 public:
  explicit EvenOddWall(const WallProblem& p)
      : p_(p),
        s1_{reference::matrix_s1(p.theirs, 1), reference::matrix_s1(p.theirs, -1)},
        s2_{reference::matrix_s2(p.theirs, 1), reference::matrix_s2(p.theirs, -1)} {}

  Vector complement(const Vector& in, const OperatorProblem& shape, bool dagger) const {
    Vector out = only(in, shape, shape.parity);
    const Vector there = only(scaled(out, dagger), shape, 1 - shape.parity);
    add(out, -1, only(scaled(there, dagger), shape, shape.parity));
    return out;
  }
  // S2^-1 x
  Vector unknown(const Vector& x) const { return times(s2_[0].inverse(), s2_[1].inverse(), x); }

  // S1 D S2
  Vector scaled(const Vector& in, bool dagger) const {
    if (!dagger) return times(s1_[0], s1_[1], p_.image(times(s2_[0], s2_[1], in)));
    return times(s2_[0].transposed(), s2_[1].transposed(),
                 p_.image(times(s1_[0].transposed(), s1_[1].transposed(), in), true));
  }

 private:
  static Vector times(const reference::RealDense& plus, const reference::RealDense& minus, const Vector& v) {
    return to_vector(reference::times(plus, minus, from_vector<reference::SpinorField>(v)));
  }
  WallProblem p_;
  std::array<reference::RealDense, 2> s1_, s2_;
};

}  // namespace

std::string name_of(Wall wall) {
  static const char* names[] = {"shamir", "borici",  "moebius", "optimal",
                                "alike",  "general", "steep",   "anisotropic"};
  return names[static_cast<int>(wall)];
}

DomainWallParameters wall_parameters(Wall wall, int n_s, double mass, double m0) {
  using P = DomainWallParameters;
  const auto size = static_cast<std::size_t>(n_s);
  std::vector<double> omega(size), sigma(size);
  reference::Generator generator(5 + static_cast<unsigned>(n_s));
  for (std::size_t s = 0; s < size; ++s) {
    omega[s] = 0.4 + 1.5 * reference::uniform(generator);
    sigma[s] = wall == Wall::steep ? 1.1 * omega[s] + 0.9 : 0.05 + omega[s] * reference::uniform(generator);
  }
  switch (wall) {
    case Wall::shamir:
      return P::shamir(n_s, m0, mass);
    case Wall::borici:
      return P::borici(n_s, m0, mass);
    case Wall::moebius:
      return P::moebius(n_s, m0, mass, 1.5, 0.5);
    case Wall::optimal:
      return P::optimal(optimal_weights(n_s, 0.4, 6.2), m0, mass);
    case Wall::alike:
      return P::optimal(omega, m0, mass);
    case Wall::anisotropic: {
      P p = P::general(omega, sigma, m0, mass);
      p.xi = 2.3;
      p.nu = 1.2;
      return p;
    }
    default:
      return P::general(omega, sigma, m0, mass);
  }
}

reference::DomainWallParameters reference_of(const DomainWallParameters& p) {
  return {p.m0, p.mass, p.omega, p.sigma, p.boundary, p.xi, p.nu};
}

Vector WallProblem::image(const Vector& v, bool dagger) const {
  const auto five = from_vector<reference::SpinorField>(v);
  return to_vector(dagger ? reference::domain_wall_dagger(theirs, gauge, five)
                          : reference::domain_wall(theirs, gauge, five));
}

WallProblem make_wall_problem(const Extents& extents, Wall wall, int n_s, int batch, double disorder) {
  reference::Generator generator(43);
  const reference::Lattice lattice{extents};
  WallProblem p{disorder < 0 ? reference::random_gauge(lattice, generator)
                             : reference::weak_gauge(lattice, generator, disorder),
                wall_parameters(wall, n_s),
                {},
                {},
                to_string(extents) + "_" + name_of(wall) + "_" + std::to_string(n_s)};
  p.ours.boundary = {-1, 1, 1, -1};
  p.theirs = reference_of(p.ours);
  for (int i = 0; i < batch; ++i) p.in.push_back(random_five(lattice, n_s, generator));
  return p;
}

WilsonHoppingPtr make_hopping(const WallProblem& p, const Setting& s) {
  return make_domain_wall_hopping(s.grid, to_plaq(p.gauge, s.geometry, wide, Location::host), p.ours,
                                  s.storage, s.queue, s.carrier(), p.rotated_parity);
}

reference::SpinorField random_five(const reference::Lattice& lattice, int n_s,
                                   reference::Generator& generator) {
  std::vector<reference::SpinorField> slices;
  for (int s = 0; s < n_s; ++s) slices.push_back(reference::random_spinor(lattice, generator));
  return reference::joined(slices);
}

reference::SpinorField solve(const WallProblem& p, const reference::SpinorField& b, double tolerance) {
  return reference::solve([&](const auto& v) { return reference::domain_wall(p.theirs, p.gauge, v); },
                          [&](const auto& v) { return reference::domain_wall_dagger(p.theirs, p.gauge, v); },
                          b, tolerance)
      .x;
}

Columns slices_of(const WallProblem& p, const Batch& five) { return {five, p.ours.Ls()}; }

Field five_to_plaq(const WallProblem& p, const Batch& five, const GeometryPtr& geometry, Subset subset,
                   Precision precision, Location location) {
  return to_plaq(slices_of(p, five), geometry,
                 five_dimensional_spec(subset, 1, p.ours.Ls(), precision, location));
}

OperatorProblem wall_operator(const WallProblem& p) {
  OperatorProblem op = common(p);
  op.make = [p](const Setting& s) {
    return std::make_shared<DomainWallOperator>(make_hopping(p, s), p.ours, s.batch);
  };
  op.image = [p](const Vector& in, bool dagger) { return p.image(in, dagger); };
  op.turned = [p](const reference::GaugeTransformation& g) {
    auto other = p;
    other.gauge = reference::transformed(p.gauge, g);
    return wall_operator(other);
  };
  // Shamir's operator, R: s -> Ls + 1 - s:  gamma5 R D gamma5 R = D^dagger.
  if (p.theirs.sigma == std::vector<double>(p.theirs.sigma.size()))
    op.gamma5 = [n = p.theirs.Ls()](const Vector& v) {
      const auto slice = static_cast<std::ptrdiff_t>(v.size()) / n;
      Vector reflected;
      for (int s = n - 1; s >= 0; --s)
        reflected.insert(reflected.end(), v.begin() + s * slice, v.begin() + (s + 1) * slice);
      return times_gamma5(std::move(reflected));
    };
  return op;
}

OperatorProblem wall_complement(const WallProblem& problem, int parity) {
  auto p = problem;
  p.rotated_parity = 1 - parity;
  OperatorProblem op = common(p);
  op.name += parity == 0 ? "_even" : "_odd";
  op.parity = parity;
  op.make = [=](const Setting& s) {
    return std::make_shared<DomainWallSchur>(make_hopping(p, s), p.ours, parity, s.batch);
  };
  const OperatorProblem shape = op;
  const auto slow = std::make_shared<const EvenOddWall>(p);
  op.image = [=](const Vector& in, bool dagger) { return slow->complement(in, shape, dagger); };
  op.full = [=](const Vector& in) { return p.image(in); };
  op.unknown = [=](const Vector& x) { return slow->unknown(x); };
  op.turn = parity;
  op.share = 2;
  return op;
}

Vector scaled_wall(const WallProblem& problem, const Vector& in, bool dagger) {
  return EvenOddWall(problem).scaled(in, dagger);
}

WallProblem at_mass_one(WallProblem problem) {
  problem.ours.mass = problem.theirs.mass = 1;
  return problem;
}

OperatorProblem wall_product(const WallProblem& p) {
  OperatorProblem op = common(p);
  op.bounds = times(2, op.bounds);
  op.has_adjoint = false;
  op.make = [p](const Setting& s) {
    return std::make_shared<PauliVillarsProduct>(make_hopping(p, s), p.ours);
  };
  const auto light = std::make_shared<const EvenOddWall>(p),
             heavy = std::make_shared<const EvenOddWall>(at_mass_one(p));
  op.image = [=](const Vector& in, bool) { return heavy->scaled(light->scaled(in, false), true); };
  op.turned = [p](const reference::GaugeTransformation& g) {
    auto other = p;
    other.gauge = reference::transformed(p.gauge, g);
    return wall_product(other);
  };
  op.share = 2;
  return op;
}

}  // namespace plaq::test
