#include "gaugefix/sweep_launch_impl.hpp"

namespace plaq {

template void launch_quality<BuildTarget, float, double>(const SweepCall&, SumBuffer&, const Queue&);
template void launch_gauge_pack<BuildTarget, float, double, float>(const SweepCall&, const Queue&);
template void launch_gauge_pack<BuildTarget, float, double, double>(const SweepCall&, const Queue&);

}  // namespace plaq
