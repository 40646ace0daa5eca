#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {

template struct UpdateLaunch<BuildTarget, double, 24, Copy>;
template struct UpdateLaunch<BuildTarget, double, 24, Zero>;
template struct UpdateLaunch<BuildTarget, double, 24, Scale>;
template struct UpdateLaunch<BuildTarget, double, 24, Triad>;
template struct UpdateLaunch<BuildTarget, double, 24, Norm>;
template struct UpdateLaunch<BuildTarget, double, 24, Dot>;
template struct UpdateLaunch<BuildTarget, double, 24, DotNorm>;
template struct UpdateLaunch<BuildTarget, double, 24, Residual>;
template struct UpdateLaunch<BuildTarget, double, 24, Axpby>;
template struct UpdateLaunch<BuildTarget, double, 24, Axpy>;
template struct UpdateLaunch<BuildTarget, double, 24, AxpyNorm>;
template struct SliceNormsLaunch<BuildTarget, double, 24>;

}  // namespace plaq::blas
