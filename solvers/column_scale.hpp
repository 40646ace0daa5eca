// Linear systems whose right-hand sides are so small or large that squares of their numbers leave the range
// of a floating point number: they are solved as multiples by powers of two, which are exact.
#pragma once

#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"

namespace plaq {

class ColumnScale {
 public:
  // Collective. Reads b once, and twice where a column leaves the range. `precision`: the lowest one that the
  // solve stores b in without a scale of its own. Columns that are 0 or not finite keep their scale.
  ColumnScale(const ProcessGrid& grid, const Queue& queue, const Field& b, Precision precision);

  // True if any column is scaled. If not, scaled() and unscale() have nothing to do.
  bool any() const;
  // ||b|| of each column, as it is and times its scale.
  const std::vector<double>& norms() const { return norms_; }
  const std::vector<double>& scaled_norms() const { return scaled_norms_; }
  // A copy of b with each column times its scale.
  Field scaled(const Field& b) const;
  // Likewise of a guess of the solution; 0 in columns where it is out of all proportion to b. Collective.
  Field scaled_guess(const Field& x) const;
  // to = from, a solution of scaled(b), with each column over its scale.
  void unscale(Field& to, const Field& from) const;

 private:
  void multiply(Field& to, const Field& from, int sign) const;

  const ProcessGrid& grid_;
  Queue queue_;
  int range_;
  std::vector<int> exponents_;  // of the scales, which are powers of two
  std::vector<double> norms_, scaled_norms_;
};

// solve(x, b, norms of b) of columns within the range: of the fields themselves, or of scaled copies.
template <class Solve>
auto solve_scaled(const ProcessGrid& grid, const Queue& queue, Precision precision, Field& x, const Field& b,
                  const Solve& solve) {
  const ColumnScale scale(grid, queue, b, precision);
  if (!scale.any()) return solve(x, b, scale.norms());
  const Field scaled_b = scale.scaled(b);
  Field scaled_x = scale.scaled_guess(x);
  auto report = solve(scaled_x, scaled_b, scale.scaled_norms());
  scale.unscale(x, scaled_x);
  return report;
}

}  // namespace plaq
