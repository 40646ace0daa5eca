#include "gaugefix/joint_sweep_launch_impl.hpp"

namespace plaq {

template void launch_update_joint<double, double>(const SweepCall&, const RelaxationStep&, const PeerFlags&,
                                                  const Queue&);

}  // namespace plaq
