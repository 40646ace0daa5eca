#include "kernels/dirac/staggered_launch_impl.hpp"

namespace plaq {

template void launch_staggered_hop<BuildTarget, double, 8>(const StaggeredHopCall&, Region, const Queue&);
template void launch_staggered_pack<BuildTarget, double, 8>(const StaggeredHopCall&, const Queue&);

}  // namespace plaq
