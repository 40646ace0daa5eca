#include "kernels/dirac/wilson_launch_impl.hpp"

namespace plaq {

template void launch_wilson_hop<BuildTarget, double, 8>(const WilsonHopCall&, Region, const Queue&);
template void launch_wilson_pack<BuildTarget, double, 8>(const WilsonHopCall&, const Queue&);

}  // namespace plaq
