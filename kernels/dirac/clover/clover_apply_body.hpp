// Body of CloverApplyLaunch; generated kernel sources instantiate it.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/dirac/clover/clover_apply.hpp"
#include "kernels/dirac/clover/clover_launch.hpp"

namespace plaq {
namespace detail {

template <class Target, class S>
auto spinor_array(const Field& field, int parity) -> typename SpinorView<Target, S>::Array {
  expect(field, location_of<Target>, precision_of<S>, 4, 3);
  return {field.data(0, parity), field.subfield_stride()};
}

template <class Target, class S, int Width>
void run_clover_apply(const CloverApplyCall& call, const Queue& queue) {
  const CloverApply<Target, S, Width> apply{clover_view<Target, S>(*call.blocks, call.parity),
                                            spinor_array<Target, S>(*call.in, call.parity),
                                            spinor_array<Target, S>(*call.out, call.parity), call.active};
  const int groups = (call.active.count() + Width - 1) / Width;
  for_each(make_domain(call.in->geometry(), Region::all, call.parity, location_of<Target>, groups), queue,
           apply);
}

}  // namespace detail

template <class Target, class S>
void CloverApplyLaunch<Target, S>::run(const CloverApplyCall& call, const Queue& queue) {
  if (call.active.count() == 1) return detail::run_clover_apply<Target, S, 1>(call, queue);
  detail::run_clover_apply<Target, S, 3>(call, queue);
}

}  // namespace plaq
