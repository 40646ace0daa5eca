#include "kernels/dirac/clover_launch_impl.hpp"

namespace plaq {

template void launch_clover_apply<BuildTarget, float>(const CloverApplyCall&, const Queue&);

}  // namespace plaq
