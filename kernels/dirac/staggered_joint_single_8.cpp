#include "kernels/dirac/staggered_joint_launch_impl.hpp"

namespace plaq {

template void launch_staggered_joint<float, 8>(const StaggeredHopCall&, const PeerFlags&, const Queue&);

}  // namespace plaq
