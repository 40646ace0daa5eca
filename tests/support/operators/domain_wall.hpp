// Domain-wall operators of every kind and their even-odd forms as problems.
#pragma once

#include "kernels/dirac/domain_wall/pauli_villars.hpp"
#include "tests/reference/domain_wall.hpp"
#include "tests/support/operators/problem.hpp"

namespace plaq::test {

using Batch = std::vector<reference::SpinorField>;

enum class Wall { shamir, borici, moebius, optimal, alike, general, steep, anisotropic };
std::string name_of(Wall wall);
inline constexpr Wall all_walls[] = {Wall::shamir, Wall::borici,  Wall::moebius, Wall::optimal,
                                     Wall::alike,  Wall::general, Wall::steep,   Wall::anisotropic};

// optimal: the weights of |H_w| in [0.4, 6.2]; general: those of every slice at
// random; alike: sigma = omega besides;
// steep: sigma larger than omega, so that solves run backwards; anisotropic: general with xi and nu.
DomainWallParameters wall_parameters(Wall wall, int n_s, double mass = 0.06, double m0 = 1.7);
reference::DomainWallParameters reference_of(const DomainWallParameters& p);

struct WallProblem {
  reference::GaugeField gauge;
  DomainWallParameters ours;
  reference::DomainWallParameters theirs;
  Batch in;  // in five dimensions
  std::string name;
  int rotated_parity = 1;  // of links of eight reals

  Vector image(const Vector& v, bool dagger = false) const;
};
// Random links, or weak ones.
WallProblem make_wall_problem(const Extents& extents, Wall wall, int n_s, int batch, double disorder = -1);

WilsonHoppingPtr make_hopping(const WallProblem& p, const Setting& setting);

reference::SpinorField random_five(const reference::Lattice& lattice, int n_s,
                                   reference::Generator& generator);
// D^-1 b, by the reference.
reference::SpinorField solve(const WallProblem& p, const reference::SpinorField& b, double tolerance = 1e-13);
// Fields in five dimensions of a batch, and their columns.
Columns slices_of(const WallProblem& p, const Batch& five);
Field five_to_plaq(const WallProblem& p, const Batch& five, const GeometryPtr& geometry, Subset subset,
                   Precision precision, Location location);

OperatorProblem wall_operator(const WallProblem& problem);
OperatorProblem wall_complement(const WallProblem& problem, int parity);

// D' = S1 D S2 by the reference, and its adjoint.
Vector scaled_wall(const WallProblem& problem, const Vector& in, bool dagger = false);
// The Pauli-Villars problem: that at mass 1.
WallProblem at_mass_one(WallProblem problem);
// D'(1)^dagger D'(m)
OperatorProblem wall_product(const WallProblem& problem);

}  // namespace plaq::test
