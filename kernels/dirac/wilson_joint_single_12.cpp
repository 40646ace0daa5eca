#include "kernels/dirac/wilson_joint_launch_impl.hpp"

namespace plaq {

template void launch_wilson_joint<float, 12>(const WilsonHopCall&, const PeerFlags&, const Queue&);

}  // namespace plaq
