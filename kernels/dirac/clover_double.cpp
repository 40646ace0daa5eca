#include "kernels/dirac/clover_launch_impl.hpp"

namespace plaq {

template void launch_clover_term<BuildTarget>(const CloverTermCall&, const Queue&);
template void launch_clover_inverse<BuildTarget>(const Field&, Field&, int, const Queue&, SumBuffer&);
template void launch_clover_apply<BuildTarget, double>(const CloverApplyCall&, const Queue&);

}  // namespace plaq
