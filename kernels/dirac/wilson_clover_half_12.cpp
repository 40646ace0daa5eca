#include "kernels/dirac/wilson_clover_launch_impl.hpp"

namespace plaq {

template void launch_wilson_clover_hop<Fixed16, 12>(const WilsonHopCall&, Region, const Queue&);

}  // namespace plaq
