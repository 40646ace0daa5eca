#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {

template struct UpdateLaunch<BuildTarget, Fixed16, 6, Copy>;
template struct UpdateLaunch<BuildTarget, Fixed16, 6, Zero>;
template struct UpdateLaunch<BuildTarget, Fixed16, 6, Scale>;
template struct UpdateLaunch<BuildTarget, Fixed16, 6, Triad>;
template struct UpdateLaunch<BuildTarget, Fixed16, 6, Norm>;
template struct UpdateLaunch<BuildTarget, Fixed16, 6, Dot>;
template struct UpdateLaunch<BuildTarget, Fixed16, 6, DotNorm>;
template struct UpdateLaunch<BuildTarget, Fixed16, 6, Residual>;
template struct UpdateLaunch<BuildTarget, Fixed16, 6, Axpby>;
template struct UpdateLaunch<BuildTarget, Fixed16, 6, Axpy>;
template struct UpdateLaunch<BuildTarget, Fixed16, 6, AxpyNorm>;

}  // namespace plaq::blas
