#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, float, CgDirection>(const Vectors<CgDirection>&, const CoefficientList&,
                                                      SumBuffer*, int, const Queue&);
template void launch<BuildTarget, float, CraigDirection>(const Vectors<CraigDirection>&,
                                                         const CoefficientList&, SumBuffer*, int,
                                                         const Queue&);
template void launch<BuildTarget, float, BicgstabDots>(const Vectors<BicgstabDots>&, const CoefficientList&,
                                                       SumBuffer*, int, const Queue&);
template void launch<BuildTarget, float, BicgstabUpdate>(const Vectors<BicgstabUpdate>&,
                                                         const CoefficientList&, SumBuffer*, int,
                                                         const Queue&);
template void launch<BuildTarget, float, MrUpdate>(const Vectors<MrUpdate>&, const CoefficientList&,
                                                   SumBuffer*, int, const Queue&);
template void launch<BuildTarget, float, ThreeDots>(const Vectors<ThreeDots>&, const CoefficientList&,
                                                    SumBuffer*, int, const Queue&);
template void launch<BuildTarget, float, ThreeAxpys>(const Vectors<ThreeAxpys>&, const CoefficientList&,
                                                     SumBuffer*, int, const Queue&);

}  // namespace plaq::blas
