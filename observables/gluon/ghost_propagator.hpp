// The ghost propagator of Landau gauge in momentum space,
//   G(p) = (1 / (8 V)) sum_a sum_{x,y} exp(-i p (x - y)) (M^-1)^aa(x, y),
// M the Faddeev-Popov operator (kernels/gluon/faddeev_popov.hpp), by one solve a color with the plane wave
// as source: Sternbeck et al., Phys. Rev. D 72 (2005) 014507; Boucaud et al., Phys. Rev. D 72 (2005)
// 114503. On unit links it is 1/phat^2.
#pragma once

#include <memory>
#include <string>

#include "comms/start/shared_lattice.hpp"
#include "kernels/gluon/faddeev_popov.hpp"
#include "kernels/gluon/lattice_momenta.hpp"
#include "observables/gluon/gluon_propagator.hpp"
#include "observables/gluon/gluon_settings.hpp"
#include "solvers/solver.hpp"

namespace plaq {

class GhostPropagator {
 public:
  /// Makes M of `gauge`, which is as FaddeevPopov wants it. Collective.
  GhostPropagator(const SharedLattice& lattice, const Field& gauge, const GhostSettings& settings);

  /// G(p) at p = 2 pi n / L, which is not 0. Throws Error(not_converged), which names `file`,
  /// if a solve misses its tolerance:
  /// so it does on a field beyond the Gribov horizon, where M has a negative eigenvalue. Collective.
  GhostPoint operator()(const Momentum4& n, const std::string& file);

 private:
  void fill_source(const Momentum4& n);

  SharedLattice lattice_;
  GhostSettings settings_;
  FaddeevPopov matrix_;
  std::unique_ptr<Solver> solver_;
  Field b_, x_, host_;
};

}  // namespace plaq
