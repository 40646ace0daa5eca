// Bodies of the launches in clover_launch.hpp for the kernel sources that instantiate them.
#pragma once

#include "core/field_views.hpp"
#include "core/launch.hpp"
#include "kernels/dirac/clover_launch.hpp"
#include "kernels/site/clover_apply.hpp"
#include "kernels/site/clover_inverse.hpp"
#include "kernels/site/clover_term.hpp"

namespace plaq {
namespace detail {

template <class Target, class S>
auto spinor_array(const Field& field, int parity) -> typename SpinorView<Target, S>::Array {
  expect(field, location_of<Target>, precision_of<S>, 4, 3);
  return {field.data(0, parity), field.slot_stride()};
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

template <class Target>
void launch_clover_term(const CloverTermCall& call, const Queue& queue) {
  const Geometry& geometry = call.gauge->geometry();
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(geometry, Region::all, parity, location_of<Target>, 2), queue,
             CloverTerm<Target, double>{
                 {LatticeView<Target, double>(geometry), gauge_view<Target, double>(*call.gauge)},
                 call.term->geometry().shape(),
                 clover_view<Target, double>(*call.term, parity),
                 clover_planes<double>(call.spatial, call.temporal),
                 call.diagonal,
                 parity});
}

template <class Target>
void launch_clover_inverse(const Field& term, Field& inverse, int parity, const Queue& queue,
                           SumBuffer& sums) {
  reduce(make_domain(term.geometry(), Region::all, parity, location_of<Target>, 2), queue,
         CloverInverse<Target, double>{clover_view<Target, double>(term, parity),
                                       clover_view<Target, double>(inverse, parity)},
         sums);
}

template <class Target, class S>
void launch_clover_apply(const CloverApplyCall& call, const Queue& queue) {
  if (call.active.count() == 1) return detail::run_clover_apply<Target, S, 1>(call, queue);
  detail::run_clover_apply<Target, S, 3>(call, queue);
}

}  // namespace plaq
