#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, Fixed16, CgDirection>(const Vectors<CgDirection>&, const CoefficientList&,
                                                        SumBuffer*, int, const Queue&);
template void launch<BuildTarget, Fixed16, CraigDirection>(const Vectors<CraigDirection>&,
                                                           const CoefficientList&, SumBuffer*, int,
                                                           const Queue&);
template void launch<BuildTarget, Fixed16, BicgstabDots>(const Vectors<BicgstabDots>&, const CoefficientList&,
                                                         SumBuffer*, int, const Queue&);
template void launch<BuildTarget, Fixed16, BicgstabUpdate>(const Vectors<BicgstabUpdate>&,
                                                           const CoefficientList&, SumBuffer*, int,
                                                           const Queue&);
template void launch<BuildTarget, Fixed16, MrUpdate>(const Vectors<MrUpdate>&, const CoefficientList&,
                                                     SumBuffer*, int, const Queue&);
template void launch<BuildTarget, Fixed16, ThreeDots>(const Vectors<ThreeDots>&, const CoefficientList&,
                                                      SumBuffer*, int, const Queue&);
template void launch<BuildTarget, Fixed16, ThreeAxpys>(const Vectors<ThreeAxpys>&, const CoefficientList&,
                                                       SumBuffer*, int, const Queue&);

}  // namespace plaq::blas
