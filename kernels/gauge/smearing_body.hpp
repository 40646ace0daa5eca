// For the kernel sources that instantiate the launches of smearing_launch.hpp.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/smearing_launch.hpp"
#include "kernels/site/clover_leaf.hpp"
#include "kernels/site/flow_stage.hpp"
#include "kernels/site/hyp_link.hpp"
#include "kernels/site/link_smearing.hpp"

namespace plaq {
namespace detail {

template <class Target, class T>
GaugeLattice<Target, T> smearing_lattice(const Field& gauge) {
  return {LatticeView<Target, T>(gauge.geometry()), gauge_view<Target, T>(gauge)};
}

template <class Target>
Domain owned_sites(const Field& gauge, int parity, int inner) {
  return make_domain(gauge.geometry(), Region::all, parity, location_of<Target>, inner);
}

}  // namespace detail

template <class Target, class T>
void SmearingLaunch<Target, T>::ape(const Field& gauge, Field& smeared, const ApeCall& call,
                                    const Queue& queue) {
  const int staples = 2 * (call.directions - 1);
  for (int parity = 0; parity < 2; ++parity)
    for_each(detail::owned_sites<Target>(gauge, parity, 4), queue,
             ApeStep<Target, T>{detail::smearing_lattice<Target, T>(gauge), gauge_view<Target, T>(smeared),
                                static_cast<T>(1 - call.alpha), static_cast<T>(call.alpha / staples),
                                call.directions, parity});
}

template <class Target, class T>
void SmearingLaunch<Target, T>::stout(const Field& gauge, Field& smeared, const StoutCall& call,
                                      const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(detail::owned_sites<Target>(gauge, parity, 4), queue,
             StoutStep<Target, T>{detail::smearing_lattice<Target, T>(gauge), gauge_view<Target, T>(smeared),
                                  static_cast<T>(call.rho), call.directions, parity});
}

template <class Target, class T>
void SmearingLaunch<Target, T>::hyp(const Field& gauge, const Field& decorated, Field& out,
                                    const HypCall& call, const Queue& queue) {
  constexpr int staples[] = {2, 4, 6};
  for (int parity = 0; parity < 2; ++parity)
    for_each(detail::owned_sites<Target>(gauge, parity, out.subfields()), queue,
             HypLevel<Target, T>{
                 detail::smearing_lattice<Target, T>(gauge), detail::smearing_lattice<Target, T>(decorated),
                 gauge_view<Target, T>(out), static_cast<T>(1 - call.alpha),
                 static_cast<T>(call.alpha / staples[call.level - 1]), call.level, call.in_space, parity});
}

template <class Target, class T>
void SmearingLaunch<Target, T>::flow_stage(const Field& gauge, Field& flowed, const Field& algebra,
                                           const FlowStageCall& call, const Queue& queue) {
  const FlowMove<Target, T> move{gauge_view<Target, T>(flowed), algebra_view<Target, T>(algebra),
                                 static_cast<T>(call.step), static_cast<T>(call.previous), call.keep};
  for (int parity = 0; parity < 2; ++parity)
    for_each(detail::owned_sites<Target>(gauge, parity, 4), queue,
             FlowStage<Target, T>{detail::smearing_lattice<Target, T>(gauge), move, parity});
}

template <class Target, class T>
void SmearingLaunch<Target, T>::clover_sums(const Field& gauge, const Queue& queue, SumBuffer& sums) {
  for (int parity = 0; parity < 2; ++parity)
    reduce(detail::owned_sites<Target>(gauge, parity, 1), queue,
           CloverSum<Target, T>{detail::smearing_lattice<Target, T>(gauge), parity}, sums);
}

}  // namespace plaq
