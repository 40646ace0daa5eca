#include "gaugefix/ascent_launch_impl.hpp"

namespace plaq {

template void launch_gradient<BuildTarget, float, double>(const SweepCall&, const AscentCall&, bool,
                                                          SumBuffer&, const Queue&);
template void launch_curvature<BuildTarget, float, double>(const SweepCall&, const AscentCall&, SumBuffer&,
                                                           int, const Queue&);

}  // namespace plaq
