// Body of the launch between two precisions; kernel sources instantiate it.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/blas/convert.hpp"
#include "kernels/blas/convert_kernel.hpp"
#include "kernels/blas/launch.hpp"

namespace plaq::blas {

template <class Target, class To, class From>
void ConvertLaunch<Target, To, From>::run(Field& to, const Field& from, const CoefficientList& coefficients,
                                          bool add, const Field* frame, const Queue& queue) {
  expect_alike(to, from, location_of<Target>, precision_of<To>);
  expect_alike(from, to, location_of<Target>, precision_of<From>);
  if (frame != nullptr) expect(*frame, location_of<Target>, Precision::single_precision, 3, 3);
  require(coefficients.active.batch() == to.batch(), "coefficients for another batch than the vectors'");
  const int inner = coefficients.active.count() * to.Ls();
  if (inner == 0) return;
  Convert<Target, To, From> kernel;
  kernel.to_shape = typename Convert<Target, To, From>::ToBlocks::Shape(to.layout());
  kernel.from_shape = typename Convert<Target, To, From>::FromBlocks::Shape(from.layout());
  kernel.Ls = to.Ls();
  kernel.coefficients = coefficients;
  kernel.add = add;
  for (int parity = 0; parity < 2; ++parity) {
    if (!to.holds(parity)) continue;
    kernel.to = {to.data(0, parity), to.subfield_stride()};
    kernel.from = {from.data(0, parity), from.subfield_stride()};
    if (frame != nullptr) kernel.frame = {frame->data(0, parity), frame->subfield_stride()};
    for_each(make_domain(to.geometry(), Region::all, parity, location_of<Target>, inner), queue, kernel);
  }
  to.touch();
}

}  // namespace plaq::blas
