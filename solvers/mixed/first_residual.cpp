#include "solvers/mixed/first_residual.hpp"

#include <algorithm>
#include <cmath>

#include "core/system/numbers.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/krylov/krylov_method.hpp"

namespace plaq {

std::vector<double> first_residual(Batch& batch, LinearOperator& a, Field& x, const Field& b, Field& r,
                                   const SolverParameters& parameters, SolveReport& report) {
  const auto n = static_cast<std::size_t>(batch.size());
  report.results.assign(n, {});
  std::vector<double> targets(n), residuals(n);
  const ActiveSet asked = parameters.active.empty() ? batch.all() : ActiveSet(parameters.active);
  if (asked.count() == 0) return targets;

  const Coefficients c = batch.coefficients(asked);
  const auto source = batch.add_sums<blas::Norm>(c, {&b});
  if (parameters.zero_guess) {
    batch.update<blas::Zero>(c, {&x});
    batch.update<blas::Copy>(c, {&b, &r});
  } else {
    batch.apply_outer(a, r, x, asked);
  }
  const auto residual = parameters.zero_guess ? source : batch.add_sums<blas::Residual>(c, {&b, &r, &r});
  auto sums = batch.fetch_sums();
  for (double& sum : sums) sum = by_data(sum, 1.0);

  std::vector<char> empty(n, 0);
  for_each_of(asked, [&](std::size_t i) {
    auto& result = report.results[i];
    result.source_norm = std::sqrt(sums[source + i]);
    empty[i] = result.source_norm == 0;
    const double norm = empty[i] ? 0 : std::sqrt(sums[residual + i]);
    result.first_residual_norm = std::sqrt(sums[residual + i]);
    result.residual_norm = norm;
    targets[i] =
        parameters.targets.empty() ? parameters.tolerance * result.source_norm : parameters.targets[i];
    result.reason = StopReason::max_iterations;
    if (!std::isfinite(norm)) {
      result.reason = StopReason::not_a_number;
    } else if (norm <= targets[i] || empty[i]) {
      result.reason = StopReason::converged;
    } else if (parameters.limit_of(i) > 0) {
      batch.activate(static_cast<int>(i));
    }
  });
  const ActiveSet zero(empty);
  if (zero.count() > 0) batch.update<blas::Zero>(batch.coefficients(zero), {&x});
  return targets;
}

}  // namespace plaq
