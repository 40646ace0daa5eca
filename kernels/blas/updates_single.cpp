#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, float, Copy>(const Vectors<Copy>&, const CoefficientList&, SumBuffer*, int,
                                               const Queue&);
template void launch<BuildTarget, float, Zero>(const Vectors<Zero>&, const CoefficientList&, SumBuffer*, int,
                                               const Queue&);
template void launch<BuildTarget, float, Scale>(const Vectors<Scale>&, const CoefficientList&, SumBuffer*,
                                                int, const Queue&);
template void launch<BuildTarget, float, Triad>(const Vectors<Triad>&, const CoefficientList&, SumBuffer*,
                                                int, const Queue&);
template void launch<BuildTarget, float, Norm>(const Vectors<Norm>&, const CoefficientList&, SumBuffer*, int,
                                               const Queue&);
template void launch<BuildTarget, float, Dot>(const Vectors<Dot>&, const CoefficientList&, SumBuffer*, int,
                                              const Queue&);
template void launch<BuildTarget, float, DotNorm>(const Vectors<DotNorm>&, const CoefficientList&, SumBuffer*,
                                                  int, const Queue&);
template void launch<BuildTarget, float, Residual>(const Vectors<Residual>&, const CoefficientList&,
                                                   SumBuffer*, int, const Queue&);
template void launch<BuildTarget, float, Axpby>(const Vectors<Axpby>&, const CoefficientList&, SumBuffer*,
                                                int, const Queue&);
template void launch<BuildTarget, float, Axpy>(const Vectors<Axpy>&, const CoefficientList&, SumBuffer*, int,
                                               const Queue&);
template void launch<BuildTarget, float, AxpyNorm>(const Vectors<AxpyNorm>&, const CoefficientList&,
                                                   SumBuffer*, int, const Queue&);
template void launch_slice_norms<BuildTarget, float>(const Field&, const CoefficientList&, SumBuffer&,
                                                     const Queue&);

}  // namespace plaq::blas
