#include "gaugefix/sweep_launch_impl.hpp"

namespace plaq {

template void launch_update<BuildTarget, float, double>(const SweepCall&, const RelaxationStep&, Region,
                                                        const Queue&);

}  // namespace plaq
