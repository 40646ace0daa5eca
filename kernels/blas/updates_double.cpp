#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, double, Copy>(const Vectors<Copy>&, const Coefficients*, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, double, Zero>(const Vectors<Zero>&, const Coefficients*, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, double, Scale>(const Vectors<Scale>&, const Coefficients*, SumBuffer*, int,
                                                 const Queue&);
template void launch<BuildTarget, double, Triad>(const Vectors<Triad>&, const Coefficients*, SumBuffer*, int,
                                                 const Queue&);
template void launch<BuildTarget, double, Norm>(const Vectors<Norm>&, const Coefficients*, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, double, Dot>(const Vectors<Dot>&, const Coefficients*, SumBuffer*, int,
                                               const Queue&);
template void launch<BuildTarget, double, DotNorm>(const Vectors<DotNorm>&, const Coefficients*, SumBuffer*,
                                                   int, const Queue&);
template void launch<BuildTarget, double, Residual>(const Vectors<Residual>&, const Coefficients*, SumBuffer*,
                                                    int, const Queue&);
template void launch<BuildTarget, double, Axpby>(const Vectors<Axpby>&, const Coefficients*, SumBuffer*, int,
                                                 const Queue&);
template void launch<BuildTarget, double, Axpy>(const Vectors<Axpy>&, const Coefficients*, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, double, AxpyNorm>(const Vectors<AxpyNorm>&, const Coefficients*, SumBuffer*,
                                                    int, const Queue&);
template void launch_slice_norms<BuildTarget, double>(const Field&, const Coefficients*, SumBuffer&,
                                                      const Queue&);

}  // namespace plaq::blas
