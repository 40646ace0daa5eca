#include "gaugefix/ascent_launch_impl.hpp"

namespace plaq {

template void launch_gradient<BuildTarget, double, double>(const SweepCall&, const AscentCall&, bool,
                                                           SumBuffer&, const Queue&);
template void launch_curvature<BuildTarget, double, double>(const SweepCall&, const AscentCall&, SumBuffer&,
                                                            int, const Queue&);
template void launch_step<BuildTarget, double>(Field&, const AscentCall&, const StepWeights*, const Queue&);
template void launch_algebra_pack<BuildTarget, double>(const Field&, const AscentCall&, const Queue&);

}  // namespace plaq
