// Links and clover terms of Dirac operators, in planners of studies.
#pragma once

#include <string>

#include "jobs/plan/plan_parts.hpp"

namespace plaq::jobs {

// asqtad_links in double of links such as `from`, and StaggeredHopping's of these: what stays.
Helds hold_asqtad_links(Plan& plan, const Geometry& geometry, const FieldSpec& from);
Helds hold_stored_asqtad_links(Plan& plan, const Geometry& geometry, const std::string& name,
                               const LinkStorage& storage, const FieldSpec& from);
// Links stored from such as `from` (store_links), or a CloverField made of such as `from`, one inverse of it:
// what stays.
Plan::Held hold_stored_links(Plan& plan, const Geometry& geometry, const std::string& name,
                             const LinkStorage& storage, const FieldSpec& from);
Plan::Held hold_clover(Plan& plan, const Geometry& geometry, const std::string& name, const FieldSpec& from);
Plan::Held hold_clover_inverse(Plan& plan, const Geometry& geometry, int parity);

}  // namespace plaq::jobs
