#include "jobs/plan/plan_fixer.hpp"

#include "jobs/plan/plan_dirac.hpp"

namespace plaq::jobs {

Helds hold_gauge_fixer(Plan& plan, const Geometry& geometry, const std::string& whose, const FieldSpec& from,
                       Gauge gauge, FixingPrecision precision, int copies) {
  const GaugeFixerSpecs specs = gauge_fixer_specs(gauge, precision, copies, plan.location());
  Helds held;
  held.push_back(hold_stored_links(plan, geometry, "links " + whose, {specs.links.precision, specs.links.reals()}, from));
  held.push_back(hold_field(plan, "transformations " + whose, geometry, specs.g));
  const auto hold_faces = [&](const std::string& name, const HaloSpec& spec) {
    for (auto& one : hold_halo(plan, name, geometry, spec)) held.push_back(std::move(one));
  };
  hold_faces("faces " + whose, specs.halo);
  if (specs.quality_halo) hold_faces("faces " + whose + " in double", *specs.quality_halo);
  {
    FieldSpec on_host = specs.g;  // g = 1
    on_host.location = Location::host;
    const auto unit = hold_field(plan, "transformations, as made", geometry, on_host);
    pass_copy(plan, geometry, specs.g, geometry, on_host);
  }
  return held;
}

}  // namespace plaq::jobs
