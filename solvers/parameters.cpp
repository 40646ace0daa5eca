#include "solvers/parameters.hpp"

#include <algorithm>

#include "core/system/error.hpp"

namespace plaq {
namespace {

template <class T>
void expect_one_each(const std::vector<T>& list, int batch) {
  require(list.empty() || list.size() == static_cast<std::size_t>(batch),
          "a solve takes one target, limit and flag for each right-hand side, or none");
}

}  // namespace

void StoppingCriteria::validate(int batch) const {
  expect_one_each(targets, batch);
  expect_one_each(iteration_limits, batch);
  require(tolerance >= 0 &&
              std::all_of(targets.begin(), targets.end(), [](double t) { return t >= 0 || t != t; }),
          "tolerances of a solve are not negative");
  require(max_iterations >= 0 && std::all_of(iteration_limits.begin(), iteration_limits.end(),
                                             [](int limit) { return limit >= 0; }),
          "limits of iterations are not negative");
}

void SolverParameters::validate(int batch) const {
  StoppingCriteria::validate(batch);
  expect_one_each(active, batch);
}

}  // namespace plaq
