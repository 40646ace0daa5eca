// The launches behind kernels/gauge/gauge_action.hpp for one machine and precision.
#pragma once

#include "core/field/field.hpp"
#include "core/sums/sum_buffer.hpp"
#include "kernels/site/loop_weights.hpp"

namespace plaq {

// Six sums over the owned sites, kernels/site/loop_staple.hpp.
template <class Target, class T>
void launch_loop_sums(const Field& gauge, bool rectangles, bool chairs, const Queue& queue, SumBuffer& sums);
template <class Target, class T>
void launch_gauge_force(Field& force, const Field& gauge, const LoopWeights& weights, const Queue& queue);

}  // namespace plaq
