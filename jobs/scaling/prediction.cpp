#include "jobs/scaling/prediction.hpp"

#include <cmath>

#include "core/system/runs_dry.hpp"
#include "jobs/model/measured_machine.hpp"
#include "jobs/model/tape_time.hpp"
#include "jobs/scaling/rated_tape.hpp"

namespace plaq::jobs {

Predictor::Predictor(const Settings& job) : name_(job.get<ModelKeys>().machine) {
  const std::vector<std::string> files = job.get<ModelKeys>().measurements;
  if (name_ == "none" && files.empty()) return;
  const ScalingKeys keys(job);
  std::vector<std::string> transports = keys.transports;
  transports.emplace_back("auto");  // of points on one rank
  const int most_ranks = keys.most_ranks();
  for (const std::string& transport : transports) {
    MachineModel machine = name_ == "none" ? unknown_machine() : machine_named(name_);
    for (const std::string& file : files) take_measurements(machine, file, transport);
    if (keys.checked) machine.fused = false;
    machine.ranks_per_node = most_ranks;  // other nodes may be out of reach, and are then not looked at
    machine.check_complete(most_ranks);
    machines_.emplace(transport, std::move(machine));
  }
}

Prediction Predictor::predict(const ScalingKeys& keys, const ScalingPoint& point, int ranks_per_node,
                              const std::string& key, const StudyStorage& storage, int rhs) const {
  MachineModel machine = machines_.at(point.transport);
  machine.ranks_per_node = ranks_per_node;
  if (runs_dry() || (point.ranks() > ranks_per_node && !(machine.far.bandwidth > 0))) return {NAN, NAN};
  const RatedPart part{point.global(), point.grid, keys.forced};
  const TapeTime time = section_time(
      machine, rated_tape(keys.parameters, key, storage, rhs, part, ranks_per_node, keys.multigrid));
  return {1e6 * time.total(), 1e6 * time.exposed};
}

Attributes Predictor::attributes() const {
  return {{"machine", name_}, {"origin", machines_.begin()->second.origin}};
}

}  // namespace plaq::jobs
