#include "gaugefix/ascent_launch_impl.hpp"

namespace plaq {

template void launch_gradient<BuildTarget, float, float>(const SweepCall&, const AscentCall&, bool,
                                                         SumBuffer&, const Queue&);
template void launch_curvature<BuildTarget, float, float>(const SweepCall&, const AscentCall&, SumBuffer&,
                                                          int, const Queue&);
template void launch_step<BuildTarget, float>(Field&, const AscentCall&, const StepWeights*, const Queue&);
template void launch_algebra_pack<BuildTarget, float>(const Field&, const AscentCall&, const Queue&);

}  // namespace plaq
