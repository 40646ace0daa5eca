#include "quarks/action/hopping_expansion.hpp"

#include "quarks/action/wilson_action.hpp"

namespace plaq {

std::optional<double> hopping_diagonal(const Action& action) {
  const auto* parameters = parameters_of<WilsonParameters>(action);
  if (parameters == nullptr || parameters->has_clover() || parameters->twisted_mass != 0) return std::nullopt;
  return parameters->diagonal();
}

}  // namespace plaq
