#include "core/launch/launch.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/gauge/stout_force_launch.hpp"
#include "kernels/site/stout_force.hpp"

namespace plaq {
template <class Target>
void StoutForceLaunch<Target>::links(Field& force, Field& insertion, const Field& gauge,
                                     const StoutCall& call, const Queue& queue) {
  const ExpForceSeries<double> series(call.rho, call.directions);
  for_each(owned_links<Target>(gauge, call.directions), queue,
           StoutLinkForce<Target, double>{
               gauge_lattice<Target, double>(gauge), algebra_view<Target, double>(force),
               algebra_view<Target, double>(insertion), call.rho, series, call.directions});
}

template <class Target>
void StoutForceLaunch<Target>::staples(Field& force, const Field& insertion, const Field& gauge,
                                       const StoutCall& call, const Queue& queue) {
  for_each(owned_links<Target>(gauge, call.directions), queue,
           StoutStapleForce<Target, double>{gauge_lattice<Target, double>(gauge),
                                            algebra_view<Target, double>(insertion),
                                            algebra_view<Target, double>(force), call.directions});
}

template struct StoutForceLaunch<BuildTarget>;

}  // namespace plaq
