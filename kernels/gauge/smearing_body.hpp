// For the kernel sources that instantiate the launches of smearing_launch.hpp.
#pragma once

#include "core/launch/launch.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/gauge/smearing_launch.hpp"
#include "kernels/site/clover_leaf.hpp"
#include "kernels/site/flow_stage.hpp"
#include "kernels/site/hyp_link.hpp"
#include "kernels/site/link_smearing.hpp"

namespace plaq {
template <class Target, class T>
void SmearingLaunch<Target, T>::ape(const Field& gauge, Field& smeared, const ApeCall& call,
                                    const Queue& queue) {
  const int staples = 2 * (call.directions - 1);
  for_each(owned_links<Target>(gauge), queue,
           ApeStep<Target, T>{gauge_lattice<Target, T>(gauge), gauge_view<Target, T>(smeared),
                              static_cast<T>(1 - call.alpha), static_cast<T>(call.alpha / staples),
                              call.directions});
}

template <class Target, class T>
void SmearingLaunch<Target, T>::stout(const Field& gauge, Field& smeared, const StoutCall& call,
                                      const Queue& queue) {
  for_each(owned_links<Target>(gauge), queue,
           StoutStep<Target, T>{gauge_lattice<Target, T>(gauge), gauge_view<Target, T>(smeared),
                                static_cast<T>(call.rho), call.directions});
}

template <class Target, class T>
void SmearingLaunch<Target, T>::hyp(const Field& gauge, const Field& decorated, Field& out,
                                    const HypCall& call, const Queue& queue) {
  constexpr int staples[] = {2, 4, 6};
  for_each(
      owned_links<Target>(gauge, out.subfields()), queue,
      HypLevel<Target, T>{gauge_lattice<Target, T>(gauge), gauge_lattice<Target, T>(decorated),
                          gauge_view<Target, T>(out), static_cast<T>(1 - call.alpha),
                          static_cast<T>(call.alpha / staples[call.level - 1]), call.level, call.in_space});
}

template <class Target, class T>
void SmearingLaunch<Target, T>::flow_stage(const Field& gauge, Field& flowed, const Field& algebra,
                                           const FlowStageCall& call, const Queue& queue) {
  const FlowMove<Target, T> move{gauge_view<Target, T>(flowed), algebra_view<Target, T>(algebra),
                                 static_cast<T>(call.step), static_cast<T>(call.previous), call.keep};
  for_each(owned_links<Target>(gauge), queue, FlowStage<Target, T>{gauge_lattice<Target, T>(gauge), move});
}

template <class Target, class T>
void SmearingLaunch<Target, T>::clover_sums(const Field& gauge, const Queue& queue, SumBuffer& sums) {
  reduce(owned_links<Target>(gauge, 3), queue, CloverSum<Target, T>{gauge_lattice<Target, T>(gauge)}, sums);
}

}  // namespace plaq
