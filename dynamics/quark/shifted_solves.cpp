// Systems of WilsonQuark with several shifts: the poles of rational functions.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/system/performance_region.hpp"
#include "dynamics/quark/multigrid_solves.hpp"
#include "dynamics/quark/wilson_operators.hpp"
#include "dynamics/trajectory_clock.hpp"
#include "kernels/blas/convert.hpp"
#include "solvers/krylov/shifted_systems.hpp"

namespace plaq {
namespace {

std::vector<std::size_t> increasing(const std::vector<double>& numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return numbers[i] < numbers[j]; });
  return order;
}

}  // namespace

// Shifts in increasing order by multigrid, as long as it pays and does not fail. Each one begins with the
// extrapolation of the last solutions.
std::int64_t WilsonQuark::solve_shifts(std::vector<Field>& x, const Field& b,
                                       const std::vector<double>& shifts, double tolerance) {
  require(parameters_.twisted_mass == 0 && form_ == Form::asymmetric,
          "shifts of quarks whose Q is not Hermitian");
  const TimedPart part(TrajectoryPart::solves);
  if (!multigrid_) return solve_shifts_by_cg(x, b, shifts, tolerance);
  std::vector<Field> sorted_x;
  std::vector<double> sorted;
  for (const std::size_t i : increasing(shifts)) {
    sorted_x.push_back(x[i]);
    sorted.push_back(shifts[i]);
  }
  std::int64_t iterations = 0;
  const auto k = static_cast<std::ptrdiff_t>(
      b.subfields() == 1 ? smallest_by_multigrid(sorted_x, b, sorted, tolerance, iterations)
                         : smallest_of_each(sorted_x, b, sorted, tolerance, iterations));
  sorted_x.erase(sorted_x.begin(), sorted_x.begin() + k);
  sorted.erase(sorted.begin(), sorted.begin() + k);
  return sorted.empty() ? iterations : iterations + solve_shifts_by_cg(sorted_x, b, sorted, tolerance);
}

// Returns how many of the increasing shifts were solved.
std::size_t WilsonQuark::smallest_by_multigrid(std::vector<Field>& x, const Field& b,
                                               const std::vector<double>& shifts, double tolerance,
                                               std::int64_t& iterations) {
  std::size_t k = 0;
  for (; k < shifts.size(); ++k) {
    const RegionLabel label("poles");
    extrapolate(x, shifts, k);
    const auto found = solve_by_multigrid(x[k], b, std::sqrt(shifts[k]), tolerance, k == 0, [&] {
      return static_cast<int>(k) < multigrid_->shifts_that_pay(shifts, lowest_);
    });
    if (!found) break;
    iterations += *found;
  }
  return k;
}

// Acts like smallest_by_multigrid() for each right-hand side of a batch. Returns how many shifts were solved
// for all of them.
std::size_t WilsonQuark::smallest_of_each(std::vector<Field>& x, const Field& b,
                                          const std::vector<double>& shifts, double tolerance,
                                          std::int64_t& iterations) {
  std::size_t of_all = shifts.size();
  Field one = vector();
  std::vector<Field> solutions;
  for (std::size_t i = 0; i < shifts.size(); ++i) solutions.push_back(vector());
  for (int rhs = 0; rhs < b.subfields(); ++rhs) {
    lattice_.queue.synchronize();
    copy_subfield(one, 0, b, rhs);
    const std::size_t k = smallest_by_multigrid(solutions, one, shifts, tolerance, iterations);
    of_all = std::min(of_all, k);
    lattice_.queue.synchronize();
    for (std::size_t i = 0; i < k; ++i) copy_subfield(x[i], rhs, solutions[i], 0);
  }
  return of_all;
}

// x_k of a polynomial in the shift through the solutions before. Where an eigenvalue of S^dagger S is lambda,
// the product of |shift_k - shift_j|/(lambda + shift_j) is left of b.
void WilsonQuark::extrapolate(std::vector<Field>& x, const std::vector<double>& shifts, std::size_t k) {
  constexpr std::size_t most = 2;  // higher polynomials make the lowest modes large
  const std::size_t first = k > most ? k - most : 0;
  lattice_.queue.zero_async(x[k].data(0, 0), x[k].bytes());
  for (std::size_t j = first; j < k; ++j) {
    double c = 1;
    for (std::size_t i = first; i < k; ++i)
      if (i != j) c *= (shifts[k] - shifts[i]) / (shifts[j] - shifts[i]);
    add(x[k], c, x[j]);
  }
}

// In single precision as far as that goes, and each shift from there on, several in a batch: they share
// passes over the links, and each has the bits that it has alone.
std::int64_t WilsonQuark::solve_shifts_by_cg(std::vector<Field>& x, const Field& b,
                                             const std::vector<double>& shifts, double tolerance) {
  if (first_precision() == wide)
    return solve_at_once(operators_->in(wide, b.subfields()).normal, x, b, shifts, tolerance);
  constexpr auto low = Precision::single_precision;
  constexpr double as_far_as_single = 1e-5;
  constexpr std::size_t most_together = 4;
  const int batch = b.subfields();
  const FieldSpec spec = spinor_spec(Subset::even, batch, low, lattice_.location());
  Field low_b(lattice_.geometry, spec);
  std::vector<Field> y;
  for (std::size_t i = 0; i < shifts.size(); ++i) y.emplace_back(lattice_.geometry, spec);
  std::vector<blas::Coefficients> one(static_cast<std::size_t>(batch));
  for (blas::Coefficients& c : one) c.value[0] = 1;
  blas::convert(work(batch), one, low_b, b);
  std::int64_t iterations = solve_at_once(operators_->in(low, batch).normal, y, low_b, shifts,
                                          std::max(tolerance, as_far_as_single));
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

}  // namespace plaq
