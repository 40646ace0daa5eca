#include "kernels/dirac/staggered_launch_impl.hpp"

namespace plaq {

template void launch_staggered_hop<BuildTarget, Fixed16, 12>(const StaggeredHopCall&, Region, const Queue&);
template void launch_staggered_pack<BuildTarget, Fixed16, 12>(const StaggeredHopCall&, const Queue&);

}  // namespace plaq
