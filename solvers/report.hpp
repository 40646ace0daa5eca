// Report of a solve.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/location.hpp"

namespace plaq {

/// Reason why the solve of a right-hand side ended.
enum class StopReason {
  converged,       ///< the tolerance was reached
  max_iterations,  ///< no more iterations were allowed
  breakdown,   ///< a scalar of the method vanished although the residual did not, and a restart did not help
  stagnation,  ///< the true residual no longer falls with the iterated one: the precision is exhausted
  divergence,  ///< the residual grew beyond all measure
  too_slow,    ///< the residual falls by less than what makes the method worth its iterations
  not_a_number,  ///< in the source, the first guess or the operator
  not_asked,     ///< SolverParameters::active left this right-hand side out
};
/// Name of a reason, as results state it.
std::string_view name_of(StopReason reason);

/// Use of low precision inside high precision.
enum class MixedScheme { none, reliable_updates, defect_correction };
/// Name of a scheme, as results state it.
std::string_view name_of(MixedScheme scheme);

/// Result of one right-hand side. Norms are those of the system that the solver saw, in its outer precision.
struct SolveResult {
  StopReason reason = StopReason::not_asked;  ///< why it ended
  int iterations = 0;                         ///< iterations of the method
  int updates = 0;                 ///< times that the true residual was recomputed after iterations
  int restarts = 0;                ///< restarts, after which the method had lost its search space
  double source_norm = 0;          ///< norm ||b|| of the source
  double first_residual_norm = 0;  ///< norm ||b - A x|| of the first guess
  double residual_norm = 0;        ///< norm ||b - A x||, recomputed at the end
  bool converged() const { return reason == StopReason::converged; }  ///< true if the tolerance was reached
};

/// Counts applications of an operator or its adjoint.
struct Applications {
  std::int64_t calls = 0;             ///< each reads the links once
  std::int64_t right_hand_sides = 0;  ///< in all calls together
};

/// One solver's part of a solve.
struct Attempt {
  std::string method;  ///< name of the method, or the caller's description in a chain of fallbacks
  MixedScheme scheme = MixedScheme::none;  ///< use of low precision
  /// Precision of the inner and the outer operator.
  Precision inner = Precision::double_precision, outer = Precision::double_precision;
  int iterations = 0;                         ///< largest number of all right-hand sides
  StopReason reason = StopReason::converged;  ///< why the part ended
  double seconds = 0;                         ///< wall time
};

/// Report of a solve of several right-hand sides.
struct SolveReport {
  std::vector<SolveResult> results;          ///< results, one for each right-hand side
  int iterations = 0;                        ///< largest number of all right-hand sides
  double seconds = 0, flops = 0, bytes = 0;  ///< time, and flops and bytes of all ranks
  std::int64_t waits = 0;                    ///< times that the host waited: for sums, for an iteration's end
  Applications inner, outer;                 ///< applications by the method, and for true residuals
  std::vector<Attempt> attempts;  ///< parts in their order; the last one gave the reasons in `results`

  /// True if every right-hand side that was asked for converged.
  bool converged() const;
  /// `converged`, or the reason of the first right-hand side that did not converge.
  StopReason reason() const;
};

}  // namespace plaq
