#include "jobs/plan/plan_dirac.hpp"

#include <fmt/format.h>

#include "jobs/dirac/wilson_action.hpp"
#include "kernels/dirac/staggered/staggered.hpp"

namespace plaq::jobs {
namespace {

const LinkStorage exact(Precision::double_precision, 18);

}  // namespace

Helds hold_asqtad_links(Plan& plan, const Geometry& geometry, const FieldSpec& from) {
  check_long_hops(geometry);
  const FieldSpec spec = gauge_spec(Precision::double_precision, plan.location());
  const GeometryPtr extended = geometry.extended(2);
  const auto thin = hold_field(plan, "thin links with their halo", *extended, spec);
  pass_copy(plan, *extended, spec, geometry, from);
  { const Helds exchange = hold_extended_halo(plan, *extended, spec); }
  const bool split = extended->halo_depth() != 0;
  Helds with_halo, held;
  for (const char* name : {"fat links", "long links"})
    (split ? with_halo : held).push_back(hold_field(plan, name, *extended, spec));
  keep_tables(plan, *extended, Precision::double_precision);
  if (split)
    for (const char* name : {"fat links", "long links"}) {
      held.push_back(hold_field(plan, name, geometry, spec));
      pass_copy(plan, geometry, spec, *extended, spec);
    }
  return held;
}

Helds hold_stored_asqtad_links(Plan& plan, const Geometry& geometry, const std::string& name,
                               const LinkStorage& storage, const FieldSpec& from) {
  Helds held;
  {  // store_fat_links
    Plan::Held wide;
    if (storage.precision == Precision::half_precision)
      wide = hold_stored_links(plan, geometry, "fat links in double", exact, from);
    held.push_back(hold_stored_links(plan, geometry, "fat " + name, {storage.precision, 18}, from));
  }
  held.push_back(hold_stored_links(plan, geometry, name, storage, from));
  return held;
}

Plan::Held hold_stored_links(Plan& plan, const Geometry& geometry, const std::string& name,
                             const LinkStorage& storage, const FieldSpec& from) {
  const FieldSpec to = gauge_spec(storage.precision, plan.location(), storage.reals);
  auto held = hold_field(plan, name, geometry, to);
  if (storage.reals == 18 && storage.precision != Precision::half_precision) {
    pass_copy(plan, geometry, to, geometry, from);
    return held;
  }
  const FieldSpec in_double = gauge_spec(Precision::double_precision, plan.location());
  const auto links = hold_field(plan, "links in double", geometry, in_double);
  pass_copy(plan, geometry, in_double, geometry, from);
  return held;
}

Plan::Held hold_clover(Plan& plan, const Geometry& geometry, const std::string& name, const FieldSpec& from) {
  const GeometryPtr extended = geometry.extended(1);
  const FieldSpec spec = gauge_spec(Precision::double_precision, plan.location());
  auto held = hold_field(plan, name, geometry,
                         clover_spec(Subset::full, Precision::double_precision, plan.location()));
  const auto links = hold_field(plan, "links with their halo", *extended, spec);
  pass_copy(plan, *extended, spec, geometry, from);
  const Helds exchange = hold_extended_halo(plan, *extended, spec);
  return held;
}

Plan::Held hold_clover_inverse(Plan& plan, const Geometry& geometry, int parity) {
  auto held = hold_field(plan, "inverse clover field", geometry,
                         clover_spec(subset_of(parity), Precision::double_precision, plan.location()));
  const Helds sums = hold_sums(plan, 6);
  return held;
}

}  // namespace plaq::jobs
