#include "jobs/run/job_context.hpp"

#include <fmt/format.h>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/node_map.hpp"
#include "comms/communicator/world.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "core/system/profiler.hpp"
#include "core/system/timer.hpp"
#include "gaugefix/run/fixing_settings.hpp"
#include "gaugefix/run/gauge_condition.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/tuning/rank_start.hpp"
#include "io/tuning/tuning_file.hpp"
#include "jobs/run/profile_report.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

Sharing share_lattice(const Settings& job, const Extents& extents, int ranks, int ranks_per_node,
                      int least_slices) {
  if (const auto asked = job.get<LatticeKeys>().extents; asked && *asked != extents)
    throw Error(ErrorKind::job_file, fmt::format("{}: [lattice] extents = {}, but the gauge field has {}",
                                                 job.origin(), to_string(*asked), to_string(extents)));
  return choose_sharing(job.get<CommsKeys>().sharing(), extents, ranks, ranks_per_node, least_slices);
}

Sharing share_other_lattice(const Settings& job, const Extents& extents, int ranks, int ranks_per_node) {
  return choose_sharing(job.get<CommsKeys>().sharing(), extents, ranks, ranks_per_node);
}

JobContext start_without_lattice(const JobFile& job, const Extents& shape) {
  const StartedRanks ranks = start_ranks(world(), job.get<RunKeys>().ranks());
  auto grid = std::make_shared<ProcessGrid>(ranks.ranks, shape);
  return {{std::move(grid), nullptr, ranks.queue, nullptr}, job, ranks.site, {}, ranks.ranks_per_node};
}

JobContext start_job(const JobFile& job, const Extents& extents, int least_slices) {
  const Sharing sharing =
      share_lattice(job, extents, world_size(), ranks_per_node(nodes_of(world())), least_slices);
  const StartedRanks ranks = start_ranks(world(), job.get<RunKeys>().ranks());
  return {start_lattice(ranks, extents, sharing, job.get<CommsKeys>().faces()), job, ranks.site, extents,
          ranks.ranks_per_node};
}

void with_tuning(const JobContext& context, const std::function<void()>& work) {
  const std::string profile = context.job.get<RunKeys>().profile_file;
  if (!profile.empty()) on_first_rank([&] { check_output(profile, true); });
  const Timer timer;
  const auto save = [&] {
    save_tuning(context.grid->comm(), tuning_file_path(context.job.get<RunKeys>().tuning_file),
                *context.queue.tuner());
    if (context.queue.profiler() == nullptr || runs_dry()) return;
    context.queue.synchronize();
    report_profile(context.grid->comm(), *context.queue.profiler(), timer.seconds(), profile);
  };
  try {
    work();
  } catch (const Error& error) {
    // Others may be one rank's alone.
    if (error.kind() == ErrorKind::stopped || error.kind() == ErrorKind::not_converged) save();
    throw;
  }
  save();
}

LoadedGauge load_gauge(const JobContext& context, const std::string& path) {
  return plaq::load_gauge(context, path, context.job.get<GaugeReadOptions>());
}

Attributes attributes_of(const LoadedGauge& gauge) {
  const GaugeReadReport& report = gauge.report;
  Attributes attributes = {{"file", report.info.path},
                           {"checksum", report.checksum.text()},
                           {"plaquette", gauge.observables.plaquette.all},
                           {"link_trace", gauge.observables.link_trace}};
  if (report.stale_checksum) attributes.emplace_back("stated_checksum", report.info.checksum->text());
  return attributes;
}

Attributes attributes_of(const GaugeFileInfo& header) {
  Attributes attributes = {{"file", header.path},
                           {"checksum", header.checksum ? header.checksum->text() : std::string()}};
  if (header.plaquette) attributes.emplace_back("plaquette", *header.plaquette);
  return attributes;
}

FixedGauge expect_fixed(const JobContext& context, const Field& links, Gauge gauge, double max_theta,
                        const std::string& table, const std::string& file) {
  const GaugeQuality quality = quality_of(context, links, gauge);
  const double theta = measured_theta(gauge, quality);
  if (const auto fault = validate_theta(gauge, theta, max_theta, " in [" + table + "]"))
    throw Error(ErrorKind::input_file, file + ": " + *fault + "; a gaugefix job does it");
  return {theta, quality.functional};
}

}  // namespace plaq::jobs
