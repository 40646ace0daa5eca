// Three-point functions of a propagator job, [three_point], by sequential propagators through the sink:
//
//   /three_point/INSERTION/CURRENT/p_X_Y_Z   [t][real, imaginary]  of one source
//   /three_point/INSERTION/true_residual     [column]
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "jobs/dirac/dirac_system.hpp"
#include "jobs/propagator/quark_source.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/sequential.hpp"

namespace plaq::jobs {

Table three_point_table();
Rule three_point_rule();

class ThreePoints {
 public:
  // Throws Error(job_file) where the sink is not on the lattice.
  ThreePoints(const JobContext& context, const ThreePointKeys& keys, std::vector<Momentum> momenta);

  // Collective. Of the quark field of a source as it was solved, with more solves of `system` on gauge field `file`;
  // `smearing`: of the sink where it is smeared. Keeps what comes out.
  void add(DiracSystem& system, QuarkSmearing* smearing, const Field& quark, const Extents& position,
           const std::string& file);
  // What was added since the last call, and forgets it.
  void move_to(Results& results, const QuarkSources& sources);

 private:
  struct Kept {
    std::string insertion;
    Correlators correlators;
    std::vector<double> true_residuals;
  };
  void make_source(Field& b, Insertion insertion, const Field& quark, int sink_slice) const;
  void add_correlator(Results& results, const Kept& kept, std::size_t current, std::size_t momentum,
                      const QuarkSources& sources) const;

  const JobContext& context_;
  ThreePointKeys keys_;
  std::vector<Momentum> momenta_;
  MesonContraction currents_;
  std::vector<Kept> kept_;
};

}  // namespace plaq::jobs
