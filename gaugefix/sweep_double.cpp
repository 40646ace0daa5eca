#include "gaugefix/sweep_launch_impl.hpp"

namespace plaq {

template void launch_quality<BuildTarget, double, double>(const SweepCall&, SumBuffer&, const Queue&);
template void launch_gauge_pack<BuildTarget, double, double, double>(const SweepCall&, const Queue&);
template void launch_projection<BuildTarget, double>(Field&, const Queue&);
template void launch_random_start<BuildTarget, double>(Field&, std::uint64_t, const Queue&);
template void launch_expansion<BuildTarget, double>(Field&, const Field&, int, const Queue&);
template void launch_contraction<BuildTarget, double>(Field&, int, const Field&, const Queue&);

}  // namespace plaq
