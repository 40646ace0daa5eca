// The ghost propagator of Landau gauge in momentum space,
//   G(p) = (1 / (8 V)) sum_a sum_{x,y} exp(-i p (x - y)) (M^-1)^aa(x, y),
// M the Faddeev-Popov operator (kernels/gluon/faddeev_popov.hpp), by one solve a color with the plane wave
// as source: Sternbeck et al., Phys. Rev. D 72 (2005) 014507; Boucaud et al., Phys. Rev. D 72 (2005)
// 114503. On unit links it is 1/phat^2.
#pragma once

#include <memory>
#include <string>

#include "jobs/gluon/gluon_keys.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/gluon/faddeev_popov.hpp"
#include "kernels/gluon/lattice_momenta.hpp"
#include "solvers/solver.hpp"

namespace plaq::jobs {

struct GhostPoint {
  double propagator = 0;     // a^2
  double true_residual = 0;  // ||b - M x|| / ||b||, the largest of the eight
  int iterations = 0;        // the most of the eight
};

// What it needs of a job, for those that have none.
struct GhostSetting {
  const ProcessGrid* grid;
  Queue queue;
  std::shared_ptr<Transport> transport;
};

class GhostPropagator {
 public:
  // `gauge`: as of FaddeevPopov. Collective.
  GhostPropagator(const GhostSetting& setting, const Field& gauge, const GhostKeys& keys);

  // Collective; p is not 0. Throws Error(not_converged) where a solve misses its tolerance: so it does
  // where the field is beyond the Gribov horizon and M has a negative eigenvalue. `file` is named then.
  GhostPoint operator()(const Momentum4& n, const std::string& file);

 private:
  void fill_source(const Momentum4& n);

  GhostSetting setting_;
  GhostKeys keys_;
  FaddeevPopov matrix_;
  std::unique_ptr<Solver> solver_;
  Field b_, x_, host_;
};

}  // namespace plaq::jobs
