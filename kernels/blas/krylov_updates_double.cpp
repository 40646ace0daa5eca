#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, double, CgDirection>(const Vectors<CgDirection>&, const Coefficients*,
                                                       SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, CraigDirection>(const Vectors<CraigDirection>&, const Coefficients*,
                                                          SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, BicgstabDots>(const Vectors<BicgstabDots>&, const Coefficients*,
                                                        SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, BicgstabUpdate>(const Vectors<BicgstabUpdate>&, const Coefficients*,
                                                          SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, MrUpdate>(const Vectors<MrUpdate>&, const Coefficients*, SumBuffer*,
                                                    int, const Queue&);
template void launch<BuildTarget, double, ThreeDots>(const Vectors<ThreeDots>&, const Coefficients*,
                                                     SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, ThreeAxpys>(const Vectors<ThreeAxpys>&, const Coefficients*,
                                                      SumBuffer*, int, const Queue&);

}  // namespace plaq::blas
