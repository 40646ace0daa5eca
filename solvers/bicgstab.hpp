// BiCGstab (van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631), the method of Clark et al. 2010.
// An iteration reads and writes, beside A twice: r0, v (dot); v, r (r updated); r, t (dots); p, r, x (x
// updated); t, r0, r (r updated, |r|^2 and dot); r, v, p (p updated): 15 reads and 4 writes of a vector,
// three sums over ranks.
#pragma once

#include <array>

#include "solvers/batch.hpp"

namespace plaq {

class Bicgstab final : public Solver {
 public:
  Bicgstab(LinearOperator& a, const ProcessGrid& grid, int batch);
  std::string_view name() const override { return "bicgstab"; }
  static constexpr std::array<const char*, 5> vectors = {"r", "r0", "p", "v", "t"};  // of its workspace
  SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) override;

 private:
  LinearOperator& a_;
  const ProcessGrid& grid_;
  Field r_, r0_, p_, v_, t_;
};

}  // namespace plaq
