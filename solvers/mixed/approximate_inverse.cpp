#include "solvers/mixed/approximate_inverse.hpp"

#include "core/system/error.hpp"

namespace plaq {

ApproximateInverse::ApproximateInverse(Solver& solver, LinearOperator& a, const ProcessGrid& grid,
                                       SolverParameters parameters)
    : solver_(solver), a_(a), grid_(grid), parameters_(std::move(parameters)) {
  parameters_.zero_guess = true;
  parameters_.trust_iterated = true;
}

void ApproximateInverse::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "an approximate inverse has no adjoint");
  parameters_.active.assign(static_cast<std::size_t>(in.batch()), 0);
  for (int k = 0; k < active.count(); ++k) parameters_.active[static_cast<std::size_t>(active[k])] = 1;
  const SolveReport report = solver_.solve(out, in, parameters_);
  last_ = {report.flops / grid_.size(), report.bytes / grid_.size()};
}

}  // namespace plaq
