#include "jobs/chain/chain_resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/names_now.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/gauge/gauge_file_info.hpp"

namespace plaq::jobs {
namespace {

using Kind = ChainEvent::Kind;

std::optional<GaugeFileInfo> inspect(const std::string& path) {
  if (!exists_now(path)) return std::nullopt;
  try {
    return inspect_gauge_file(path);
  } catch (const Error& error) {
    log::warning(error.what());
    return std::nullopt;
  }
}

std::string entry_of(const GaugeFileInfo& info, const char* key) {
  for (const auto& entry : info.entries)
    if (entry.key == key) return entry.value;
  return "";
}

bool is_as_saved(const std::string& path, const ChainEvent& event) {
  const auto info = inspect(path);
  return info && info->file_bytes == event.bytes && (!info->checksum || *info->checksum == event.checksum);
}

// The sweep of the checkpoint, when it is one of this chain.
std::optional<std::int64_t> checkpoint_sweep(const ChainPlan& plan) {
  const auto info = inspect(plan.checkpoint_name());
  if (!info || entry_of(*info, chain_key) != plan.chain) return std::nullopt;
  const std::string text = entry_of(*info, sweep_key);
  if (text.empty() || text.size() > 10 || text.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  const std::int64_t sweep = std::stoll(text);
  if (sequence_number_of(*info) != plan.number_of(sweep)) return std::nullopt;  // a damaged header
  return sweep;
}

}  // namespace

std::int64_t last_covered_sweep(const ChainPlan& plan, const std::vector<ChainEvent>& events) {
  std::set<std::int64_t> updated, measured, saved;
  for (const auto& event : events) {
    if (event.kind == Kind::updated) updated.insert(event.sweep);
    if (event.kind == Kind::measured) measured.insert(event.sweep);
    if (event.kind != Kind::saved) continue;
    const std::string path = plan.configuration_name(event.sweep);
    if (is_as_saved(path, event))
      saved.insert(event.sweep);
    else
      log::warning(fmt::format("{} is missing or not as this job saved it: it is computed again", path));
  }
  for (std::int64_t sweep = 0; sweep <= plan.last; ++sweep)
    if ((sweep > 0 && !plan.kind.columns.empty() && !updated.contains(sweep)) ||
        (plan.measures(sweep) && !measured.contains(sweep)) || (plan.saves(sweep) && !saved.contains(sweep)))
      return sweep - 1;
  return plan.last;
}

std::vector<ChainState> find_states(const ChainPlan& plan, const std::vector<ChainEvent>& events) {
  const std::int64_t covered = last_covered_sweep(plan, events);
  const auto checkpoint = checkpoint_sweep(plan);
  const bool known = checkpoint && *checkpoint <= covered;
  // If saved fields are rounded, a chain ends with a checkpoint, from which a longer chain continues.
  if (covered == plan.last && (plan.saves_exactly() || !known || *checkpoint == covered))
    return {{covered, "", {}}};
  std::vector<ChainState> states;
  if (known) states.push_back({*checkpoint, plan.checkpoint_name(), {}});
  if (plan.saves_exactly())
    for (const auto& event : events)
      if (event.kind == Kind::saved && event.sweep <= covered)
        states.push_back({event.sweep, plan.configuration_name(event.sweep), {}});
  std::stable_sort(states.begin(), states.end(),
                   [](const ChainState& a, const ChainState& b) { return a.sweep > b.sweep; });
  for (ChainState& state : states)
    for (const auto& event : events)
      if (event.kind == Kind::updated && event.sweep <= state.sweep) state.steps.push_back(event.numbers);
  return states;
}

}  // namespace plaq::jobs
