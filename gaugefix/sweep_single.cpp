#include "gaugefix/sweep_launch_impl.hpp"

namespace plaq {

template void launch_quality<BuildTarget, float, float>(const SweepCall&, SumBuffer&, const Queue&);
template void launch_gauge_pack<BuildTarget, float, float, float>(const SweepCall&, const Queue&);
template void launch_projection<BuildTarget, float>(Field&, const Queue&);
template void launch_random_start<BuildTarget, float>(Field&, std::uint64_t, const Queue&);
template void launch_expansion<BuildTarget, float>(Field&, const Field&, int, const Queue&);
template void launch_contraction<BuildTarget, float>(Field&, int, const Field&, const Queue&);

}  // namespace plaq
