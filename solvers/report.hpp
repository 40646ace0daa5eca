// What a solve says afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/location.hpp"

namespace plaq {

enum class StopReason {
  converged,
  max_iterations,
  breakdown,     // a scalar of the method vanished although the residual did not, and a restart did not help
  stagnation,    // the true residual no longer falls with the iterated one: the precision is exhausted
  divergence,    // the residual grew beyond all measure
  too_slow,      // the residual falls by less than what makes the method worth its iterations
  not_a_number,  // in the source, the first guess or the operator
  not_asked,     // SolverParameters::active left this right-hand side out
};
std::string_view name_of(StopReason reason);

// How low precision is used inside high precision.
enum class MixedScheme { none, reliable_updates, defect_correction };
std::string_view name_of(MixedScheme scheme);

// Result of one right-hand side. Norms are those of the system that the solver saw, in its outer precision.
struct SolveResult {
  StopReason reason = StopReason::not_asked;
  int iterations = 0;
  int updates = 0;                 // times that the true residual was recomputed after iterations
  int restarts = 0;                // restarts, after which the method had lost its search space
  double source_norm = 0;          // ||b||
  double first_residual_norm = 0;  // ||b - A x|| of the first guess
  double residual_norm = 0;        // ||b - A x||, recomputed at the end
  bool converged() const { return reason == StopReason::converged; }
};

// Counts applications of an operator or its adjoint.
struct Applications {
  std::int64_t calls = 0;             // each reads the links once
  std::int64_t right_hand_sides = 0;  // in all calls together
};

// One solver's part of a solve.
struct Attempt {
  std::string method;  // or the caller's description, in a chain of fallbacks
  MixedScheme scheme = MixedScheme::none;
  Precision inner = Precision::double_precision, outer = Precision::double_precision;
  int iterations = 0;  // the most of all right-hand sides
  StopReason reason = StopReason::converged;
  double seconds = 0;
};

struct SolveReport {
  std::vector<SolveResult> results;          // one a right-hand side
  int iterations = 0;                        // of the batch: the most of all right-hand sides
  double seconds = 0, flops = 0, bytes = 0;  // flops and bytes of all ranks
  std::int64_t waits = 0;                    // of the host: for sums, for an iteration's end
  Applications inner, outer;                 // by the method, and for true residuals
  std::vector<Attempt> attempts;             // in their order; the last one gave the reasons in `results`

  // Every right-hand side that was asked for.
  bool converged() const;
  // converged, or why the first right-hand side that did not converge stopped.
  StopReason reason() const;
};

}  // namespace plaq
