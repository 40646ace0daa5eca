// Solves at many masses whose even-odd operators differ by numbers
// (Action::shifts_with_mass) in one Krylov space:
// S_m = m^2 - D_pq D_qp / 4, and M x = b is S_m x_p = m b_p - D_pq b_q / 2. With y_1 = S_m^-1 b_p and
// y_2 = S_m^-1 D_pq b_q / 2 for all m by multi-shift CG (solvers/krylov/multishift_cg.hpp), x_p = m
// y_1 - y_2: a source on sites of one parity takes one of the two.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "quarks/operator/dirac_operators.hpp"
#include "quarks/solve/solve_stop.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "solvers/krylov/multishift_cg.hpp"

namespace plaq {

class ShiftedMasses {
 public:
  /// True if this is faster than solves at each mass with these settings: cg on the even sites, without low
  /// modes. A mixed solve iterates in single precision here and leaves more to the solves that follow:
  /// two masses are then as fast alone.
  static bool helps(const SolverSettings& settings, const std::vector<ActionPtr>& actions);

  /// Actions that differ in their masses alone. The grid of `links` must outlive this object. Collective.
  ShiftedMasses(const FermionLinks& links, const std::vector<ActionPtr>& actions,
                const SolverSettings& settings, int batch);

  /// Computes x_p at every mass, within the tolerance of the full system as far as precision and recurrences
  /// allow it: a first guess for a solve that computes x_q and measures both. b has both parities.
  /// Collective. Returns the iterations of each right-hand side at each mass.
  std::vector<std::vector<std::int64_t>> solve(std::vector<Field>& x, const Field& b, SolveStop& stop);

 private:
  // The part of S_m x_p that comes from sites of one parity of b; `own`: from p.
  struct Part {
    Field source;               // at the least mass
    std::vector<double> norms;  // of its columns
    bool own;
  };
  std::vector<double> norms_of(const Field& field);
  void add(std::vector<Field>& sums, const Part& part, const std::vector<double>& targets, SolveStop& stop,
           std::vector<std::vector<std::int64_t>>& iterations);

  std::vector<double> masses_;
  SolverSettings settings_;
  double least_;  // mass
  DiracOperators operators_;
  std::shared_ptr<StoredOperator> outer_;
  MultishiftCg cg_;
  Batch sums_;
  std::vector<Field> y_;
};

}  // namespace plaq
