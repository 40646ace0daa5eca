#include "dynamics/quark/sea_quark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/system/log.hpp"
#include "core/system/performance_region.hpp"
#include "kernels/blas/convert.hpp"
#include "kernels/blas/operations.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "solvers/krylov/hermitian_cg.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/krylov/multishift_cg.hpp"
#include "solvers/krylov/shifted_systems.hpp"
#include "solvers/mixed/reliable_update.hpp"

namespace plaq {
namespace {

// The result of the first right-hand side that did not converge.
const SolveResult& first_failure(const SolveReport& report) {
  for (const SolveResult& result : report.results)
    if (!result.converged()) return result;
  return report.results.at(0);
}

Precision next_above(Precision precision) {
  return precision == Precision::half_precision ? Precision::single_precision : Precision::double_precision;
}

std::vector<blas::Coefficients> ones(int batch) {
  std::vector<blas::Coefficients> one(static_cast<std::size_t>(batch));
  for (blas::Coefficients& c : one) c.value[0] = 1;
  return one;
}

}  // namespace

blas::Workspace& SeaQuark::work(int batch) {
  auto& made = work_[batch];
  if (!made) made = std::make_unique<blas::Workspace>(lattice_.queue, batch);
  return *made;
}

double SeaQuark::real_product(const Field& a, const Field& b) {
  const int batch = a.batch();
  auto local = blas::update_and_sum<blas::Dot>(
      work(batch), std::vector<blas::Coefficients>(static_cast<std::size_t>(batch)), {&a, &b});
  const auto sums = global_sums(*lattice_.grid, local);
  double sum = sums.at(0);
  for (std::size_t k = 1; k < static_cast<std::size_t>(batch); ++k) sum += sums.at(k * blas::Dot::sums);
  return sum;
}

void SeaQuark::add(Field& y, double factor, const Field& x) {
  std::vector<blas::Coefficients> all(static_cast<std::size_t>(y.batch()));
  for (blas::Coefficients& c : all) c.value[0] = factor;
  blas::update<blas::Triad>(work(y.batch()), all, {&y, &x, &y});
}

void SeaQuark::draw_vectors(Field& eta, std::uint64_t seed, std::uint32_t trajectory, int number) const {
  if (eta.batch() == 1) return draw_pseudofermion(eta, seed, trajectory, number, lattice_.queue);
  Field one = vector();
  for (int k = 0; k < eta.batch(); ++k) {
    draw_pseudofermion(one, seed, trajectory, number + k, lattice_.queue);
    lattice_.queue.synchronize();
    for (int s = 0; s < one.Ls(); ++s) copy_subfield(eta, k * one.Ls() + s, one, s);
  }
}

Precision SeaQuark::first_precision() const {
  if (settings_.inner_precision) return *settings_.inner_precision;
  return lattice_.location() == Location::device ? Precision::half_precision : Precision::single_precision;
}

std::string SeaQuark::shift_text(double shift) const { return fmt::format("shift {:.3g}", shift); }

// Iterations in a lower precision than double are reliable updates.
Solver& SeaQuark::conjugate_gradients(Precision inner, const std::vector<double>& shifts) {
  const auto batch = static_cast<int>(shifts.size());
  LinearOperator &low = shifted_in(inner, shifts), &exact = shifted_in(wide, shifts);
  auto& made = solvers_[{inner, batch}];
  if (made) return *made;
  auto cg = std::make_unique<HermitianCg>(low, batch);
  if (inner == wide)
    made = std::make_unique<KrylovSolver>(std::move(cg), *lattice_.grid, batch);
  else
    made = std::make_unique<ReliableUpdates>(exact, std::move(cg), *lattice_.grid, batch);
  return *made;
}

std::vector<std::size_t> SeaQuark::increasing(const std::vector<double>& numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return numbers[i] < numbers[j]; });
  return order;
}

std::int64_t SeaQuark::solve_by_cg(Field& x, const Field& b, std::vector<double> shifts, double tolerance,
                                   bool zero_guess) {
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = settings_.max_iterations;
  parameters.zero_guess = zero_guess;
  parameters.active.assign(shifts.size(), 1);
  parameters.active.resize(static_cast<std::size_t>(x.batch()), 0);
  shifts.resize(parameters.active.size(), 0);
  std::int64_t iterations = 0;
  for (Precision inner = first_precision();; inner = next_above(inner)) {
    const SolveReport report = conjugate_gradients(inner, shifts).solve(x, b, parameters);
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      const SolveResult& result = report.results[i];
      iterations += result.iterations;
      parameters.active[i] = parameters.active[i] && !result.converged();
      if (!parameters.active[i]) continue;
      const std::string what = fmt::format(
          "conjugate gradients for {}, {}: {} after {} iterations, the residual is {:.1e} and not {:.1e}",
          mass_text(), shift_text(shifts[i]), name_of(result.reason), result.iterations,
          result.residual_norm / result.source_norm, tolerance);
      if (inner == wide || result.reason == StopReason::max_iterations) throw MdFailure(what);
      log::warning(fmt::format("{}, iterated in {} precision; {} instead", what, name_of(inner),
                               name_of(next_above(inner))));
    }
    if (report.converged()) return iterations;
  }
}

// The last iterations of several shifts are in a batch: they share passes over the links, and each has the
// bits that it has alone.
std::int64_t SeaQuark::solve_shifts_by_cg(std::vector<Field>& x, const Field& b,
                                          const std::vector<double>& shifts, double tolerance) {
  const int batch = b.batch();
  if (first_precision() == wide) return solve_at_once(operator_in(wide, batch), x, b, shifts, tolerance);
  constexpr auto low = Precision::single_precision;
  constexpr double as_far_as_single = 1e-5;
  constexpr std::size_t most_together = 4;
  FieldSpec spec = vector_spec(batch);
  spec.precision = low;
  Field low_b(lattice_.geometry, spec);
  std::vector<Field> y;
  for (std::size_t i = 0; i < shifts.size(); ++i) y.emplace_back(lattice_.geometry, spec);
  const auto one = ones(batch);
  blas::convert(work(batch), one, low_b, b);
  std::int64_t iterations =
      solve_at_once(operator_in(low, batch), y, low_b, shifts, std::max(tolerance, as_far_as_single));
  const PerformanceRegion region(
      "last iterations of shifts");  // of a few: no loop that is as long as data want
  std::vector<ShiftedSystem> systems;
  for (const std::size_t i : increasing(shifts)) {
    blas::convert(work(batch), one, x[i], y[i]);
    for (int rhs = 0; rhs < batch; ++rhs) systems.push_back({i, static_cast<std::size_t>(rhs)});
  }
  const auto together = static_cast<int>(std::min(most_together, systems.size()));
  Field group_x = vector(together), group_b = vector(together);
  solve_in_groups(x, b, systems, group_x, group_b, lattice_.queue, [&](std::size_t first, std::size_t count) {
    std::vector<double> of_group;
    for (std::size_t k = first; k < first + count; ++k) of_group.push_back(shifts[systems[k].shift]);
    iterations += solve_by_cg(group_x, group_b, of_group, tolerance, false);
  });
  return iterations;
}

// In the precision of `a`, A in some storage. Returns the iterations of the common space and of single
// shifts. The residual of b in single precision may miss the tolerance.
std::int64_t SeaQuark::solve_at_once(LinearOperator& a, std::vector<Field>& x, const Field& b,
                                     const std::vector<double>& shifts, double tolerance) {
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = settings_.max_iterations;
  MultishiftCg solver(a, *lattice_.grid, b.batch(), shifts);
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
