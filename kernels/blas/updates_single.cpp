#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, float, Copy>(const Vectors<Copy>&, const Coefficients*, SumBuffer*, int,
                                               const Queue&);
template void launch<BuildTarget, float, Zero>(const Vectors<Zero>&, const Coefficients*, SumBuffer*, int,
                                               const Queue&);
template void launch<BuildTarget, float, Scale>(const Vectors<Scale>&, const Coefficients*, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, float, Triad>(const Vectors<Triad>&, const Coefficients*, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, float, Norm>(const Vectors<Norm>&, const Coefficients*, SumBuffer*, int,
                                               const Queue&);
template void launch<BuildTarget, float, Dot>(const Vectors<Dot>&, const Coefficients*, SumBuffer*, int,
                                              const Queue&);
template void launch<BuildTarget, float, DotNorm>(const Vectors<DotNorm>&, const Coefficients*, SumBuffer*,
                                                  int, const Queue&);
template void launch<BuildTarget, float, Residual>(const Vectors<Residual>&, const Coefficients*, SumBuffer*,
                                                   int, const Queue&);
template void launch<BuildTarget, float, Axpby>(const Vectors<Axpby>&, const Coefficients*, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, float, Axpy>(const Vectors<Axpy>&, const Coefficients*, SumBuffer*, int,
                                               const Queue&);
template void launch<BuildTarget, float, AxpyNorm>(const Vectors<AxpyNorm>&, const Coefficients*, SumBuffer*,
                                                   int, const Queue&);
template void launch_slice_norms<BuildTarget, float>(const Field&, const Coefficients*, SumBuffer&,
                                                     const Queue&);

}  // namespace plaq::blas
