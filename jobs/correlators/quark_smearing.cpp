#include "jobs/correlators/quark_smearing.hpp"

#include "jobs/correlators/correlator_keys.hpp"

namespace plaq::jobs {

QuarkSmearingSettings quark_smearing_settings(const Settings& job, const SpaceSigns& boundary) {
  QuarkSmearingSettings settings{job.get<QuarkSmearingKeys>().parameters, job.get<LinkSmearing>()};
  settings.gaussian.boundary = boundary;
  return settings;
}

}  // namespace plaq::jobs
