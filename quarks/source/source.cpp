#include "quarks/source/source.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"

namespace plaq {

std::optional<ParameterFault> Source::fault(const Extents& lattice) const {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (position_[mu] < 0 || position_[mu] >= lattice[mu])
      return ParameterFault{"position", fmt::format("{} = {} is outside the lattice, must be 0 to {}",
                                                    "xyzt"[mu], position_[mu], lattice[mu] - 1)};
  return std::nullopt;
}

void Source::expect_on(const Extents& lattice) const {
  if (const auto wrong = fault(lattice))
    throw Error(ErrorKind::usage, fmt::format("a {} source on the lattice {}: {}: {}", type(),
                                              to_string(lattice), wrong->parameter, wrong->what));
}

}  // namespace plaq
