// Cost of a job, as text and as JSON.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "comms/grid/process_grid.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/plan/plan_cost.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_parts = 6;      // that are listed
constexpr double worth_a_sentence = 0.02;  // of a configuration

std::string gpus_text(const CostPoint& point) {
  return fmt::format("{} on process grid {}", counted(point.ranks, "GPU"), to_string(point.grid));
}

std::string duration_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 2 * 3600) return fmt::format("{:.3g} min", seconds / 60);
  if (seconds < 2 * 86400) return fmt::format("{:.3g} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

// At least three figures, no exponent.
std::string number_text(double x) {
  return x >= 100     ? fmt::format("{:.0f}", x)
         : x >= 10    ? fmt::format("{:.1f}", x)
         : x >= 1     ? fmt::format("{:.2f}", x)
         : x >= 0.001 ? fmt::format("{:.4f}", x)
                      : fmt::format("{:.2g}", x);
}

std::string assumed_text(const Cost& cost) {
  std::string text;
  const CostAssumptions& assumed = cost.assumed();
  const auto add = [&](std::int64_t count, bool by_default, const char* what, const char* name) {
    if (count == 0) return;
    text +=
        fmt::format("{}{} {}{}", text.empty() ? "Assumed: " : ", ", count, what,
                    by_default ? fmt::format(" (--assume {}=N sets another number)", name) : std::string());
  };
  const auto repeats = [&](LoopLength of) {
    for (const CostPart& part : cost.points().front().parts)
      if (part.repeats == of) return true;
    return false;
  };
  if (repeats(LoopLength::iterations))
    add(assumed.run.iterations, assumed.default_iterations, "iterations of each solve", "iterations");
  if (repeats(LoopLength::iterations))
    for (const auto& [label, count] : assumed.run.iterations_of)
      add(count, false, ("of those of " + label).c_str(), "");
  if (repeats(LoopLength::sweeps))
    add(assumed.run.sweeps, assumed.default_sweeps, "sweeps of fixing a gauge", "sweeps");
  if (assumed.configurations > 0) add(assumed.configurations, false, "configurations", "");
  return text.empty() ? text : wrapped(text + '.');
}

std::string row_text(const Cost& cost, const CostPoint& point) {
  if (!point.refusal.empty()) return fmt::format("{:>6}  not possible (below)\n", point.ranks);
  return fmt::format("{:>6}  {:<11} {:<13} {:>9}{} {:>8} {:>8} {:>8} {:>5.0f}%\n", point.ranks,
                     to_string(point.grid), to_string(point.local),
                     bytes_text(static_cast<double>(point.memory)), point.fits ? ' ' : '!',
                     number_text(point.seconds), number_text(point.node_hours()),
                     number_text(point.gpu_hours()), 100 * cost.efficiency(point));
}

std::string table_text(const Cost& cost) {
  std::string text = fmt::format("{:>6}  {:<11} {:<13} {:>9}  {:>8} {:>8} {:>8} {:>6}\n", "GPUs", "grid",
                                 "local lattice", "memory", "seconds", "node h", "GPU h", "effic.");
  bool fits = true;
  for (const CostPoint& point : cost.points()) {
    text += row_text(cost, point);
    fits = fits && point.fits;
  }
  text += '\n';
  if (!fits)
    text += wrapped(fmt::format("!: does not fit into the {} of a GPU of {}.",
                                bytes_text(cost.machine().memory), cost.machine().name));
  if (cost.machine().memory == 0)
    text += wrapped("How much memory a GPU has is not known: all may fit or not.");
  for (const CostPoint& point : cost.points())
    if (!point.refusal.empty())
      text += wrapped(fmt::format("{}: {}", counted(point.ranks, "GPU"), point.refusal));
  if (cost.slower_beyond()) text += wrapped("More GPUs make it slower. --ranks N looks further.");
  return text;
}

// Cost of the whole ensemble there.
std::string all_text(const Cost& cost, const CostPoint& point) {
  const double seconds = cost.seconds_of_all(point);
  return fmt::format("{} node hours, {} GPU hours, {}", number_text(point.nodes * seconds / 3600),
                     number_text(point.ranks * seconds / 3600), duration_text(seconds));
}

std::string choice_text(const Cost& cost, const char* name, const CostPoint& point) {
  const std::string all = cost.configurations() == 1
                              ? std::string()
                              : fmt::format("; all {}: {}", counted(cost.configurations(), "configuration"),
                                            all_text(cost, point));
  return wrapped(fmt::format("{}: {}: {} and {} node hours a configuration{}.", name, gpus_text(point),
                             duration_text(point.seconds), number_text(point.node_hours()), all));
}

std::string choices_text(const Cost& cost) {
  const CostPoint *cheapest = cost.cheapest(), *fastest = cost.fastest(), *by_gpu = cost.cheapest_by_gpu();
  if (cheapest == nullptr)
    return wrapped(
        "On none of them does it fit: more GPUs (--ranks), or fewer right-hand sides, vectors or "
        "copies at once.");
  std::string text = cheapest == fastest
                         ? choice_text(cost, "Cheapest and fastest", *cheapest)
                         : choice_text(cost, "Cheapest", *cheapest) + choice_text(cost, "Fastest", *fastest);
  if (cost.machine().ranks_per_node == 1) return text;
  text += wrapped(fmt::format("Nodes of {} GPUs count as whole ones.", cost.machine().ranks_per_node));
  if (by_gpu == cheapest) return text;
  const std::string all =
      cost.configurations() == 1
          ? std::string()
          : fmt::format(", {} in all", number_text(by_gpu->ranks * cost.seconds_of_all(*by_gpu) / 3600));
  return text +
         wrapped(fmt::format("Where jobs share nodes, as the workers of a campaign do, GPU hours count, and "
                             "the cheapest is {}: {} a configuration{}.",
                             gpus_text(*by_gpu), number_text(by_gpu->gpu_hours()), all));
}

std::string part_text(const CostPart& part) {
  const std::string how = part.repeats == LoopLength::as_counted ? fmt::format("{:.0f} x ", part.passes)
                          : part.loops == 0                      ? std::string()
                                                                 : fmt::format("{} x {:.0f} x ", part.loops,
                                                                               part.passes / static_cast<double>(part.loops));
  return fmt::format("{:>11.4g} s  {}{}\n", part.seconds, how, part.name);
}

const CostPoint& shown(const Cost& cost) {
  return cost.cheapest() != nullptr ? *cost.cheapest() : cost.points().front();
}

std::string parts_text(const Cost& cost) {
  const CostPoint& point = shown(cost);
  std::string text = wrapped(fmt::format("A configuration on {}:", counted(point.ranks, "GPU"))) + '\n';
  for (std::size_t i = 0; i < point.parts.size() && i < most_parts; ++i) text += part_text(point.parts[i]);
  if (point.parts.size() > most_parts)
    text += fmt::format("{:>11}    {} more\n", "...", point.parts.size() - most_parts);
  const double more = point.first - point.seconds;
  if (cost.configurations() > 1 && std::abs(more) > worth_a_sentence * point.seconds)
    text += '\n' +
            wrapped(fmt::format("The first configuration takes {} {}, which the sum of all has: {}.",
                                duration_text(std::abs(more)), more > 0 ? "more" : "less",
                                more > 0 ? "what is done once, as thermalisation and setups that others use"
                                         : "what it need not do"));
  return text;
}

Json part_json(const CostPart& part) {
  static constexpr const char* names[] = {"counted", "iterations", "sweeps"};
  return {{"name", part.name},
          {"repeats", names[static_cast<int>(part.repeats)]},
          {"loops", part.loops},
          {"passes", part.passes},
          {"seconds", part.seconds}};
}

Json point_json(const Cost& cost, const CostPoint& point) {
  Json out = {{"gpus", point.ranks}, {"nodes", point.nodes}};
  if (!point.refusal.empty()) {
    out["refusal"] = point.refusal;
    return out;
  }
  out["process_grid"] = point.grid;
  out["local_lattice"] = point.local;
  out["memory_of_a_gpu"] = point.memory;
  out["fits"] = point.fits;
  out["seconds_of_the_first_configuration"] = point.first;
  out["seconds_of_a_configuration"] = point.seconds;
  out["node_hours_of_a_configuration"] = point.node_hours();
  out["gpu_hours_of_a_configuration"] = point.gpu_hours();
  out["efficiency"] = cost.efficiency(point);
  const double all = cost.seconds_of_all(point);
  out["all"] = {
      {"seconds", all}, {"node_hours", point.nodes * all / 3600}, {"gpu_hours", point.ranks * all / 3600}};
  out["notes"] = point.notes;
  out["parts"] = Json::array();
  for (const CostPart& part : point.parts) out["parts"].push_back(part_json(part));
  return out;
}

constexpr const char* not_counted =
    "Not counted: the start of the program, reading and writing files, measuring, contractions, smearing of "
    "links and quarks, tuning of kernels, which happens once on a machine, and waiting in queues.";

}  // namespace

std::string cost_text(const Cost& cost) {
  std::string text = fmt::format("{}: {} on {}: costs, predicted by a model, not measured\n\n",
                                 cost.job().file(), cost.job().type(), to_string(cost.lattice()));
  for (const std::string& sentence : cost.machine().origin) text += wrapped(sentence);
  for (const std::string& note : shown(cost).notes) text += wrapped(note);
  text += assumed_text(cost) + wrapped(not_counted) + '\n' + table_text(cost) + choices_text(cost) + '\n' +
          parts_text(cost);
  return text;
}

std::string cost_json(const Cost& cost) {
  Json out = {{"file", cost.job().file()}, {"job", cost.job().type()}, {"lattice", cost.lattice()}};
  const MachineModel& machine = cost.machine();
  out["machine"] = {{"name", machine.name},
                    {"origin", machine.origin},
                    {"ranks_per_node", machine.ranks_per_node},
                    {"memory_of_a_gpu", machine.memory}};
  out["assumed"] = {{"iterations", cost.assumed().run.iterations}, {"sweeps", cost.assumed().run.sweeps}};
  for (const auto& [label, count] : cost.assumed().run.iterations_of)
    out["assumed"]["iterations_of"][label] = count;
  out["configurations"] = cost.configurations();
  out["points"] = Json::array();
  for (const CostPoint& point : cost.points()) out["points"].push_back(point_json(cost, point));
  const auto gpus_of = [](const CostPoint* point) { return point != nullptr ? Json(point->ranks) : Json(); };
  out["cheapest"] = gpus_of(cost.cheapest());
  out["fastest"] = gpus_of(cost.fastest());
  out["cheapest_in_gpu_hours"] = gpus_of(cost.cheapest_by_gpu());
  out["slower_beyond"] = cost.slower_beyond();
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace plaq::jobs
