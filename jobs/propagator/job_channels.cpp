#include "jobs/propagator/job_channels.hpp"

#include "jobs/correlators/correlator_keys.hpp"
#include "jobs/run/job_momenta.hpp"
#include "settings/action/action_keys.hpp"

namespace plaq::jobs {

std::vector<Channel> channels_of(const Settings& job) {
  std::vector<std::string> names = job.get<CorrelatorKeys>().channels;
  if (names.empty()) names = {action_of_any_mass(job)->default_channel()};
  return channels_named(names, channels_of_one_quark());
}

CorrelatorPlan plan_of_correlators(const Settings& job, const Extents& extents) {
  const auto keys = job.get<CorrelatorKeys>();
  std::vector<Channel> channels = channels_of(job);
  if (job.get<ActionKeys>().has_many_masses())
    channels = channels_named(names_of(channels), channels_of_flavours());
  return {channels, job_momenta(job, "correlators", keys.max_momentum_squared, extents), keys.spin_matrix,
          job.get<ActionKeys>().boundary[3]};
}

}  // namespace plaq::jobs
