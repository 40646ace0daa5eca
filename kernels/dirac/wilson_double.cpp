#include "kernels/dirac/wilson_launch_impl.hpp"

namespace plaq {

template void launch_wilson_hop<BuildTarget, double>(const WilsonHopCall&, Region, const Queue&);
template void launch_wilson_pack<BuildTarget, double>(const WilsonHopCall&, const Queue&);

}  // namespace plaq
