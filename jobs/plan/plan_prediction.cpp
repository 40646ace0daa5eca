#include "jobs/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "jobs/common/terminal_text.hpp"
#include "jobs/model/measured_machine.hpp"
#include "jobs/model/trace_time.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_sections = 12;  // sections, then the rest is counted

std::string time_text(double seconds, const std::string& what) {
  return fmt::format("{:>11.1f} us  {}\n", 1e6 * seconds, what);
}

// Number of times that a solve or a fixing does it, if that is assumed; else 0.
std::int64_t assumed_passes(const Plan& plan, const PerformanceTrace::Section& section) {
  const auto is = [&](const char* what) { return section.name.find(what) != std::string::npos; };
  const DryRun::Assumptions& assumed = plan.run().assumptions();
  return is("iteration") ? assumed.iterations_in(section.name) : is("sweep of") ? assumed.sweeps : 0;
}

// The operations of a pass, by name: "wilson_hop half 12, 4 times".
std::string operations_of(const PerformanceTrace::Section& section) {
  std::map<std::string, int> counts;
  for (const auto& [step, count] : section.rows)
    if (step.sums == 0 && !step.host_waits) counts[step.name] += count;
  std::string text;
  for (const auto& [name, count] : counts)
    text += fmt::format("{}{:.3g} x {}", text.empty() ? "" : ", ",
                        static_cast<double>(count) / section.passes, name);
  return text;
}

// The steps of a pass that exchange faces, and what they exchange.
struct Exchanges {
  double count = 0;
  ModelExchange most;  // of one: of the step with most bytes
};
Exchanges exchanges_of(const MachineModel& machine, const PerformanceTrace::Section& section) {
  Exchanges all;
  for (const auto& [step, count] : section.rows) {
    if (!step.faces.any()) continue;
    all.count += static_cast<double>(count) / section.passes;
    const ModelExchange e = slowest_exchange(machine, step.faces);
    if (e.near_bytes + e.far_bytes > all.most.near_bytes + all.most.far_bytes) all.most = e;
  }
  return all;
}

std::string faces_text(const Exchanges& exchanges) {
  std::string text;
  const auto add = [&](int faces, double bytes, const char* where) {
    if (faces > 0)
      text += fmt::format("{}{} face{}, {:.3g} {} in all, {}", text.empty() ? "" : "; ", faces,
                          faces == 1 ? "" : "s", bytes < 0x1p20 ? bytes / 0x1p10 : bytes / 0x1p20,
                          bytes < 0x1p20 ? "KiB" : "MiB", where);
  };
  add(exchanges.most.near_faces, exchanges.most.near_bytes, "within a node");
  add(exchanges.most.far_faces, exchanges.most.far_bytes, "between nodes");
  return text;
}

std::string section_text(const Plan& plan, const PerformanceTrace::Section& section) {
  const double seconds = section_time(*plan.machine(), section).total();
  const std::int64_t passes = assumed_passes(plan, section);
  return time_text(
      seconds,
      section.name + (passes > 0 ? fmt::format("; {} take {:.3g} s", passes, passes * seconds) : ""));
}

// Parts of the time of one pass.
std::string breakdown_text(const MachineModel& machine, const PerformanceTrace::Section& section) {
  const TraceTime t = section_time(machine, section);
  std::string text =
      wrapped(fmt::format("Where the time goes of {} ({}):", section.name, operations_of(section))) + '\n';
  const auto add = [&](double seconds, const std::string& what) {
    if (seconds > 0) text += time_text(seconds, what);
  };
  add(t.interior, "interior");
  add(t.packing, "packing");
  if (t.communication > 0)
    text += time_text(t.exposed, fmt::format("exposed communication, of {:.1f} us", 1e6 * t.communication));
  add(t.boundary, "boundary");
  add(t.launches, "launches");
  add(t.vectors, "updates of vectors");
  add(t.sums, "sums over all ranks");
  text += '\n';
  if (const Exchanges x = exchanges_of(machine, section); x.count > 0)
    text += wrapped(fmt::format("{:.3g} exchange{}; a rank that has most to send has in each: {}.", x.count,
                                x.count == 1 ? "" : "s", faces_text(x))) +
            '\n';
  if (section.ranks == 1) return text;
  const std::string part = limiting_part(t);
  return text +
         wrapped(fmt::format("Of one rank's rate with the whole lattice each has {:.0f}%{}.",
                             100 * t.efficiency(),
                             part == "nothing" ? "" : ", most of the rest is lost to " + part)) +
         '\n';
}

Json section_json(const MachineModel& machine, const PerformanceTrace::Section& section) {
  const TraceTime t = section_time(machine, section);
  const Exchanges x = exchanges_of(machine, section);
  Json operations = Json::array();
  for (const auto& [step, count] : section.rows)
    operations.push_back({{"name", step.name},
                          {"count", static_cast<double>(count) / section.passes},
                          {"flops", step.flops},
                          {"bytes", step.bytes},
                          {"seconds", step_time(machine, step, section.ranks).total()}});
  return {{"name", section.name},
          {"ranks", section.ranks},
          {"seconds", t.total()},
          {"interior", t.interior},
          {"packing", t.packing},
          {"communication", t.communication},
          {"exposed_communication", t.exposed},
          {"boundary", t.boundary},
          {"launches", t.launches},
          {"vectors", t.vectors},
          {"sums", t.sums},
          {"exchanges",
           {{"count", x.count},
            {"faces_within_node", x.most.near_faces},
            {"bytes_within_node", x.most.near_bytes},
            {"faces_between_nodes", x.most.far_faces},
            {"bytes_between_nodes", x.most.far_bytes}}},
          {"one_rank_seconds", t.one_rank},
          {"efficiency", t.efficiency()},
          {"limited_by", limiting_part(t)},
          {"operations", operations}};
}

}  // namespace

MachineModel planned_machine(const PlanOptions& options, const JobFile& job) {
  const std::string transport = job.get<CommsKeys>().transport_name();
  MachineModel machine = options.gpu.empty() ? unknown_machine() : machine_named(options.gpu);
  for (const std::string& file : options.networks) take_measurements(machine, file, transport);
  if (options.networks.empty() && transport != "auto")
    machine.origin.push_back(
        fmt::format("Exchanges are those of the machine's best transport, not of '{}'.", transport));
  if (job.get<CommsKeys>().halo_checksums) {
    machine.fused = false;
    machine.origin.push_back("Time for the checksums of faces (halo_checksums) is not counted.");
  }
  if (options.ranks_per_node > 0) machine.ranks_per_node = options.ranks_per_node;
  return machine;
}

std::string prediction_text(const Plan& plan) {
  if (!plan.machine()) return {};
  const MachineModel& machine = *plan.machine();
  const auto sections = plan.sections();
  if (sections.empty())
    return wrapped("Times are not predicted: nothing in this job is done again and again.") + '\n';
  std::string text = "Predicted by a model, not measured:\n\n";
  for (const std::string& sentence : machine.origin) text += wrapped(sentence);
  if (plan.ranks() > 1 && plan.ranks() > machine.ranks_per_node)
    text += wrapped(fmt::format("{} rank{} on each node.", machine.ranks_per_node,
                                machine.ranks_per_node == 1 ? "" : "s"));
  text += '\n';
  const PerformanceTrace::Section* most_ranks = *std::max_element(
      sections.begin(), sections.end(), [](const auto* a, const auto* b) { return a->ranks < b->ranks; });
  for (std::size_t i = 0; i < sections.size() && i < most_sections; ++i)
    text += section_text(plan, *sections[i]);
  if (sections.size() > most_sections)
    text += fmt::format("{:>11}     {} more\n", "...", sections.size() - most_sections);
  return text + '\n' + breakdown_text(machine, *most_ranks);
}

Json prediction_json(const Plan& plan) {
  if (!plan.machine()) return nullptr;
  const MachineModel& machine = *plan.machine();
  Json out = {{"machine", machine.name}, {"origin", machine.origin}};
  out["ranks_per_node"] = std::min(machine.ranks_per_node, plan.ranks());
  out["sections"] = Json::array();
  for (const PerformanceTrace::Section* section : plan.sections()) {
    Json one = section_json(machine, *section);
    if (const std::int64_t passes = assumed_passes(plan, *section); passes > 0)
      one["assumed_passes"] = passes;
    out["sections"].push_back(one);
  }
  return out;
}

}  // namespace plaq::jobs
