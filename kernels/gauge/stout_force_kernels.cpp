#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/stout_force_launch.hpp"
#include "kernels/site/stout_force.hpp"

namespace plaq {
namespace {

template <class Target>
GaugeLattice<Target, double> stout_lattice(const Field& gauge) {
  return {LatticeView<Target, double>(gauge.geometry()), gauge_view<Target, double>(gauge)};
}
template <class Target>
Domain stout_domain(const Field& gauge, int parity, int directions) {
  return make_domain(gauge.geometry(), Region::all, parity, location_of<Target>, directions);
}

}  // namespace

template <class Target>
void StoutForceLaunch<Target>::links(Field& force, Field& insertion, const Field& gauge,
                                     const StoutCall& call, const Queue& queue) {
  const ExpForceSeries<double> series(call.rho, call.directions);
  for (int parity = 0; parity < 2; ++parity)
    for_each(stout_domain<Target>(gauge, parity, call.directions), queue,
             StoutLinkForce<Target, double>{stout_lattice<Target>(gauge), algebra_view<Target, double>(force),
                                            algebra_view<Target, double>(insertion), call.rho, series,
                                            call.directions, parity});
}

template <class Target>
void StoutForceLaunch<Target>::staples(Field& force, const Field& insertion, const Field& gauge,
                                       const StoutCall& call, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(stout_domain<Target>(gauge, parity, call.directions), queue,
             StoutStapleForce<Target, double>{stout_lattice<Target>(gauge),
                                              algebra_view<Target, double>(insertion),
                                              algebra_view<Target, double>(force), call.directions, parity});
}

template struct StoutForceLaunch<BuildTarget>;

}  // namespace plaq
