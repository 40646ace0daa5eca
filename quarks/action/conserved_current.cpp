#include "quarks/action/conserved_current.hpp"

#include "quarks/action/wilson_action.hpp"

namespace plaq {

std::optional<std::array<double, 4>> conserved_current_weights(const Action& action) {
  const auto* parameters = parameters_of<WilsonParameters>(action);
  if (parameters == nullptr) return std::nullopt;
  const double space = parameters->nu / parameters->xi;
  return std::array<double, 4>{space, space, space, 1};
}

}  // namespace plaq
