#include "dynamics/quark/sea_quark.hpp"

#include <fmt/format.h>

#include "kernels/blas/operations.hpp"
#include "solvers/krylov/multishift_cg.hpp"

namespace plaq {
namespace {

// The result of the first right-hand side that did not converge.
const SolveResult& first_failure(const SolveReport& report) {
  for (const SolveResult& result : report.results)
    if (!result.converged()) return result;
  return report.results.at(0);
}

}  // namespace

blas::Workspace& SeaQuark::work(int batch) {
  auto& made = work_[batch];
  if (!made) made = std::make_unique<blas::Workspace>(lattice_.queue, batch);
  return *made;
}

double SeaQuark::real_product(const Field& a, const Field& b) {
  const int batch = a.subfields();
  auto local = blas::update_and_sum<blas::Dot>(
      work(batch), std::vector<blas::Coefficients>(static_cast<std::size_t>(batch)), {&a, &b});
  const auto sums = global_sums(*lattice_.grid, local);
  double sum = sums.at(0);
  for (std::size_t k = 1; k < static_cast<std::size_t>(batch); ++k) sum += sums.at(k * blas::Dot::sums);
  return sum;
}

void SeaQuark::add(Field& y, double factor, const Field& x) {
  std::vector<blas::Coefficients> all(static_cast<std::size_t>(y.subfields()));
  for (blas::Coefficients& c : all) c.value[0] = factor;
  blas::update<blas::Triad>(work(y.subfields()), all, {&y, &x, &y});
}

std::int64_t SeaQuark::solve_at_once(LinearOperator& a, std::vector<Field>& x, const Field& b,
                                     const std::vector<double>& shifts, double tolerance) {
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = settings_.max_iterations;
  MultishiftCg solver(a, *lattice_.grid, b.subfields(), shifts);
  const MultishiftReport report = solver.solve(x, b, parameters);
  std::int64_t iterations = report.iterations;
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const SolveReport& of_shift = report.shifts[i];
    for (std::size_t k = 1; k < of_shift.attempts.size(); ++k) iterations += of_shift.attempts[k].iterations;
    if (b.precision() != Precision::double_precision || of_shift.converged()) continue;
    const SolveResult& result = first_failure(of_shift);
    throw MdFailure(fmt::format(
        "multi-shift conjugate gradients for {}, shift {:.3g}: {} after {} iterations, the residual is "
        "{:.1e} and not {:.1e}",
        mass_text(), shifts[i], name_of(result.reason), result.iterations,
        result.residual_norm / result.source_norm, tolerance));
  }
  return iterations;
}

}  // namespace plaq
