#include "observables/gauge/static_loops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "comms/start/shared_lattice.hpp"
#include "core/system/dry_run.hpp"
#include "kernels/gauge/wilson_loops.hpp"

namespace plaq {

int StaticLoopSettings::largest_r(const Extents& extents) const {
  return max_r.value_or(*std::min_element(extents.begin(), extents.begin() + 3) / 2);
}

int StaticLoopSettings::largest_t(const Extents& extents) const { return max_t.value_or(extents[3] / 2); }

LoopStep loop_step(const std::string& digits) {
  LoopStep step{};
  for (std::size_t k = 0; k < 3; ++k) step[k] = digits.at(k) - '0';
  return step;
}

int multiples_of(const LoopStep& step, int max_r) {
  return max_r / *std::max_element(step.begin(), step.end());
}

std::optional<LoopFault> validate_loops(const StaticLoopSettings& settings, const Extents& extents) {
  const int max_r = settings.largest_r(extents), max_t = settings.largest_t(extents);
  const auto beyond = [&](const char* setting, int value, int most,
                          const char* of) -> std::optional<LoopFault> {
    if (value <= most) return std::nullopt;
    return LoopFault{
        setting, fmt::format("{} is above {}, {} of the lattice {}", value, most, of, to_string(extents))};
  };
  if (const auto fault = beyond("max_r", max_r, *std::min_element(extents.begin(), extents.begin() + 3),
                                "the smallest extent in space"))
    return fault;
  if (const auto fault = beyond("max_t", max_t, extents[3], "the extent in time")) return fault;
  for (const std::string& digits : settings.directions)
    if (multiples_of(loop_step(digits), max_r) == 0)
      return LoopFault{"directions", fmt::format("\"{}\" is longer than max_r = {}", digits, max_r)};
  return std::nullopt;
}

std::vector<StaticLoops> static_loops(const SharedLattice& lattice, const Field& gauge,
                                      const StaticLoopSettings& settings) {
  const Phase phase("Wilson loops");
  const Extents& extents = lattice.geometry->global();
  const int slices = settings.largest_t(extents);
  WilsonLoops loops(*lattice.grid, gauge, lattice.transport);
  std::vector<StaticLoops> all;
  for (const std::string& digits : settings.directions) {
    const LoopStep step = loop_step(digits);
    const int multiples = multiples_of(step, settings.largest_r(extents));
    all.push_back({step, multiples, slices, loops(gauge, step, multiples, slices, lattice.queue)});
  }
  return all;
}

}  // namespace plaq
