// The quark loops of one gauge field after the other, a noise vector at a time:
//
//   /noise/CURRENT/p_X_Y_Z   [t][real, imaginary]   of one noise vector
//   /loops/CURRENT/p_X_Y_Z   [t][real, imaginary]   their average on a gauge field
//   /loops/condensate        of the scalar: sum over t of its real part at p = 0, over the volume
//
// X, Y, Z: the integers n of the momentum 2 pi n / L; phases count from the origin, t is that of the lattice.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "jobs/dirac/dirac_system.hpp"
#include "jobs/loops/loop_keys.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/quark/spin_matrices.hpp"

namespace plaq::jobs {

class LoopMeasurement {
 public:
  // Throws Error(job_file) where the dilution does not fit the lattice.
  LoopMeasurement(const JobContext& context, const EnsembleInput& input);

  int vectors() const { return noise_.vectors; }
  int classes() const { return classes_; }  // solves of a vector

  // Collective. The vectors that follow are on this field.
  void begin(LoadedGauge& gauge);
  // Collective. Solves for a few vectors together where one has few parts; the same bits as alone.
  Results operator()(const LoadedGauge& gauge, int vector);
  // Adds averages over noise to the results of a field, [noise] in front.
  void complete(Results& results) const;

 private:
  struct Solved {
    Correlators matrix;  // of spins
    std::vector<double> residuals;
    std::vector<std::int64_t> iterations;
    std::vector<double> slices;  // residuals, the largest of all parts
    std::int64_t attempts = 0;
  };
  void solve_group(int first, const std::string& file);
  Results collect(const LoadedGauge& gauge, const Solved& solved) const;
  std::string path_of(const char* group, const LoopCurrent& current, const Momentum& n) const;
  Attributes attributes_of(const LoopCurrent& current, const Momentum& n) const;

  const JobContext& context_;
  const EnsembleInput& input_;
  LoopNoiseKeys noise_;
  NoiseDilution dilution_;
  std::vector<LoopCurrent> currents_;
  std::vector<Momentum> momenta_;
  int spins_, classes_, group_, together_;  // vectors whose parts are solved together; parts of a batch
  MomentumProjection project_;
  SpinMatrices matrices_;
  std::unique_ptr<DiracSystem> system_;
  std::map<int, Solved> solved_;  // on this field, by vector
};

}  // namespace plaq::jobs
