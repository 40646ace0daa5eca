// The launches behind updates with any gauge action of loops, for one machine and precision.
#pragma once

#include <cstdint>

#include "core/field/field.hpp"
#include "core/lattice/domain.hpp"
#include "kernels/site/loop_weights.hpp"

namespace plaq {

struct LoopHeatbathCall {
  LoopWeights weights;
  std::uint64_t seed;
  std::uint32_t sweep;
};

// Links U_mu at `sites` of one parity, in none of each other's staples.
template <class Target, class T>
void launch_loop_heatbath(Field& gauge, const LoopHeatbathCall& call, int mu, int parity, const Domain& sites,
                          const Queue& queue);
template <class Target, class T>
void launch_loop_overrelaxation(Field& gauge, const LoopWeights& weights, int mu, int parity,
                                const Domain& sites, const Queue& queue);

}  // namespace plaq
