#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {

template struct UpdateLaunch<BuildTarget, double, 6, CgDirection>;
template struct UpdateLaunch<BuildTarget, double, 6, CraigDirection>;
template struct UpdateLaunch<BuildTarget, double, 6, BicgstabDots>;
template struct UpdateLaunch<BuildTarget, double, 6, BicgstabUpdate>;
template struct UpdateLaunch<BuildTarget, double, 6, MrUpdate>;
template struct UpdateLaunch<BuildTarget, double, 6, ThreeDots>;
template struct UpdateLaunch<BuildTarget, double, 6, ThreeAxpys>;

}  // namespace plaq::blas
