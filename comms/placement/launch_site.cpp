#include "comms/placement/launch_site.hpp"

#include <omp.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/joined_texts.hpp"
#include "comms/placement/core_set.hpp"
#include "comms/placement/launch_table.hpp"
#include "core/launch/queue.hpp"
#include "core/launch/target.hpp"
#include "core/system/await_number.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/fork.hpp"
#include "core/system/log.hpp"

namespace plaq {
namespace {

RankPlace place_of_this_rank(int threads, Location location) {
  RankPlace place;
  place.may_bind = !openmp_has_places();
  place.cores = cores_of_process();
  const bool told = std::getenv("OMP_NUM_THREADS") != nullptr;
  place.threads = threads > 0 ? threads : told ? omp_get_max_threads() : 0;
  for (int i = 0; location == Location::device && i < device_count(); ++i)
    place.gpus.push_back(plain_bus_id(device_bus_id(i)));
  return place;
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "?";
  const std::string text = name.data();
  return text.substr(0, text.find('.'));
}

bool all_have_devices(const Communicator& comm) { return comm.all(device_count() > 0); }

Location location_of(const Communicator& comm, const std::string& where) {
  if (where == "host") return Location::host;
  if (where == "gpu") expect_devices(comm, "location");
  return where == "gpu" || all_have_devices(comm) ? Location::device : Location::host;
}

// One line for each rank of the node, after a line that names who told about it.
std::string decide(const std::vector<std::string>& texts) {
  std::vector<RankPlace> ranks;
  for (const std::string& text : texts) ranks.push_back(rank_place(text));
  std::vector<std::string> ids;
  for (const RankPlace& rank : ranks) ids.insert(ids.end(), rank.gpus.begin(), rank.gpus.end());
  const NodeTopology node = read_topology(ids);
  const std::vector<Binding> bindings = bind_ranks(node, ranks);
  std::string lines = node.source + '\n';
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    LaunchRow row{host_name(), {}, {}, bindings[r]};
    if (bindings[r].gpu >= 0) row.gpu = ranks[r].gpus[static_cast<std::size_t>(bindings[r].gpu)];
    lines += text_of(row) + '\n';
  }
  return lines;
}

std::string line_of(const std::string& text, int number) {
  std::size_t begin = 0;
  for (int i = 0; i < number; ++i) begin = text.find('\n', begin) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

// On the first rank of a node, empty on others. Collective over the node.
std::string summary_of_node(const Communicator& node, int rank, const LaunchRow& row) {
  LaunchNode all{node.all_gather(rank), {}};
  for (const std::string& text : gather(node, text_of(row))) all.rows.push_back(launch_row(text));
  return node.rank() == 0 ? text_of(summary_of(all)) : std::string();
}

std::string join_summaries(const std::string& lower, const std::string& higher) {
  if (lower.empty() || higher.empty()) return lower + higher;
  LaunchSummary summary = launch_summary(lower);
  summary.add(launch_summary(higher));
  return text_of(summary);
}

std::optional<LaunchSite> kept;  // of a KeptLaunchSite

void use_threads(int number) {
  if (number > 1) has_what_forks_lack();
  omp_set_num_threads(number);
}

LaunchSite site_as_kept(const Communicator& comm, const std::string& where, int threads) {
  LaunchSite site = *kept;
  site.location = location_of(comm, where);
  if (threads > 0) site.threads = threads;
  use_threads(site.threads);
  if (site.location == Location::host) {
    site.device = -1;
    site.device_name.clear();
  } else {
    all_or_none(comm, [&] {
      if (site.device < 0)
        throw Error(ErrorKind::device, "no GPU was given to this rank when the program started");
      use_device(site.device);
    });
  }
  return site;
}

}  // namespace

KeptLaunchSite::KeptLaunchSite(LaunchSite chosen) { kept = std::move(chosen); }
KeptLaunchSite::~KeptLaunchSite() { kept.reset(); }

void expect_devices(const Communicator& comm, std::string_view key) {
  if (runs_dry() || all_have_devices(comm)) return;
  throw Error(ErrorKind::device, std::string(key) + " = \"gpu\" was asked for, but " +
                                     (with_cuda ? "not every rank sees a usable NVIDIA GPU"
                                                : "this plaq was built without CUDA"));
}

LaunchSite choose_launch_site(const Communicator& comm, const std::string& where, int threads, bool strict) {
  if (const DryRun* run = DryRun::current())
    return {run->machine().location, 1, 0, run->machine().on_node(), -1, "a GPU", {}};
  if (kept) return site_as_kept(comm, where, threads);
  const int rank = comm.rank();
  const Communicator node = comm.split_by_node();
  LaunchSite site;
  site.node_rank = node.rank();
  site.node_ranks = node.size();
  site.location = location_of(comm, where);

  std::string place, decision;
  all_or_none(comm, [&] { place = text_of(place_of_this_rank(threads, site.location)); });
  const std::vector<std::string> places = gather(node, place);
  all_or_none(comm, [&] {
    if (node.rank() == 0) decision = decide(places);
  });
  decision = broadcast(node, std::move(decision));
  LaunchRow row = launch_row(line_of(decision, 1 + node.rank()));
  all_or_none(comm, [&] {
    // This thread is bound: OpenMP's threads start from it later and are bound as it is.
    if (row.binding.bound && !bind_thread(row.binding.cores)) {
      row.binding.bound = false;
      row.binding.cores = cores_of_process();
    }
    site.threads = row.binding.threads;
    use_threads(site.threads);
    cores_are_crowded = has(row, BindingFault::crowded);
    if (site.location == Location::host) return;
    site.device = row.binding.gpu;
    use_device(site.device);
    row.name = site.device_name = device_name();
  });

  const std::string all = joined_texts(comm, summary_of_node(node, rank, row), join_summaries);
  std::string problems;
  if (rank == 0) {
    const LaunchSummary summary = launch_summary(all);
    site.table = "who runs where, by " + line_of(decision, 0) + ':' + launch_table(summary);
    for (const std::string& warning : launch_warnings(summary)) {
      if (!strict) log::warning(warning);
      problems += "\n  " + warning;
    }
  }
  if (strict) problems = broadcast(comm, std::move(problems));
  if (strict && !problems.empty())
    throw Error(ErrorKind::usage, "strict binding was asked for, so nothing is done:" + problems);
  return site;
}

std::string text_of(const LaunchSite& site) {
  if (site.location == Location::device) return site.device_name;
  return "host, " + std::to_string(site.threads) + " thread(s) a rank";
}

}  // namespace plaq
