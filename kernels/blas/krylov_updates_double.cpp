#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {

template struct UpdateLaunch<BuildTarget, double, 24, CgDirection>;
template struct UpdateLaunch<BuildTarget, double, 24, CraigDirection>;
template struct UpdateLaunch<BuildTarget, double, 24, BicgstabDots>;
template struct UpdateLaunch<BuildTarget, double, 24, BicgstabUpdate>;
template struct UpdateLaunch<BuildTarget, double, 24, MrUpdate>;
template struct UpdateLaunch<BuildTarget, double, 24, ThreeDots>;
template struct UpdateLaunch<BuildTarget, double, 24, ThreeAxpys>;

}  // namespace plaq::blas
