#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, Fixed16, CgDirection>(const Vectors<CgDirection>&, const Coefficients*,
                                                        SumBuffer*, int, const Queue&);
template void launch<BuildTarget, Fixed16, CraigDirection>(const Vectors<CraigDirection>&,
                                                           const Coefficients*, SumBuffer*, int,
                                                           const Queue&);
template void launch<BuildTarget, Fixed16, BicgstabDots>(const Vectors<BicgstabDots>&, const Coefficients*,
                                                         SumBuffer*, int, const Queue&);
template void launch<BuildTarget, Fixed16, BicgstabUpdate>(const Vectors<BicgstabUpdate>&,
                                                           const Coefficients*, SumBuffer*, int,
                                                           const Queue&);
template void launch<BuildTarget, Fixed16, MrUpdate>(const Vectors<MrUpdate>&, const Coefficients*,
                                                     SumBuffer*, int, const Queue&);
template void launch<BuildTarget, Fixed16, ThreeDots>(const Vectors<ThreeDots>&, const Coefficients*,
                                                      SumBuffer*, int, const Queue&);
template void launch<BuildTarget, Fixed16, ThreeAxpys>(const Vectors<ThreeAxpys>&, const Coefficients*,
                                                       SumBuffer*, int, const Queue&);

}  // namespace plaq::blas
