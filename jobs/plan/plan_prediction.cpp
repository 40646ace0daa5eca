#include "jobs/plan/plan_prediction.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/system/error.hpp"
#include "jobs/common/wrap.hpp"
#include "jobs/model/measured_machine.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

struct Prediction {
  const MachineModel& machine;
  const PlannedIteration& planned;
  IterationTime time;
};

ModelPart part_of(const Plan& plan) {
  const Decomposition& d = plan.geometry()->decomposition();
  return {d.global, d.ranks, d.forced};
}

Prediction predict(const Plan& plan) {
  const MachineModel& machine = *plan.machine();
  const PlannedIteration& planned = *plan.iteration();
  machine.check_complete(plan.ranks());
  return {
      machine, planned,
      iteration_time(machine, iteration_cost(planned.method, planned.restart), planned.op, part_of(plan))};
}

std::string operator_name(const ModelOperator& op) {
  constexpr const char* names[] = {"Wilson", "staggered", "improved staggered", "domain-wall"};
  const std::string quarks = op.clover ? "clover" : names[static_cast<int>(op.quarks)];
  return fmt::format(
      "{}{}{} operator, {} {}{}, {} right-hand side{}", op.kind == OperatorKind::even_odd ? "even-odd " : "",
      quarks, op.slices > 1 ? fmt::format(" ({} slices)", op.slices) : "", name_of(op.storage.precision),
      op.storage.reals, op.temporal_gauge ? " in temporal gauge" : "", op.right_hand_sides,
      op.right_hand_sides == 1 ? "" : "s");
}

std::string time_text(double seconds, const std::string& what) {
  return fmt::format("{:>9.1f} us  {}\n", 1e6 * seconds, what);
}

std::string percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

std::string exchange_text(const OperatorTime& t) {
  const ModelExchange& e = t.exchange;
  std::string text;
  const auto add = [&](int faces, double bytes, const char* where) {
    if (faces > 0)
      text += fmt::format("{}{} face{}, {:.3g} {} in all, {}", text.empty() ? "" : "; ", faces,
                          faces == 1 ? "" : "s", bytes < 0x1p20 ? bytes / 0x1p10 : bytes / 0x1p20,
                          bytes < 0x1p20 ? "KiB" : "MiB", where);
  };
  add(e.near_faces, e.near_bytes, "within a node");
  add(e.far_faces, e.far_bytes, "between nodes");
  return text;
}

std::string operator_text(const OperatorTime& t, const ModelOperator& op) {
  std::string text =
      wrapped(fmt::format("An application of the operator ({}) takes {:.1f} us:", operator_name(op),
                          1e6 * t.total)) +
      '\n' + time_text(t.interior, "interior");
  if (t.exchanges > 0) {
    text += time_text(t.packing, "packing");
    text += time_text(t.exposed, fmt::format("exposed communication, of {:.1f} us", 1e6 * t.communication));
    text += time_text(t.boundary, "boundary");
  }
  text += time_text(t.launches, "launches") + '\n';
  if (t.exchanges > 0)
    text += wrapped(fmt::format("{} exchange{}; a rank that has most to send has in each: {}.", t.exchanges,
                                t.exchanges == 1 ? "" : "s", exchange_text(t))) +
            '\n';
  return text;
}

std::string iteration_text(const IterationTime& t, const std::string& method) {
  return wrapped(fmt::format("An iteration of {} takes {:.1f} us:", method, 1e6 * t.total)) + '\n' +
         time_text(t.operators, fmt::format("{:.0f} application{} of the operator", t.applications,
                                            t.applications == 1 ? "" : "s")) +
         time_text(t.vectors, "updates of vectors") + time_text(t.sums, "sums over all ranks") + '\n';
}

std::string efficiency_text(const Plan& plan, const IterationTime& t) {
  if (plan.ranks() == 1) return {};
  const auto of = [](const auto& time) {
    const std::string part = limiting_part(time);
    return fmt::format("{}{}", percent(time.efficiency()),
                       part == "nothing" ? "" : fmt::format(", most of the rest is lost to {}", part));
  };
  return wrapped(fmt::format("Of one rank's rate with the whole lattice each has: operator {}; iteration {}.",
                             of(t.op), of(t)));
}

Json exchange_json(const OperatorTime& t) {
  const ModelExchange& e = t.exchange;
  return {{"count", t.exchanges},
          {"faces_within_node", e.near_faces},
          {"bytes_within_node", e.near_bytes},
          {"faces_between_nodes", e.far_faces},
          {"bytes_between_nodes", e.far_bytes}};
}

}  // namespace

MachineModel planned_machine(const PlanOptions& options, const JobFile& job) {
  const std::string& transport = job.string("comms", "transport");
  MachineModel machine = options.gpu.empty() ? unknown_machine() : machine_named(options.gpu);
  for (const std::string& file : options.networks) take_measurements(machine, file, transport);
  if (options.networks.empty() && transport != "auto")
    machine.origin.push_back(
        fmt::format("Exchanges are those of the machine's best transport, not of '{}'.", transport));
  if (job.flag("comms", "halo_checksums")) {
    machine.fused = false;
    machine.origin.push_back("Time for the checksums of faces (halo_checksums) is not counted.");
  }
  if (options.ranks_per_node > 0) machine.ranks_per_node = options.ranks_per_node;
  return machine;
}

std::string prediction_text(const Plan& plan) {
  if (!plan.machine()) return {};
  if (!plan.iteration())
    return wrapped("Times are not predicted: the model knows Dirac operators and their solvers.") + '\n';
  const Prediction p = predict(plan);
  std::string text = "Predicted by a model, not measured:\n\n";
  for (const std::string& sentence : p.machine.origin) text += wrapped(sentence);
  if (plan.ranks() > 1 && plan.ranks() > p.machine.ranks_per_node)
    text += wrapped(fmt::format("{} rank{} on each node.", p.machine.ranks_per_node,
                                p.machine.ranks_per_node == 1 ? "" : "s"));
  return text + '\n' + operator_text(p.time.op, p.planned.op) + iteration_text(p.time, p.planned.method) +
         efficiency_text(plan, p.time) + '\n';
}

Json prediction_json(const Plan& plan) {
  if (!plan.machine() || !plan.iteration()) return nullptr;
  const auto [machine, planned, t] = predict(plan);
  Json out = {{"machine", machine.name}, {"origin", machine.origin}};
  out["ranks_per_node"] = std::min(machine.ranks_per_node, plan.ranks());
  out["operator"] = {{"name", operator_name(planned.op)},   {"seconds", t.op.total},
                     {"interior", t.op.interior},           {"packing", t.op.packing},
                     {"communication", t.op.communication}, {"exposed_communication", t.op.exposed},
                     {"boundary", t.op.boundary},           {"launches", t.op.launches},
                     {"exchanges", exchange_json(t.op)},    {"one_rank_seconds", t.op.one_rank},
                     {"efficiency", t.op.efficiency()},     {"limited_by", limiting_part(t.op)}};
  out["iteration"] = {
      {"method", planned.method},       {"seconds", t.total},           {"applications", t.applications},
      {"operators", t.operators},       {"vectors", t.vectors},         {"sums", t.sums},
      {"one_rank_seconds", t.one_rank}, {"efficiency", t.efficiency()}, {"limited_by", limiting_part(t)}};
  return out;
}

}  // namespace plaq::jobs
