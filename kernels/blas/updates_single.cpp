#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, float, Copy>(const Vectors<Copy>&, const Coefficients*, SumBuffer*,
                                               const Queue&);
template void launch<BuildTarget, float, Triad>(const Vectors<Triad>&, const Coefficients*, SumBuffer*,
                                                const Queue&);
template void launch<BuildTarget, float, Norm>(const Vectors<Norm>&, const Coefficients*, SumBuffer*,
                                               const Queue&);
template void launch<BuildTarget, float, Dot>(const Vectors<Dot>&, const Coefficients*, SumBuffer*,
                                              const Queue&);
template void launch<BuildTarget, float, DotNorm>(const Vectors<DotNorm>&, const Coefficients*, SumBuffer*,
                                                  const Queue&);
template void launch<BuildTarget, float, Residual>(const Vectors<Residual>&, const Coefficients*, SumBuffer*,
                                                   const Queue&);
template void launch<BuildTarget, float, Xpay>(const Vectors<Xpay>&, const Coefficients*, SumBuffer*,
                                               const Queue&);
template void launch<BuildTarget, float, Axpy>(const Vectors<Axpy>&, const Coefficients*, SumBuffer*,
                                               const Queue&);
template void launch<BuildTarget, float, CgUpdate>(const Vectors<CgUpdate>&, const Coefficients*, SumBuffer*,
                                                   const Queue&);
template void launch<BuildTarget, float, BicgstabSolution>(const Vectors<BicgstabSolution>&,
                                                           const Coefficients*, SumBuffer*, const Queue&);
template void launch<BuildTarget, float, BicgstabResidual>(const Vectors<BicgstabResidual>&,
                                                           const Coefficients*, SumBuffer*, const Queue&);
template void launch<BuildTarget, float, BicgstabDirection>(const Vectors<BicgstabDirection>&,
                                                            const Coefficients*, SumBuffer*, const Queue&);
template void launch_slice_norms<BuildTarget, float>(const Field&, const Coefficients*, SumBuffer&,
                                                     const Queue&);

}  // namespace plaq::blas
