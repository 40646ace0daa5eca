#include "jobs/study/prediction.hpp"

#include <algorithm>

#include "comms/communicator/world.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/model/measured_machine.hpp"
#include "jobs/model/trace_time.hpp"

namespace plaq::jobs {

PerformanceTrace::Section section_of(std::string_view key, Asked asked, const PredictedPlace& place) {
  constexpr auto location = Location::device;
  const Target& what = target(key);
  const int ranks = place.grid[0] * place.grid[1] * place.grid[2] * place.grid[3];
  DryRun dry({ranks, place.ranks_per_node < ranks ? place.ranks_per_node : 0, location});
  const DryRun::Scope scope(dry);
  auto grid = std::make_shared<ProcessGrid>(world(), place.grid);
  auto transport = choose_transport(*grid, location, TransportKind::automatic).transport;
  const GeometryPtr geometry = grid->geometry(place.global, place.forced);
  asked.iterations = asked.samples = 1;
  asked.looks_closer = false;
  asked.only.clear();
  Bench bench(std::move(asked), {std::move(grid), geometry, Queue(location), std::move(transport)});
  what.measure(bench, key);
  const auto& all = dry.trace().sections();
  const std::string_view repeated = what.iterates() ? "iteration" : "application";
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& section) { return section.name.ends_with(repeated); });
  require(found != all.end(), "a target that records nothing in a dry run");
  return *found;
}

Predictor::Predictor(const Settings& job, const StudySpec& spec) : name_(job.get<ModelKeys>().machine) {
  const std::vector<std::string> files = job.get<ModelKeys>().measurements;
  if (name_ == "none" && files.empty()) return;
  std::vector<std::string> transports = spec.transports;
  transports.emplace_back("auto");  // of points on one rank
  for (const std::string& transport : transports) {
    MachineModel machine = name_ == "none" ? unknown_machine() : machine_named(name_);
    for (const std::string& file : files) take_measurements(machine, file, transport);
    if (spec.checked) machine.fused = false;
    // All ranks on one node, or each on its own: points whose links are unknown have no prediction.
    const bool knows_far_alone = machine.far.bandwidth > 0 && !(machine.near.bandwidth > 0);
    machine.ranks_per_node = knows_far_alone ? 1 : spec.most_ranks();
    machine.check_complete(spec.most_ranks());
    machines_.emplace(transport, std::move(machine));
  }
}

void Predictor::predict(const StudySpec& spec, Row& row) const {
  const auto at = machines_.find(row.transport);
  const auto storage = study_storage_names().read(row.storage);
  if (at == machines_.end() || !storage || runs_dry()) return;
  MachineModel machine = at->second;
  machine.ranks_per_node = (row.ranks + row.nodes - 1) / row.nodes;
  if (row.ranks > machine.ranks_per_node && !(machine.far.bandwidth > 0)) return;
  if (row.ranks > 1 && machine.ranks_per_node > 1 && !(machine.near.bandwidth > 0)) return;
  int mass = 0;
  for (std::size_t k = 0; k < spec.actions.size(); ++k)
    if (spec.actions[k]->mass() == row.mass) mass = static_cast<int>(k);
  Asked asked = spec.asked(mass);
  for (const std::string& key : spec.targets) {
    if (target(key).kind == TargetKind::kernel ||
        target_name(key, asked.action ? asked.action : Bench::usual_action()) != row.target)
      continue;
    asked.storages = {*storage};
    asked.right_hand_sides = {row.right_hand_sides};
    const PredictedPlace place{row.lattice, row.process_grid, spec.forced, machine.ranks_per_node};
    const TraceTime time = section_time(machine, section_of(key, asked, place));
    row.predicted = time.total();
    row.predicted_exposed = time.exposed;
    return;
  }
}

Attributes Predictor::attributes() const {
  return {{"machine", name_}, {"origin", machines_.begin()->second.origin}};
}

}  // namespace plaq::jobs
