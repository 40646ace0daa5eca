#include "kernels/dirac/wilson_launch_impl.hpp"

namespace plaq {

template void launch_wilson_clover_hop<BuildTarget, Fixed16, 8>(const WilsonHopCall&, Region, const Queue&);

}  // namespace plaq
