#include "kernels/gauge/smearing_launch_impl.hpp"

namespace plaq {

template void launch_ape<BuildTarget, double>(const Field&, Field&, const ApeCall&, const Queue&);
template void launch_stout<BuildTarget, double>(const Field&, Field&, const StoutCall&, const Queue&);
template void launch_flow_stage<BuildTarget, double>(const Field&, Field&, const Field&, const FlowStageCall&,
                                                     const Queue&);
template void launch_clover_sums<BuildTarget, double>(const Field&, const Queue&, SumBuffer&);

}  // namespace plaq
