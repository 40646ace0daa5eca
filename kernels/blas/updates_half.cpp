#include "kernels/blas/launch_impl.hpp"

namespace plaq::blas {
namespace {
template <class Op>
using Vectors = std::array<const Field*, Op::vectors>;
}

template void launch<BuildTarget, Fixed16, Copy>(const Vectors<Copy>&, const CoefficientList&, SumBuffer*,
                                                 int, const Queue&);
template void launch<BuildTarget, Fixed16, Zero>(const Vectors<Zero>&, const CoefficientList&, SumBuffer*,
                                                 int, const Queue&);
template void launch<BuildTarget, Fixed16, Scale>(const Vectors<Scale>&, const CoefficientList&, SumBuffer*,
                                                  int, const Queue&);
template void launch<BuildTarget, Fixed16, Triad>(const Vectors<Triad>&, const CoefficientList&, SumBuffer*,
                                                  int, const Queue&);
template void launch<BuildTarget, Fixed16, Norm>(const Vectors<Norm>&, const CoefficientList&, SumBuffer*,
                                                 int, const Queue&);
template void launch<BuildTarget, Fixed16, Dot>(const Vectors<Dot>&, const CoefficientList&, SumBuffer*, int,
                                                const Queue&);
template void launch<BuildTarget, Fixed16, DotNorm>(const Vectors<DotNorm>&, const CoefficientList&,
                                                    SumBuffer*, int, const Queue&);
template void launch<BuildTarget, Fixed16, Residual>(const Vectors<Residual>&, const CoefficientList&,
                                                     SumBuffer*, int, const Queue&);
template void launch<BuildTarget, Fixed16, Axpby>(const Vectors<Axpby>&, const CoefficientList&, SumBuffer*,
                                                  int, const Queue&);
template void launch<BuildTarget, Fixed16, Axpy>(const Vectors<Axpy>&, const CoefficientList&, SumBuffer*,
                                                 int, const Queue&);
template void launch<BuildTarget, Fixed16, AxpyNorm>(const Vectors<AxpyNorm>&, const CoefficientList&,
                                                     SumBuffer*, int, const Queue&);

}  // namespace plaq::blas
