#include "core/field_views.hpp"
#include "core/launch.hpp"
#include "kernels/blas/convert_kernel.hpp"
#include "kernels/blas/convert_launch.hpp"

namespace plaq::blas {

template <class Target, class To, class From, int N>
void launch_convert(Field& to, const Field& from, const CoefficientList& coefficients, bool add,
                    const Field* frame, const Queue& queue) {
  expect(to, location_of<Target>, precision_of<To>, N / 6, 3);
  expect(from, location_of<Target>, precision_of<From>, N / 6, 3);
  if (frame != nullptr) expect(*frame, location_of<Target>, Precision::single_precision, 3, 3);
  require(coefficients.active.batch() == to.batch(), "coefficients for another batch than the vectors'");
  const int inner = coefficients.active.count() * to.slices();
  if (inner == 0) return;
  Convert<Target, To, From, N> kernel;
  kernel.slices = to.slices();
  kernel.coefficients = coefficients;
  kernel.add = add;
  for (int parity = 0; parity < 2; ++parity) {
    if (!to.holds(parity)) continue;
    kernel.to = {to.data(0, parity), to.slot_stride()};
    kernel.from = {from.data(0, parity), from.slot_stride()};
    if (frame != nullptr) kernel.frame = {frame->data(0, parity), frame->slot_stride()};
    for_each(make_domain(to.geometry(), Region::all, parity, location_of<Target>, inner), queue, kernel);
  }
  to.touch();
}

template void launch_convert<BuildTarget, float, double, 24>(Field&, const Field&, const CoefficientList&,
                                                             bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, float, double, 6>(Field&, const Field&, const CoefficientList&,
                                                            bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, Fixed16, double, 24>(Field&, const Field&, const CoefficientList&,
                                                               bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, Fixed16, double, 6>(Field&, const Field&, const CoefficientList&,
                                                              bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, Fixed16, float, 24>(Field&, const Field&, const CoefficientList&,
                                                              bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, Fixed16, float, 6>(Field&, const Field&, const CoefficientList&,
                                                             bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, double, float, 24>(Field&, const Field&, const CoefficientList&,
                                                             bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, double, float, 6>(Field&, const Field&, const CoefficientList&,
                                                            bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, double, Fixed16, 24>(Field&, const Field&, const CoefficientList&,
                                                               bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, double, Fixed16, 6>(Field&, const Field&, const CoefficientList&,
                                                              bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, float, Fixed16, 24>(Field&, const Field&, const CoefficientList&,
                                                              bool, const Field*, const Queue&);
template void launch_convert<BuildTarget, float, Fixed16, 6>(Field&, const Field&, const CoefficientList&,
                                                             bool, const Field*, const Queue&);

}  // namespace plaq::blas
