#include "kernels/gauge/stout_smearer.hpp"

#include <cmath>
#include <string>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/stout_force_launch.hpp"
#include "kernels/site/stout_force.hpp"

namespace plaq {
namespace {

constexpr auto wide = Precision::double_precision;

StoutCall call_of(const StoutSmearing& stout) { return {stout.rho, stout.spatial ? 3 : 4}; }

// Products of 3x3 matrices, 198 flops each: two for each staple, and some ten for the exponential and the new
// link. Links are read and written once.
Work step_work(const Geometry& geometry, const StoutCall& call) {
  const double sites = static_cast<double>(geometry.local_volume());
  return {sites * call.directions * (4 * (call.directions - 1) + 10) * 198,
          sites * 4 * 2 * 18 * sizeof(double)};
}

// Products of 3x3 matrices around each side of a link, and commutators of the series. Links
// and the insertion are read once, the force is read and written twice, the insertion written once.
Work chain_rule_work(const Geometry& geometry, const StoutCall& call) {
  const double links = static_cast<double>(geometry.local_volume()) * call.directions;
  const double sides = 2 * (call.directions - 1),
               terms = ExpForceSeries<double>(call.rho, call.directions).last;
  return {links * ((7 * sides + 3) * 198 + (terms + 1) * 90), links * (2 * 18 + 6 * 8) * sizeof(double)};
}

}  // namespace

StoutSmearer::StoutSmearer(const ProcessGrid& grid, GeometryPtr geometry, const StoutSmearing& stout,
                           const Queue& queue, std::shared_ptr<Transport> transport)
    : stout_(stout),
      queue_(queue),
      insertion_(geometry, algebra_spec(wide, queue.location())),
      links_halo_(grid, geometry, gauge_spec(wide, queue.location()), transport),
      insertion_halo_(grid, geometry, insertion_.spec(), std::move(transport)) {
  if (!(std::abs(stout.rho) <= largest_rho))
    throw Error(ErrorKind::job_file, "rho of stout smearing is " + std::to_string(stout.rho) +
                                         ": forces on smeared links need a rho of at most " +
                                         std::to_string(largest_rho));
}

void StoutSmearer::smear(Field& smeared, const Field& links) {
  require(smeared.geometry_ptr() == insertion_.geometry_ptr() &&
              links.geometry_ptr() == insertion_.geometry_ptr(),
          "stout smearing was given links of another geometry");
  const ScopedRange range("stout_smearing");
  const StoutCall call = call_of(stout_);
  record(queue_, {"stout_step", "smearing", wide, 18, 1, false, step_work(links.geometry(), call)});
  dispatch(queue_.location(), wide, [&](auto kind) {
    using K = decltype(kind);
    SmearingLaunch<typename K::target, typename K::scalar>::stout(links, smeared, call, queue_);
  });
  links_halo_.exchange(smeared, queue_);
  smeared.touch();
}

void StoutSmearer::carry_back(Field& force, const Field& links) {
  require(
      force.geometry_ptr() == insertion_.geometry_ptr() && links.geometry_ptr() == insertion_.geometry_ptr(),
      "the chain rule of stout smearing was given fields of another geometry");
  const StoutCall call = call_of(stout_);
  record(queue_, {"stout_force", "smearing", wide, 18, 1, false, chain_rule_work(links.geometry(), call)});
  dispatch(queue_.location(), wide, [&](auto kind) {
    using Launch = StoutForceLaunch<typename decltype(kind)::target>;
    Launch::links(force, insertion_, links, call, queue_);
    insertion_halo_.exchange(insertion_, queue_, {(1u << call.directions) - 1});
    Launch::staples(force, insertion_, links, call, queue_);
  });
}

}  // namespace plaq
