#include "kernels/gauge/smearing_launch_impl.hpp"

namespace plaq {

template void launch_ape<BuildTarget, float>(const Field&, Field&, const ApeCall&, const Queue&);
template void launch_stout<BuildTarget, float>(const Field&, Field&, const StoutCall&, const Queue&);
template void launch_flow_stage<BuildTarget, float>(const Field&, Field&, const Field&, const FlowStageCall&,
                                                    const Queue&);
template void launch_clover_sums<BuildTarget, float>(const Field&, const Queue&, SumBuffer&);

}  // namespace plaq
