#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {

template struct UpdateLaunch<BuildTarget, Fixed16, 24, Copy>;
template struct UpdateLaunch<BuildTarget, Fixed16, 24, Zero>;
template struct UpdateLaunch<BuildTarget, Fixed16, 24, Scale>;
template struct UpdateLaunch<BuildTarget, Fixed16, 24, Triad>;
template struct UpdateLaunch<BuildTarget, Fixed16, 24, Norm>;
template struct UpdateLaunch<BuildTarget, Fixed16, 24, Dot>;
template struct UpdateLaunch<BuildTarget, Fixed16, 24, DotNorm>;
template struct UpdateLaunch<BuildTarget, Fixed16, 24, Residual>;
template struct UpdateLaunch<BuildTarget, Fixed16, 24, Axpby>;
template struct UpdateLaunch<BuildTarget, Fixed16, 24, Axpy>;
template struct UpdateLaunch<BuildTarget, Fixed16, 24, AxpyNorm>;

}  // namespace plaq::blas
