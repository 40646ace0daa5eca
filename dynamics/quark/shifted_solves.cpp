// Systems of WilsonQuark with several shifts: the poles of rational functions.
#include <algorithm>
#include <cmath>

#include "core/system/performance_region.hpp"
#include "dynamics/quark/multigrid_solves.hpp"
#include "dynamics/quark/wilson_operators.hpp"
#include "dynamics/trajectory_clock.hpp"

namespace plaq {
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

}  // namespace plaq
