#include "quarks/multigrid/setup_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/stop_request.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "io/bytes/exists_on_first_rank.hpp"
#include "io/gauge/link_sum.hpp"
#include "io/multigrid/multigrid_file.hpp"

namespace plaq {
namespace {

// Entry of a setup that was refreshed: rho of the one from noise that it descends from, so that it does not
// get worse a little from field to field.
constexpr const char* refreshed_key = "refreshed_from_reduction";

// Entry of a setup whose cycles were chosen before it began; those of one that is finished always are.
constexpr const char* chosen_key = "cycles_chosen";

[[noreturn]] void refuse_setup(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", path, what));
}

// Null without.
const HeaderEntry* find_entry(const MultigridSetupInfo& setup, std::string_view key) {
  const auto at = std::find_if(setup.entries.begin(), setup.entries.end(),
                               [&](const HeaderEntry& entry) { return entry.key == key; });
  return at == setup.entries.end() ? nullptr : &*at;
}

std::optional<double> refreshed_from(const MultigridSetupInfo& setup) {
  const HeaderEntry* entry = find_entry(setup, refreshed_key);
  if (entry == nullptr) return std::nullopt;
  double reduction = 0;
  const char* end = entry->value.data() + entry->value.size();
  if (std::from_chars(entry->value.data(), end, reduction).ptr != end) return std::nullopt;
  return reduction;
}

bool has_chosen(const MultigridSetupInfo& setup) {
  return setup.finished || find_entry(setup, chosen_key) != nullptr;
}

// Reduction that setups refreshed from this one should reach.
std::optional<double> reference_of(const MultigridSetupInfo& setup) {
  const auto before = refreshed_from(setup);
  if (before || setup.reductions.empty()) return before;
  return setup.reductions.back();
}

}  // namespace

SetupFile::SetupFile(const FermionLinks& links, const Action& action, MultigridSettings settings,
                     SetupPaths paths)
    : grid_(*links.grid),
      geometry_(links.gauge.geometry_ptr()),
      Ls_(action.Ls()),
      operator_(action.description()),
      settings_(std::move(settings)),
      paths_(std::move(paths)) {
  const MemoryName name("links for their checksum");
  if (paths_.own.empty()) return;
  links_ = checksum_of_any_links(grid_, links.gauge);
  if (const auto clover = clover_links_entry(links)) operator_.push_back(*clover);
}

int SetupFile::vectors() const { return settings_.levels.front().made(); }

MultigridFitReport SetupFile::fit(const MultigridFileInfo& file) const {
  return fit_of(file, geometry_->global(), operator_, links_);
}

// Contents of a file that may serve here, or at least be refreshed.
MultigridFileInfo SetupFile::usable(const std::string& path) const {
  const MultigridFileInfo file = read_multigrid_info(path, grid_);
  const MultigridFitReport found = fit(file);
  std::string wrong;
  if (found.fit > MultigridFit::other_links)
    wrong = fmt::format("{}: {}", text_of(found.fit), found.differences);
  else if (file.vectors != vectors())
    wrong = fmt::format("it holds {} near-null vectors, {} are wanted", file.vectors, vectors());
  if (!wrong.empty()) refuse_setup(path, wrong + "; it is not replaced: name another directory");
  return file;
}

// None where they are still to be chosen.
std::vector<CycleParameters> SetupFile::chosen_cycles(const MultigridFileInfo& file) const {
  std::vector<CycleParameters> cycles;
  if (!has_chosen(file.setup)) return cycles;
  for (const MultigridLevelInfo& level : file.setup.levels) {
    if (level.smoothing_steps < 1 || !(level.coarse_tolerance > 0 && level.coarse_tolerance < 1))
      refuse_setup(file.path, fmt::format("{} smoothing steps and a coarse tolerance of {} make no cycle",
                                          level.smoothing_steps, level.coarse_tolerance));
    cycles.push_back({level.smoothing_steps, level.coarse_tolerance});
  }
  return cycles;
}

SetupStart SetupFile::read_vectors(const MultigridFileInfo& file, Location location) const {
  const MemoryName name("multigrid");
  SetupStart start;
  start.vectors = Field(geometry_, five_dimensional_spec(Subset::full, file.vectors, Ls_,
                                                         Precision::single_precision, location));
  read_near_null_vectors(file.path, grid_, start.vectors);
  start.rounds = file.setup.rounds;
  start.cycles = chosen_cycles(file);
  return start;
}

SetupStart SetupFile::read_own(Location location) const {
  const MultigridFileInfo file = usable(paths_.own);
  const MultigridFitReport found = fit(file);
  if (found.fit == MultigridFit::other_links && !paths_.refresh)
    refuse_setup(paths_.own, fmt::format("{}: {}; refresh = true begins with it and replaces it",
                                         text_of(found.fit), found.differences));
  SetupStart start = read_vectors(file, location);
  const bool same_links = found.fit < MultigridFit::other_links;
  start.finished = same_links && file.setup.finished;
  if (found.fit == MultigridFit::same) {
    start.reductions = file.setup.reductions;
    start.refreshed_from = refreshed_from(file.setup);
  } else if (!start.finished) {
    start.refreshed_from = reference_of(file.setup);
  }
  log::info(fmt::format("{}: {} near-null vectors of {} rounds{}; {}{}", paths_.own, file.vectors,
                        file.setup.rounds, file.setup.finished ? "" : ", not finished", text_of(found.fit),
                        found.differences.empty() ? "" : ": " + found.differences));
  return start;
}

SetupStart SetupFile::read_before(Location location) const {
  const MultigridFileInfo file = usable(paths_.before);
  SetupStart start = read_vectors(file, location);
  start.refreshed_from = reference_of(file.setup);
  log::info(fmt::format("{}: {} near-null vectors of {} rounds are refreshed", paths_.before, file.vectors,
                        file.setup.rounds));
  return start;
}

SetupStart SetupFile::read(Location location) const {
  if (paths_.own.empty() || runs_dry()) return {};
  if (exists_on_first_rank(paths_.own, grid_)) return read_own(location);
  if (!paths_.before.empty() && exists_on_first_rank(paths_.before, grid_)) return read_before(location);
  return {};
}

// In a dry run, which has no links to compare: whether it is there, and finished.
bool SetupFile::stays() const {
  std::error_code ignored;
  return std::filesystem::exists(paths_.own, ignored) && inspect_multigrid_file(paths_.own).setup.finished;
}

MultigridSetup::AfterRound SetupFile::keep() {
  if (paths_.own.empty() || (runs_dry() && stays())) return {};
  return [this, stop = std::make_shared<StopRequest>(), since = Timer()](const SetupReport& report,
                                                                         const Field& vectors) mutable {
    const int signal = report.finished ? 0 : stop->anywhere(grid_.comm());
    bool due =
        report.finished || signal != 0 || since.seconds() >= 60 * paths_.checkpoint_minutes || runs_dry();
    due = grid_.comm().broadcast(due);
    if (!std::isfinite(report.kept.reduction) && !runs_dry()) due = false;  // of no use to anybody
    if (due) {
      write(report, vectors);
      since = Timer();
    }
    const std::string probed =
        report.reductions.empty()
            ? "not probed"
            : fmt::format("an iteration leaves {:.3f} of a residual", report.kept.reduction);
    if (!report.finished)
      log::info(fmt::format("multigrid: {} rounds, {}{}", report.rounds, probed,
                            due ? "; kept in " + paths_.own : ""));
    if (signal != 0) throw_stopped(signal, fmt::format("{} has all rounds so far", paths_.own));
  };
}

void SetupFile::write(const SetupReport& report, const Field& vectors) const {
  const Phase phase("writing a setup of multigrid");
  MultigridSetupInfo setup;
  setup.plaq_version = std::string(version());
  setup.operator_entries = operator_;
  setup.links = links_;
  for (std::size_t l = 0; l < settings_.levels.size(); ++l) {
    const LevelSettings& level = settings_.levels[l];
    const CycleParameters cycle = l < report.cycles.size() ? report.cycles[l] : level.cycle();
    setup.levels.push_back({level.block, level.vectors, cycle.smoothing_steps, cycle.coarse_tolerance,
                            level.coarse.most_iterations});
  }
  setup.seed = settings_.seed;
  setup.filter_iterations = settings_.filter_iterations;
  setup.coarse_filter_iterations = settings_.coarse_filter_iterations;
  setup.omega = settings_.omega;
  setup.rounds = report.rounds;
  setup.finished = report.finished;
  if (!runs_dry()) setup.reductions = report.reductions;
  if (report.refreshed_from)
    setup.entries.push_back({refreshed_key, fmt::format("{}", *report.refreshed_from)});
  if (report.has_chosen && !report.finished) setup.entries.push_back({chosen_key, "true"});
  write_near_null_vectors(paths_.own, grid_, vectors, setup, Precision::single_precision);
}

}  // namespace plaq
