#include "gaugefix/sweep_launch_impl.hpp"

namespace plaq {

template void launch_relaxation<BuildTarget, float, double>(const SweepCall&, const RelaxationStep&, Region,
                                                            const Queue&);
template void launch_quality<BuildTarget, float, double>(const SweepCall&, SumBuffer&, const Queue&);
template void launch_gauge_pack<BuildTarget, float, double>(const SweepCall&, const Queue&);

}  // namespace plaq
