#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, double, Copy>(const Vectors<Copy>&, const CoefficientList&, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, double, Zero>(const Vectors<Zero>&, const CoefficientList&, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, double, Scale>(const Vectors<Scale>&, const CoefficientList&, SumBuffer*,
                                                 int, const Queue&);
template void launch<BuildTarget, double, Triad>(const Vectors<Triad>&, const CoefficientList&, SumBuffer*,
                                                 int, const Queue&);
template void launch<BuildTarget, double, Norm>(const Vectors<Norm>&, const CoefficientList&, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, double, Dot>(const Vectors<Dot>&, const CoefficientList&, SumBuffer*, int,
                                               const Queue&);
template void launch<BuildTarget, double, DotNorm>(const Vectors<DotNorm>&, const CoefficientList&,
                                                   SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, Residual>(const Vectors<Residual>&, const CoefficientList&,
                                                    SumBuffer*, int, const Queue&);
template void launch<BuildTarget, double, Axpby>(const Vectors<Axpby>&, const CoefficientList&, SumBuffer*,
                                                 int, const Queue&);
template void launch<BuildTarget, double, Axpy>(const Vectors<Axpy>&, const CoefficientList&, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, double, AxpyNorm>(const Vectors<AxpyNorm>&, const CoefficientList&,
                                                    SumBuffer*, int, const Queue&);
template void launch_slice_norms<BuildTarget, double>(const Field&, const CoefficientList&, SumBuffer&,
                                                      const Queue&);

}  // namespace plaq::blas
