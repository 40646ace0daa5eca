#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, double, Copy>(const Vectors<Copy>&, const Coefficients*, SumBuffer*,
                                                const Queue&);
template void launch<BuildTarget, double, Triad>(const Vectors<Triad>&, const Coefficients*, SumBuffer*,
                                                 const Queue&);
template void launch<BuildTarget, double, Norm>(const Vectors<Norm>&, const Coefficients*, SumBuffer*,
                                                const Queue&);
template void launch<BuildTarget, double, Dot>(const Vectors<Dot>&, const Coefficients*, SumBuffer*,
                                               const Queue&);
template void launch<BuildTarget, double, DotNorm>(const Vectors<DotNorm>&, const Coefficients*, SumBuffer*,
                                                   const Queue&);
template void launch<BuildTarget, double, Residual>(const Vectors<Residual>&, const Coefficients*, SumBuffer*,
                                                    const Queue&);
template void launch<BuildTarget, double, Xpay>(const Vectors<Xpay>&, const Coefficients*, SumBuffer*,
                                                const Queue&);
template void launch<BuildTarget, double, Axpy>(const Vectors<Axpy>&, const Coefficients*, SumBuffer*,
                                                const Queue&);
template void launch<BuildTarget, double, CgUpdate>(const Vectors<CgUpdate>&, const Coefficients*, SumBuffer*,
                                                    const Queue&);
template void launch<BuildTarget, double, BicgstabSolution>(const Vectors<BicgstabSolution>&,
                                                            const Coefficients*, SumBuffer*, const Queue&);
template void launch<BuildTarget, double, BicgstabResidual>(const Vectors<BicgstabResidual>&,
                                                            const Coefficients*, SumBuffer*, const Queue&);
template void launch<BuildTarget, double, BicgstabDirection>(const Vectors<BicgstabDirection>&,
                                                             const Coefficients*, SumBuffer*, const Queue&);
template void launch_slice_norms<BuildTarget, double>(const Field&, const Coefficients*, SumBuffer&,
                                                      const Queue&);

}  // namespace plaq::blas
