#include "gaugefix/joint_sweep_launch_impl.hpp"

namespace plaq {

template void launch_update_joint<float, float>(const SweepCall&, const GroupOverrelaxationStep&,
                                                const PeerFlags&, const Queue&);

}  // namespace plaq
