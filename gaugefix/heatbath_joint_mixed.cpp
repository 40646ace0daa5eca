#include "gaugefix/joint_sweep_launch_impl.hpp"

namespace plaq {

template void launch_update_joint<float, double>(const SweepCall&, const HeatbathStep&, const PeerFlags&,
                                                 const Queue&);

}  // namespace plaq
