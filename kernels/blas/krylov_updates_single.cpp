#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, float, CgDirection>(const Vectors<CgDirection>&, const Coefficients*,
                                                      SumBuffer*, int, const Queue&);
template void launch<BuildTarget, float, CraigDirection>(const Vectors<CraigDirection>&, const Coefficients*,
                                                         SumBuffer*, int, const Queue&);
template void launch<BuildTarget, float, BicgstabDots>(const Vectors<BicgstabDots>&, const Coefficients*,
                                                       SumBuffer*, int, const Queue&);
template void launch<BuildTarget, float, BicgstabUpdate>(const Vectors<BicgstabUpdate>&, const Coefficients*,
                                                         SumBuffer*, int, const Queue&);
template void launch<BuildTarget, float, MrUpdate>(const Vectors<MrUpdate>&, const Coefficients*, SumBuffer*,
                                                   int, const Queue&);
template void launch<BuildTarget, float, ThreeDots>(const Vectors<ThreeDots>&, const Coefficients*,
                                                    SumBuffer*, int, const Queue&);
template void launch<BuildTarget, float, ThreeAxpys>(const Vectors<ThreeAxpys>&, const Coefficients*,
                                                     SumBuffer*, int, const Queue&);

}  // namespace plaq::blas
