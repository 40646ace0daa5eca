#include "solvers/report.hpp"

namespace plaq {

std::string_view name_of(StopReason reason) {
  switch (reason) {
    case StopReason::converged:
      return "converged";
    case StopReason::max_iterations:
      return "maximum of iterations";
    case StopReason::breakdown:
      return "breakdown";
    case StopReason::stagnation:
      return "stagnation";
    case StopReason::divergence:
      return "divergence";
    case StopReason::too_slow:
      return "too slow";
    case StopReason::not_a_number:
      return "not a number";
    case StopReason::not_asked:
      return "not asked for";
  }
  return "unknown";
}

std::string_view name_of(MixedScheme scheme) {
  switch (scheme) {
    case MixedScheme::none:
      return "none";
    case MixedScheme::reliable_updates:
      return "reliable updates";
    case MixedScheme::defect_correction:
      return "defect correction";
  }
  return "unknown";
}

bool SolveReport::converged() const { return reason() == StopReason::converged; }

StopReason SolveReport::reason() const {
  for (const SolveResult& r : results)
    if (r.reason != StopReason::converged && r.reason != StopReason::not_asked) return r.reason;
  return StopReason::converged;
}

}  // namespace plaq
