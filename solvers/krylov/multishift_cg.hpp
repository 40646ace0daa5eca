// Multi-shift conjugate gradients: (A + sigma_i) x_i = b for all shifts at once, A Hermitian positive (as
// NormalOperator is), in one Krylov space (Jegerlehner, hep-lat/9612014). The system of the smallest shift is
// iterated; the residuals of the others are multiples of its residual. Each shift of each right-hand side is
// converged when its residual has reached the target. At the end the true residual of each is computed, and
// those that miss their target are polished by HermitianCg with their own shift, as many systems in a batch
// as there are right-hand sides.
//
// An iteration reads and writes, beside A and, for a smallest shift that is not 0, its term: p, q (dot); q, r
// (r, |r|^2); and r, p_i, x_i (x_i, p_i) for each shift not yet converged: 4 + 3 n reads and 1 + 2 n writes
// of a vector. The host waits once, before the updates of x_i and p_i have ended. Its workspace is r, q, and
// p_i of each shift, and one more for polishing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/system/memory.hpp"
#include "solvers/krylov/hermitian_cg.hpp"
#include "solvers/krylov/shifted_systems.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {

struct MultishiftReport {
  // In the order of the shifts: results with iterations of the common space plus those of polishing, and the
  // attempts "multishift-cg" and, where needed, "hermitian-cg". Flops, bytes, seconds are not divided among
  // them.
  std::vector<SolveReport> shifts;
  int iterations = 0;  // of the common space
  double seconds = 0, flops = 0, bytes = 0;
  std::int64_t waits = 0;  // of the host
  bool converged() const;
};

class MultishiftCg {
 public:
  // Shifts not negative, in any order.
  MultishiftCg(LinearOperator& a, const ProcessGrid& grid, int batch, std::vector<double> shifts);
  const std::vector<double>& shifts() const { return shifts_; }
  // x[i] solves with shift i; what x holds before does not matter. The limits of `parameters` hold for the
  // common space and for each polishing.
  MultishiftReport solve(std::vector<Field>& x, const Field& b, const SolverParameters& parameters);

 private:
  struct Run;
  void check_residuals(Run& run);
  StopReason reason_of(const Run& run, std::size_t shift, std::size_t rhs) const;
  void polish(Run& run, const std::vector<ShiftedSystem>& systems);
  static void add_polished(SolveReport& report, std::size_t rhs, const SolveResult& now,
                           const Attempt& attempt);

  std::vector<double> shifts_;
  std::size_t smallest_;
  ShiftedOperator shifted_;
  Batch batch_, polishing_;
  Buffer memory_;  // of the scalars
  Field r_, q_;
  std::vector<Field> p_;
  HermitianCg polisher_;
};

}  // namespace plaq
