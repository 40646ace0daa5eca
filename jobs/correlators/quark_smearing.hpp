// The smearing of quarks that a job asks for, [quark_smearing] with the links of [link_smearing].
#pragma once

#include <memory>

#include "core/field/field.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/quark/gaussian_smearing.hpp"

namespace plaq::jobs {

// Collective. `gauge`: links as LoadedGauge has them, of which the smearing is made; they are smeared themselves. `spins`:
// of the quarks, 4 or 1; `boundary`: their signs.
std::unique_ptr<QuarkSmearing> make_quark_smearing(const JobContext& context, Field gauge, int spins,
                                                   const SpaceSigns& boundary);

// The links without their halo.
Field without_halo(const JobContext& context, const Field& extended);

}  // namespace plaq::jobs
