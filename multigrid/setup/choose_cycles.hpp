// Parameters of cycles that a setup chooses if the settings leave them open: smoothing steps of each lattice,
// out of 2, 4, 6 and 8, and the tolerance of the first coarse lattice's solve, out of 0.1, 0.25 and 0.5.
//
// A choice minimises the modelled time to a solution, (seconds of an iteration) / -ln rho, of probes
// (probe_solves): a choice has the same bits wherever it is made. It goes by one parameter after the other,
// the finest lattice first: to what costs less for as long as that is better, else to what
// costs more, until nothing is better.
#pragma once

#include <functional>
#include <vector>

#include "multigrid/setup/probe.hpp"

namespace plaq {

struct CycleProbe {
  std::vector<CycleParameters> cycles;  // of each lattice but the coarsest
  ProbeResult result;
};
using ProbeCycles = std::function<ProbeResult(const std::vector<CycleParameters>&)>;

// The largest number of smoothing steps that there is to choose.
inline constexpr int most_chosen_steps = 8;

// All that were probed, `first` first, at most `most` beside it, none twice. A tolerance is left alone where
// the coarse lattice is solved without iterations.
std::vector<CycleProbe> choose_cycles(const std::vector<LevelSettings>& levels, CycleProbe first, int most,
                                      const ProbeCycles& probed);
// The first of those with the least modelled time.
const CycleProbe& best_of(const std::vector<CycleProbe>& tried);

}  // namespace plaq
