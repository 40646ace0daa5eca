// Quarks of many masses whose even-odd operators differ by numbers (Action::shifts_with_mass), all from one Krylov space:
// S_m = m^2 - D_pq D_qp / 4, and M x = b is S_m x_p = m b_p - D_pq b_q / 2. With y_1 = S_m^-1 b_p and y_2 = S_m^-1 D_pq b_q / 2
// for all m by multi-shift CG (solvers/krylov/multishift_cg.hpp), x_p = m y_1 - y_2: a source on sites of one parity takes
// one of the two.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "jobs/dirac/dirac_operators.hpp"
#include "jobs/dirac/solve_stop.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "solvers/krylov/multishift_cg.hpp"

namespace plaq::jobs {

class ShiftedMasses {
 public:
  // Whether it is worth it for so many masses with the solver of a job: cg on the even sites, without low modes. Of a mixed
  // solve it iterates in single precision, and leaves more to the solves that follow: two masses are then as fast alone.
  static bool helps(const SolverSpec& spec, const std::vector<ActionParameters>& actions);

  // Actions that differ in their masses alone. The grid of `links` must outlive this object.
  ShiftedMasses(const Background& links, const std::vector<ActionParameters>& actions, const SolverSpec& spec,
                int batch);

  // Collective. x_p of every mass, within the tolerance of the full system as far as precision and recurrences allow it: a
  // first guess of a solve that measures it, x_q being that solve's. b: both parities. Returns
  // the iterations of each right-hand side by mass.
  std::vector<std::vector<std::int64_t>> solve(std::vector<Field>& x, const Field& b, SolveStop& stop);

 private:
  // What of the sites of one parity of b there is on the other side of S_m x_p; `own`: of p.
  struct Part {
    Field source;               // at the least mass
    std::vector<double> norms;  // of its columns
    bool own;
  };
  std::vector<double> norms_of(const Field& field);
  void add(std::vector<Field>& sums, const Part& part, const std::vector<double>& targets, SolveStop& stop,
           std::vector<std::vector<std::int64_t>>& iterations);

  std::vector<double> masses_;
  SolverSpec spec_;
  double least_;  // mass
  DiracOperators operators_;
  std::shared_ptr<DiracOperator> outer_;
  MultishiftCg cg_;
  Batch sums_;
  std::vector<Field> y_;
};

}  // namespace plaq::jobs
