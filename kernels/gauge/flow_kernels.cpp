#include "core/launch/launch.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/flow_launch.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/site/improved_flow.hpp"

namespace plaq {
template <class Target, class T>
void FlowLaunch<Target, T>::force(const Field& gauge, Field& force, const LoopWeights& weights,
                                  const Queue& queue) {
  for_each(owned_links<Target>(gauge), queue,
           FlowForce<Target, T>{gauge_lattice<Target, T>(gauge), algebra_view<Target, T>(force), weights});
}

template <class Target, class T>
void FlowLaunch<Target, T>::stage(const Field& gauge, const Field& force, Field& flowed, const Field& algebra,
                                  const FlowStageCall& call, double share, const Queue& queue) {
  const FlowMove<Target, T> move{gauge_view<Target, T>(flowed), algebra_view<Target, T>(algebra),
                                 static_cast<T>(call.step), static_cast<T>(call.previous), call.keep};
  for_each(owned_links<Target>(gauge), queue,
           ImprovedFlowStage<Target, T>{gauge_lattice<Target, T>(gauge), algebra_view<Target, T>(force), move,
                                        static_cast<T>(share)});
}

template <class Target, class T>
double FlowLaunch<Target, T>::largest_error(const Field& start, const Field& end, const Field& first,
                                            const Field& second, const Queue& queue) {
  double largest = 0;
  for (int parity = 0; parity < 2; ++parity) {
    const auto found = reduce_max(
        make_domain(start.geometry(), Region::all, parity, location_of<Target>, 4), queue,
        FlowError<Target, T>{gauge_view<Target, T>(start), gauge_view<Target, T>(end),
                             algebra_view<Target, T>(first), algebra_view<Target, T>(second), parity});
    if (!(found[0] <= largest) && largest == largest) largest = found[0];
  }
  return largest;
}

template struct FlowLaunch<BuildTarget, float>;
template struct FlowLaunch<BuildTarget, double>;

}  // namespace plaq
