// The launches behind flows of improved actions and behind steps with an estimate of their error, for one
// machine and precision. Fields live on one geometry, extended or not.
#pragma once

#include "core/field/field.hpp"
#include "kernels/gauge/smearing_launch.hpp"
#include "kernels/site/loop_weights.hpp"

namespace plaq {

// kernels/site/improved_flow.hpp
template <class Target, class T>
struct FlowLaunch {
  // The force of the owned links. `gauge` with a filled halo of depth 2.
  static void force(const Field& gauge, Field& force, const LoopWeights& weights, const Queue& queue);
  // With share > 0 the halo of the force is filled.
  static void stage(const Field& gauge, const Field& force, Field& flowed, const Field& algebra,
                    const FlowStageCall& call, double share, const Queue& queue);
  // Largest square of the error over the owned links; waits.
  static double largest_error(const Field& start, const Field& end, const Field& first, const Field& second,
                              const Queue& queue);
};

}  // namespace plaq
