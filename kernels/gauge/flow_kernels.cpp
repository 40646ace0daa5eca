#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/flow_launch.hpp"
#include "kernels/site/improved_flow.hpp"

namespace plaq {
namespace {

template <class Target, class T>
GaugeLattice<Target, T> flow_lattice(const Field& gauge) {
  return {LatticeView<Target, T>(gauge.geometry()), gauge_view<Target, T>(gauge)};
}

template <class Target>
Domain flow_links(const Field& gauge, int parity) {
  return make_domain(gauge.geometry(), Region::all, parity, location_of<Target>, 4);
}

}  // namespace

template <class Target, class T>
void FlowLaunch<Target, T>::force(const Field& gauge, Field& force, const LoopWeights& weights,
                                  const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(flow_links<Target>(gauge, parity), queue,
             FlowForce<Target, T>{flow_lattice<Target, T>(gauge), algebra_view<Target, T>(force), weights,
                                  parity});
}

template <class Target, class T>
void FlowLaunch<Target, T>::stage(const Field& gauge, const Field& force, Field& flowed, const Field& algebra,
                                  const FlowStageCall& call, double share, const Queue& queue) {
  const FlowMove<Target, T> move{gauge_view<Target, T>(flowed), algebra_view<Target, T>(algebra),
                                 static_cast<T>(call.step), static_cast<T>(call.previous), call.keep};
  for (int parity = 0; parity < 2; ++parity)
    for_each(flow_links<Target>(gauge, parity), queue,
             ImprovedFlowStage<Target, T>{flow_lattice<Target, T>(gauge), algebra_view<Target, T>(force),
                                          move, static_cast<T>(share), parity});
}

template <class Target, class T>
double FlowLaunch<Target, T>::largest_error(const Field& start, const Field& end, const Field& first,
                                            const Field& second, const Queue& queue) {
  double largest = 0;
  for (int parity = 0; parity < 2; ++parity) {
    const auto found = reduce_max(
        flow_links<Target>(start, parity), queue,
        FlowError<Target, T>{gauge_view<Target, T>(start), gauge_view<Target, T>(end),
                             algebra_view<Target, T>(first), algebra_view<Target, T>(second), parity});
    if (!(found[0] <= largest) && largest == largest) largest = found[0];
  }
  return largest;
}

template struct FlowLaunch<BuildTarget, float>;
template struct FlowLaunch<BuildTarget, double>;

}  // namespace plaq
