#include "solvers/eigen/singular_range.hpp"

#include <cmath>

#include "core/system/error.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {

SingularRange singular_range(LinearOperator& a, const ProcessGrid& grid, const Field& start,
                             const SingularRangeParameters& parameters) {
  require(parameters.accuracy > 0, "singular values are asked for with an accuracy that is not positive");
  NormalOperator normal(a, 1);
  Lanczos lanczos(normal, grid, parameters.basis);
  LanczosParameters p;
  p.tolerance = 0;
  p.relative_tolerance = parameters.accuracy;
  p.max_applications = parameters.max_applications;
  SingularRange range;
  p.end = SpectrumEnd::highest;
  range.high = lanczos.run(start, p);
  p.end = SpectrumEnd::lowest;
  p.filter_degree = parameters.filter_degree;
  range.low = lanczos.run(start, p);
  const auto root = [](double x) { return x > 0 ? std::sqrt(x) : 0; };
  if (!range.high.values.empty()) {
    range.largest = root(range.high.values[0]);
    range.above = root(range.high.values[0] + range.high.bounds[0]);
  }
  if (!range.low.values.empty()) {
    range.smallest = root(range.low.values[0]);
    range.below = root(range.low.values[0] - range.low.bounds[0]);
  }
  return range;
}

}  // namespace plaq
