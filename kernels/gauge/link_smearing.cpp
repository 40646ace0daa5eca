#include "kernels/gauge/link_smearing.hpp"

#include <fmt/format.h>

#include "comms/start/shared_lattice.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/performance_region.hpp"
#include "kernels/gauge/gradient_flow.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "kernels/gauge/smearing.hpp"
#include "kernels/gauge/smearing_stability.hpp"

namespace plaq {
namespace {

// One step of HYP smearing with larger parameters is in use for static quarks: (1, 1, 0.5).
std::optional<ParameterFault> unstable_parameter(const LinkSmearing& s) {
  const auto amplifies = [&](const char* parameter, double value, double limit) {
    return ParameterFault{
        parameter, fmt::format("{} amplifies the highest momenta of the links; at most {}{}", value, limit,
                               s.spatial ? " in space alone" : "")};
  };
  if (s.type == LinkSmearingKind::ape && lowest_factor(s.ape()) < stable_factor)
    return amplifies("alpha", s.alpha, largest_alpha(s.spatial));
  if (s.type == LinkSmearingKind::stout && lowest_factor(s.stout()) < stable_factor)
    return amplifies("rho", s.rho, largest_rho(s.spatial));
  if (s.type == LinkSmearingKind::hyp && s.steps > 1 && lowest_factor(s.hyp()) < stable_factor)
    return ParameterFault{
        s.spatial ? "alpha2" : "alpha1",
        fmt::format("steps = {} with these alphas amplify a mode of the links by {:.2f} "
                    "each; take smaller ones, such as {}, or steps = 1",
                    s.steps, -lowest_factor(s.hyp()),
                    s.spatial ? "alpha2 = 0.6, alpha3 = 0.3" : "alpha1 = 0.75, alpha2 = 0.6, alpha3 = 0.3")};
  return std::nullopt;
}

void smear_with_halo(const SharedLattice& lattice, Field& gauge, const LinkSmearing& s) {
  const auto smear = [&](const auto& parameters) {
    LinkSmearer(*lattice.grid, gauge, lattice.transport).apply(gauge, parameters, s.steps, lattice.queue);
  };
  switch (s.type) {
    case LinkSmearingKind::ape:
      return smear(s.ape());
    case LinkSmearingKind::stout:
      return smear(s.stout());
    case LinkSmearingKind::hyp:
      return smear(s.hyp());
    case LinkSmearingKind::flow: {
      GradientFlow flow(*lattice.grid, gauge, lattice.transport);
      for (int step = 0; step < s.steps; ++step) {
        const PerformanceRegion region("step of the Wilson flow");
        flow.step(gauge, s.flow_step, lattice.queue);
      }
      return;
    }
    case LinkSmearingKind::none:
      return;
  }
}

}  // namespace

std::optional<ParameterFault> validate(const LinkSmearing& s) {
  if (s.type == LinkSmearingKind::flow && s.spatial)
    return ParameterFault{"spatial", "the flow has no form in space alone"};
  if (s.steps < 0) return ParameterFault{"steps", fmt::format("found {}, must not be negative", s.steps)};
  if (!s.smears() || s.allow_unstable) return std::nullopt;
  return unstable_parameter(s);
}

void smear_links(const SharedLattice& lattice, Field& gauge, const LinkSmearing& smearing) {
  if (const auto fault = validate(smearing))
    throw Error(ErrorKind::usage, fmt::format("smearing of links: {}: {}", fault->parameter, fault->what));
  if (!smearing.smears()) return;
  const Phase phase("smearing links");
  const MemoryName name("smearing of links");
  if (gauge.geometry_ptr() == lattice.geometry->extended(1)) return smear_with_halo(lattice, gauge, smearing);
  Field with_halo = links_with_halo(lattice, gauge);
  smear_with_halo(lattice, with_halo, smearing);
  lattice.queue.synchronize();
  copy(gauge, with_halo);
}

}  // namespace plaq
