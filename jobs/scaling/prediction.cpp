#include "jobs/scaling/prediction.hpp"

#include <cmath>

#include "jobs/dirac/action_keys.hpp"
#include "jobs/model/iteration_model.hpp"
#include "jobs/model/measured_machine.hpp"
#include "jobs/scaling/scaled_operators.hpp"

namespace plaq::jobs {

Predictor::Predictor(const JobFile& job) : name_(job.string("model", "machine")) {
  const auto& files = job.strings("model", "measurements");
  if (name_ == "none" && files.empty()) return;
  std::vector<std::string> transports = job.strings("scaling", "transports");
  transports.emplace_back("auto");  // of points on one rank
  const int most_ranks = ScalingKeys(job).most_ranks();
  for (const std::string& transport : transports) {
    MachineModel machine = name_ == "none" ? unknown_machine() : machine_named(name_);
    for (const std::string& file : files) take_measurements(machine, file, transport);
    if (job.flag("comms", "halo_checksums")) machine.fused = false;
    machine.ranks_per_node = most_ranks;  // other nodes may be out of reach, and are then not looked at
    machine.check_complete(most_ranks);
    machines_.emplace(transport, std::move(machine));
  }
}

Prediction Predictor::predict(const ScalingKeys& keys, const ScalingPoint& point, int ranks_per_node,
                              const std::string& op, const LinkStorage& storage, int rhs) const {
  if (scaled_operator(op).fixes_gauge) return {NAN, NAN};  // the model knows Dirac operators and solvers
  MachineModel machine = machines_.at(point.transport);
  machine.ranks_per_node = ranks_per_node;
  if (point.ranks() > ranks_per_node && !(machine.far.bandwidth > 0)) return {NAN, NAN};
  const ModelPart part{point.global(), point.grid, keys.forced};
  const bool hop = op == "hop", positive = columns_of(keys.parameters) == 3;
  const ModelOperator model{hop ? OperatorKind::hop : OperatorKind::even_odd,
                            !hop && keys.clover(),
                            storage,
                            rhs,
                            false,
                            false,
                            static_cast<ModelQuarks>(keys.parameters.index()),
                            slices_of(keys.parameters)};
  if (scaled_operator(op).iterates) {
    const IterationTime time =
        iteration_time(machine, iteration_cost(positive && op == "cg" ? "hermitian-cg" : op), model, part);
    return {1e6 * time.total, 1e6 * time.applications * time.op.exposed};
  }
  const OperatorTime time = operator_time(machine, model, part);
  return {1e6 * time.total, 1e6 * time.exposed};
}

Attributes Predictor::attributes() const {
  return {{"machine", name_}, {"origin", machines_.begin()->second.origin}};
}

}  // namespace plaq::jobs
