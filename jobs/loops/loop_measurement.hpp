// The quark loops of one gauge field after the other, a noise vector at a time:
//
//   /noise/CURRENT/p_X_Y_Z   [t][real, imaginary]   of one noise vector
//   /loops/CURRENT/p_X_Y_Z   [t][real, imaginary]   their average on a gauge field
//   /loops/condensate        of the scalar: sum over t of its real part at p = 0, over the volume; of one
//                            flavour
//   /noise/squared           [t][real, imaginary]   tr M^-2 of one noise vector, where it is asked for
//   /loops/squared           sum over t of the real part of its average, over the volume
//   /approximate, /exact     the same of approximate vectors and of exact ones in the place of /noise, which
//                            then is absent; averages are corrected (jobs/dirac/all_mode_average.hpp)
//
// X, Y, Z: the integers n of the momentum 2 pi n / L; phases count from the origin, t is that of the lattice.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/dirac/all_mode_average.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/job_file.hpp"
#include "observables/quark/quark_loops.hpp"
#include "quarks/source/source_positions.hpp"

namespace plaq::jobs {

// The keys of [loops]; [noise] is LoopNoise, [dilution] NoiseDilution.
struct LoopKeys {
  std::vector<std::string> currents;  // empty: all
  int max_momentum_squared = 0;
  bool susceptibility = false;
  int hopping = 0;
  bool one_end = false;
};

std::vector<LoopCurrent> loop_currents(const Settings& job);

// Why a hopping expansion of this order has terms around the lattice; none: it has none.
std::optional<std::string> hopping_fault(int hopping, const Extents& extents);

/// The schema of loops jobs.
const Schema& loops_schema();

class LoopMeasurement {
 public:
  // `together`: parts of vectors that are solved at a time. Throws Error(job_file) where the dilution does
  // not fit the lattice, and where noise belongs to a trajectory that is not known.
  LoopMeasurement(const JobContext& context, const EnsembleInput& input, int together);

  int vectors() const { return loops_.settings().noise.vectors; }
  int parts() const { return loops_.parts(); }  // solves of a vector

  // Collective. The vectors that follow are on this field.
  void begin(LoadedGauge& gauge);
  // Collective.
  Results operator()(const LoadedGauge& gauge, int vector);
  // Adds averages over noise to the results of a field, [noise] in front.
  void complete(Results& results) const;

 private:
  void add_gauge(Results& results, const LoadedGauge& gauge) const;
  void add_solves(Results& results, const QuarkLoop& loop) const;
  Results noise_of(const QuarkLoop& loop) const;
  std::vector<double> average(const Results& field, const std::string& path) const;
  std::string path_of(const char* group, const LoopCurrent& current, const Momentum& n) const;
  Attributes attributes_of(const LoopCurrent& current, const Momentum& n) const;

  const JobContext& context_;
  const EnsembleInput& input_;
  ApproximationKeys approximation_;
  QuarkLoops loops_;                             // of all vectors
  std::optional<QuarkLoops> exact_;              // of the first ones, where the others are approximate
  std::map<std::string, FieldNumbers> numbers_;  // of each gauge field, where the noise belongs to it
  std::unique_ptr<PropagatorSolver> solver_;
};

}  // namespace plaq::jobs
