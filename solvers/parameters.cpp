#include "solvers/parameters.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace plaq {

void SolverParameters::validate(int batch) const {
  const auto one_each = [&](const auto& list) {
    return list.empty() || list.size() == static_cast<std::size_t>(batch);
  };
  require(one_each(targets) && one_each(active) && one_each(iteration_limits),
          "a solve takes one target, limit and flag for each right-hand side, or none");
  require(tolerance >= 0 &&
              std::all_of(targets.begin(), targets.end(), [](double t) { return t >= 0 || t != t; }),
          "tolerances of a solve are not negative");
  require(max_iterations >= 0 && std::all_of(iteration_limits.begin(), iteration_limits.end(),
                                             [](int limit) { return limit >= 0; }),
          "limits of iterations are not negative");
  require(delta > 0 && delta < 1, "delta of reliable updates is between 0 and 1");
  require(inner_tolerance > 0 && inner_tolerance < 1, "the inner tolerance is between 0 and 1");
}

}  // namespace plaq
