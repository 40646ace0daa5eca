#include "kernels/dirac/staggered_launch_impl.hpp"

namespace plaq {

template void launch_staggered_hop<BuildTarget, float, 8>(const StaggeredHopCall&, Region, const Queue&);
template void launch_staggered_pack<BuildTarget, float, 8>(const StaggeredHopCall&, const Queue&);

}  // namespace plaq
