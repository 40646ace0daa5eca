#include "jobs/run/job_context.hpp"

#include <fmt/format.h>

#include "comms/grid/first_rank.hpp"
#include "comms/grid/node_map.hpp"
#include "comms/grid/world.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/profiler.hpp"
#include "core/system/timer.hpp"
#include "core/system/version.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/tuning/tuning_file.hpp"
#include "jobs/run/job_transport.hpp"
#include "jobs/run/loaded_gauge.hpp"
#include "jobs/run/profile_report.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

std::string tuning_file(const Settings& job) { return tuning_file_path(job.get<RunKeys>().tuning_file); }

}  // namespace

std::uint32_t forced_directions(const Settings& job) {
  std::uint32_t forced = 0;
  for (const int mu : job.get<CommsKeys>().force_partition) forced |= 1u << mu;
  return forced;
}

namespace {

Sharing share(const Settings& job, const Extents& extents, int ranks, int ranks_per_node, int least_slices) {
  const auto grid = job.get<CommsKeys>().process_grid;
  if (grid) check_grid(*grid, ranks);
  const Extents shape = grid ? *grid : choose_grid(ranks, extents, ranks_per_node, least_slices);
  const std::uint32_t forced = forced_directions(job);
  if (least_slices > usual_least_slices) check_slices(shape, extents, least_slices, forced);
  return {shape, forced, choose_block(shape, extents, ranks_per_node)};
}

}  // namespace

Sharing share_lattice(const Settings& job, const Extents& extents, int ranks, int ranks_per_node,
                      int least_slices) {
  if (const auto asked = job.get<LatticeKeys>().extents; asked && *asked != extents)
    throw Error(ErrorKind::job_file, fmt::format("{}: [lattice] extents = {}, but the gauge field has {}",
                                                 job.origin(), to_string(*asked), to_string(extents)));
  return share(job, extents, ranks, ranks_per_node, least_slices);
}

Sharing share_other_lattice(const Settings& job, const Extents& extents, int ranks, int ranks_per_node) {
  return share(job, extents, ranks, ranks_per_node, usual_least_slices);
}

JobContext start_ranks(const JobFile& job, const Extents& shape, const Extents& block) {
  const int of_a_node = ranks_per_node(nodes_of(world()));
  const auto run = job.get<RunKeys>();
  const LaunchSite site = choose_launch_site(world(), run.location, run.threads, run.strict_binding);
  auto grid = std::make_unique<ProcessGrid>(world(), shape, block);
  if (grid->size() > 1 || site.location == Location::device) log::info(site.table);
  auto tuner = std::make_shared<Tuner>(run.tuning, machine_at(site.location, version()));
  load_tuning(grid->comm(), tuning_file(job), *tuner);
  Queue queue(site.location, std::move(tuner),
              run.profiles() ? std::make_shared<Profiler>(site.location) : nullptr);
  return {{std::move(grid), nullptr, std::move(queue), nullptr}, job, site, {}, of_a_node};
}

JobContext start_job(const JobFile& job, const Extents& extents, int least_slices) {
  const int ranks = world_size();
  const auto [shape, forced, block] =
      share_lattice(job, extents, ranks, ranks_per_node(nodes_of(world())), least_slices);
  JobContext context = start_ranks(job, shape, block);
  context.extents = extents;
  context.geometry = context.grid->geometry(extents, forced);
  if (DryRun* dry = DryRun::current()) dry->lies_on(Geometry::create(context.geometry->decomposition()));
  const Phase phase("trying transports");
  TransportChoice transport =
      job_transport(job, *context.grid, context.location(), job.get<CommsKeys>().transport);
  for (const std::string& why : transport.refused) log::info("transport not used: " + why);
  const std::string blocks =
      context.ranks_per_node < ranks ? ", " + to_string(block) + " on a node" : std::string();
  log::info(fmt::format("lattice {} on process grid {}{}: {} sites a rank, {}{}", to_string(extents),
                        to_string(shape), blocks, context.geometry->local_volume(), text_of(context.site),
                        ranks > 1 ? ", faces by " + transport.text : std::string()));
  context.transport = std::move(transport.transport);
  return context;
}

void with_tuning(const JobContext& context, const std::function<void()>& work) {
  const std::string profile = context.job.get<RunKeys>().profile_file;
  if (!profile.empty()) on_first_rank([&] { check_output(profile, true); });
  const Timer timer;
  const auto save = [&] {
    save_tuning(context.grid->comm(), tuning_file(context.job), *context.queue.tuner());
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

}  // namespace plaq::jobs
