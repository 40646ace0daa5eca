#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, double, CgDirection>(const Vectors<CgDirection>&, const CoefficientList&,
                                                       SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, CraigDirection>(const Vectors<CraigDirection>&,
                                                          const CoefficientList&, SumBuffer*, int,
                                                          const Queue&);
template void launch<BuildTarget, double, BicgstabDots>(const Vectors<BicgstabDots>&, const CoefficientList&,
                                                        SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, BicgstabUpdate>(const Vectors<BicgstabUpdate>&,
                                                          const CoefficientList&, SumBuffer*, int,
                                                          const Queue&);
template void launch<BuildTarget, double, MrUpdate>(const Vectors<MrUpdate>&, const CoefficientList&,
                                                    SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, ThreeDots>(const Vectors<ThreeDots>&, const CoefficientList&,
                                                     SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, ThreeAxpys>(const Vectors<ThreeAxpys>&, const CoefficientList&,
                                                      SumBuffer*, int, const Queue&);

}  // namespace plaq::blas
