#include "jobs/correlators/quark_smearing.hpp"

#include "core/system/dry_run.hpp"
#include "jobs/correlators/correlator_keys.hpp"
#include "jobs/run/link_smearing.hpp"
#include "kernels/quark/staggered_smearing.hpp"

namespace plaq::jobs {

Field without_halo(const JobContext& context, const Field& extended) {
  Field links(context.geometry, gauge_spec(Precision::double_precision, context.location()));
  copy(links, extended);
  return links;
}

std::unique_ptr<QuarkSmearing> make_quark_smearing(const JobContext& context, Field gauge, int spins,
                                                   const SpaceSigns& boundary) {
  const Phase phase("making the smearing");
  const MemoryName name("smearing");
  smear_links(context, gauge, context.job.get<LinkSmearingKeys>());
  GaussianSmearingParameters parameters = context.job.get<QuarkSmearingKeys>().parameters;
  parameters.boundary = boundary;
  if (spins == 1)
    return std::make_unique<StaggeredSmearing>(*context.grid, without_halo(context, gauge), parameters,
                                               context.queue, context.transport);
  return std::make_unique<GaussianSmearing>(*context.grid, without_halo(context, gauge), parameters,
                                            Precision::double_precision, context.queue, context.transport);
}

}  // namespace plaq::jobs
