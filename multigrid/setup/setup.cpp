#include "multigrid/setup/setup.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/launch/tuning.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/performance_region.hpp"
#include "core/system/profiler.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "multigrid/coarse/galerkin.hpp"
#include "multigrid/cycle/cycle_in_precision.hpp"
#include "multigrid/hierarchy/near_null_vectors.hpp"

namespace plaq {
namespace {

constexpr double noise_of_probes = 1.1;  // iterations that a round may seem to add
constexpr double least_gain = 0.05;      // in iterations, by a round, below which there is no further one
constexpr double worse = 1.2;  // how much larger rho may be on another field before vectors are made better
constexpr int refreshing_rounds = 4;
constexpr double strange =
    2.5;  // how many times the iterations show that vectors do not know a field: noise begins better
constexpr double share_of_choice = 0.02;  // of all solves: what those that cycles are chosen by may take
constexpr double part_of_a_solve = 0.4;   // that each of those is, to 1e-4
constexpr int most_probes = 10;
// Least pivot of vectors within aggregates below which they are made orthonormal on the whole lattice. Coarse
// lattices do not depend on that: they are of all combinations of the vectors. But a cycle with 16 bits would
// lose what a vector has beside the others.
constexpr double nearly_dependent = 0.005;
constexpr std::uint64_t probe_seed = 7919;

}  // namespace

double MultigridSetup::solve_seconds(const ProbeResult& now) const {
  return now.iterations(settings_.tolerance) * now.seconds();
}

// Cycles of all vectors, and the product that makes coarse operators.
double MultigridSetup::round_seconds(const ProbeResult& now) const {
  const int count = vectors_.batch();
  const double ranks = finest_->grid().size();
  return modelled_seconds(static_cast<double>(count) * now.iteration +
                          ranks * galerkin_work(finest_->full(), hierarchy_.transfer(0), count));
}

void MultigridSetup::round() {
  std::unique_ptr<CycleInPrecision> cycle;
  int made_for = 0;
  change_vectors(*finest_, vectors_, [&](SchurOperator& s, Field& v) {
    if (v.batch() != made_for) {
      made_for = v.batch();
      cycle = std::make_unique<CycleInPrecision>(finest_->grid(), hierarchy_.cycle(0, made_for),
                                                 s.spec(1).precision, made_for);
    }
    Field before(v.geometry_ptr(), v.spec());
    copy_parity(before, v, s.parity(), s.queue());
    cycle->apply(v, before);
  });
  cycle.reset();
  if (hierarchy_.transfer(0).orthonormality().least_pivot < nearly_dependent)
    orthonormalise_vectors(*finest_, vectors_);
  fill_other_parity(*finest_, vectors_);  // to the bit what it is made of the kept half later
  hierarchy_.build(vectors_);
}

void MultigridSetup::begin(Field vectors) {
  vectors_ = std::move(vectors);
  hierarchy_.build(vectors_);
  report_.cycles = hierarchy_.cycles();
  report_.kept = probed();
}

Field MultigridSetup::filtered_noise() const {
  const LevelSettings& finest = settings_.levels.front();
  Field vectors = noise_vectors(*finest_, finest.made(), settings_.seed);
  filter_vectors(*finest_, vectors, finest_->is_around_zero() ? "cg" : "bicgstab",
                 settings_.filter_iterations);
  return vectors;
}

ProbeResult MultigridSetup::probed() {
  report_.probes.push_back(probe(hierarchy_, probe_seed));
  return report_.probes.back();
}

void MultigridSetup::tell() const {
  if (after_round_) after_round_(report_, vectors_);
}

template <class Work, class Restore>
auto MultigridSetup::unless_stopped(const Work& work, const Restore& restore) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::stopped) throw;
    restore();
    if (vectors_) tell();
    throw;
  }
}

// Decides by rates alone, so that a setup which is continued decides as if it had never been interrupted.
bool MultigridSetup::pays() const {
  if (report_.rounds >= settings_.most_rounds) return false;
  if (report_.rounds < settings_.least_rounds) return true;
  const auto iterations = [&](std::size_t back) {
    ProbeResult of;
    of.reduction = report_.reductions[report_.reductions.size() - back];
    return of.iterations(settings_.tolerance);
  };
  double saved = iterations(1);  // by the last round; of the first one nothing is known
  if (report_.reductions.size() > 1) {
    if (iterations(1) > (1 - least_gain) * iterations(2)) return false;
    saved = iterations(2) - iterations(1);
  }
  const double seconds = saved * report_.kept.seconds();
  return 0.5 * seconds * settings_.solves >= round_seconds(report_.kept);
}

bool MultigridSetup::add_round() {
  const Field before = vectors_;
  const ProbeResult now = unless_stopped(
      [&] {
        vectors_ = Field(before.geometry_ptr(), before.spec());
        copy(vectors_, before);
        round();
        return probed();
      },
      [&] { vectors_ = before; });
  const double most = noise_of_probes * report_.kept.iterations(settings_.tolerance);
  if (!(now.iterations(settings_.tolerance) <= most)) {
    vectors_ = before;
    hierarchy_.build(vectors_);
    return false;
  }
  ++report_.rounds;
  report_.kept = now;
  report_.reductions.push_back(now.reduction);
  tell();
  return true;
}

void MultigridSetup::improve() {
  while (pays() && add_round()) continue;
}

void MultigridSetup::refresh() {
  const auto good = [&] { return report_.kept.reduction <= worse * *report_.refreshed_from; };
  const auto iterations = [&](double reduction) {
    ProbeResult of;
    of.reduction = reduction;
    return of.iterations(settings_.tolerance);
  };
  const bool known = settings_.most_rounds > 0 &&
                     iterations(report_.reductions.front()) <= strange * iterations(*report_.refreshed_from);
  while (known && !good() && static_cast<int>(report_.reductions.size()) <= refreshing_rounds && add_round())
    continue;
  if (good()) return;
  // An interrupted setup continues from the last record: nothing is recorded until it is known which vectors
  // are better.
  const Field old = vectors_;
  SetupReport refreshed = std::exchange(report_, {});
  const AfterRound after_round = std::exchange(after_round_, {});
  report_.has_chosen = refreshed.has_chosen;
  unless_stopped(
      [&] {
        begin(filtered_noise());
        report_.reductions = {report_.kept.reduction};
        improve();
      },
      [&] {
        report_ = refreshed;
        vectors_ = old;
        after_round_ = after_round;
      });
  after_round_ = after_round;
  refreshed.probes.insert(refreshed.probes.end(), report_.probes.begin(), report_.probes.end());
  if (solve_seconds(report_.kept) < solve_seconds(refreshed.kept)) {
    report_.probes = refreshed.probes;
    return;
  }
  report_ = std::move(refreshed);
  vectors_ = old;
  hierarchy_.build(vectors_);
}

// Takes the given parameters where the settings leave them open.
void MultigridSetup::begin_cycles(const std::vector<CycleParameters>& given) {
  std::vector<CycleParameters> cycles;
  for (std::size_t i = 0; i < settings_.levels.size(); ++i) {
    const LevelSettings& level = settings_.levels[i];
    cycles.push_back(level.cycle());
    if (i >= given.size()) continue;
    if (level.chooses_steps) cycles[i].smoothing_steps = given[i].smoothing_steps;
    if (level.chooses_tolerance) cycles[i].coarse_tolerance = given[i].coarse_tolerance;
  }
  hierarchy_.use(cycles);
}

// Beside the one of what there is.
int MultigridSetup::affordable_probes() const {
  const double probes = share_of_choice * settings_.solves / (part_of_a_solve * solves_of_probe) - 1;
  return static_cast<int>(std::clamp(probes, 0.0, static_cast<double>(most_probes)));
}

// Data decide. A dry run takes the most memory that they may take, and goes on with what it began with.
void MultigridSetup::choose() {
  const SetupReport before = report_;
  unless_stopped([&] { choose_cycles_now(); }, [&] { report_ = before; });
}

void MultigridSetup::choose_cycles_now() {
  const auto is_open = [](const LevelSettings& level) {
    return level.chooses_steps || level.chooses_tolerance;
  };
  const int most = affordable_probes();
  report_.has_chosen = true;
  if (most == 0 || !std::any_of(settings_.levels.begin(), settings_.levels.end(), is_open)) return;
  const auto with = [&](const std::vector<CycleParameters>& cycles) {
    hierarchy_.use(cycles);
    return probe_solves(hierarchy_, probe_seed);
  };
  if (runs_dry()) {
    std::vector<CycleParameters> cycles = report_.cycles;
    for (std::size_t i = 0; i < cycles.size(); ++i)
      if (settings_.levels[i].chooses_steps) cycles[i].smoothing_steps = most_chosen_steps;
    for (int i = 0; i <= most; ++i) with(cycles);
    return hierarchy_.use(report_.cycles);
  }
  const CycleProbe begin{report_.cycles, probe_solves(hierarchy_, probe_seed)};
  report_.choice = choose_cycles(settings_.levels, begin, most, with);
  const std::vector<CycleParameters>& best = best_of(report_.choice).cycles;
  if (hierarchy_.cycles() != best) hierarchy_.use(best);
  if (report_.cycles == best) return;
  report_.cycles = best;
  report_.kept = probe(hierarchy_, probe_seed);
  report_.reductions.back() = report_.kept.reduction;
}

SetupReport MultigridSetup::run(SetupStart start, const AfterRound& after_round) {
  return run(start, after_round, [&] {
    begin_cycles(start.cycles);
    const bool from_noise = !start.vectors;
    vectors_ = {};
    if (from_noise)
      start.vectors = filtered_noise();
    else
      fill_other_parity(*finest_, start.vectors);
    unless_stopped([&] { begin(std::move(start.vectors)); },
                   [&] {
                     if (!from_noise) vectors_ = {};  // whoever gave them has them
                   });
  });
}

SetupReport MultigridSetup::renew(LevelOperators& finest, SetupStart start, const AfterRound& after_round) {
  require(start.vectors && !start.finished && start.refreshed_from,
          "a setup that is renewed without vectors to refresh");
  follow(finest);
  return run(start, after_round, [&] {
    report_.cycles = hierarchy_.cycles();
    vectors_ = Field(start.vectors.geometry_ptr(), start.vectors.spec());
    copy(vectors_, start.vectors);
    unless_stopped([&] { round(); }, [&] { vectors_ = {}; });
    ++report_.rounds;
    report_.kept = probed();
  });
}

void MultigridSetup::follow(LevelOperators& finest) {
  finest_ = &finest;
  hierarchy_.follow(finest);
}

SetupReport MultigridSetup::run(const SetupStart& start, const AfterRound& after_round,
                                const std::function<void()>& begin) {
  const ScopedRange range("multigrid setup");
  const PerformanceRegion region("setup of multigrid");
  const TunerPause pause(finest_->full().queue());  // its batches are not those of solves
  const Timer timer;
  report_ = {};
  report_.rounds = start.rounds;
  report_.reductions = start.reductions;
  report_.refreshed_from = start.refreshed_from;
  report_.has_chosen = start.finished || !start.cycles.empty();
  after_round_ = after_round;
  begin();
  const bool is_new = report_.reductions.empty();
  if (is_new) report_.reductions.push_back(0);
  report_.reductions.back() = report_.kept.reduction;
  if (!start.finished) {
    if (is_new) tell();
    report_.refreshed_from ? refresh() : improve();
    if (!report_.has_chosen) choose();
  }
  report_.checks = self_checks(hierarchy_, settings_.narrowest());
  expect_passed(report_.checks);
  report_.finished = true;
  report_.seconds = timer.seconds();
  if (!start.finished) tell();
  after_round_ = {};
  return report_;
}

SetupReport MultigridSetup::shift_mass(LevelOperators& finest, double change) {
  const ScopedRange range("multigrid setup");
  const PerformanceRegion region("setup of multigrid");
  const Timer timer;
  finest_ = &finest;
  const TunerPause pause(finest_->full().queue());  // its batches are not those of solves
  hierarchy_.shift_mass(finest, change);
  report_.kept = probed();
  report_.reductions = {report_.kept.reduction};
  report_.checks = self_checks(hierarchy_, settings_.narrowest(), at_least_half(settings_.link_storage));
  expect_passed(report_.checks);
  report_.seconds = timer.seconds();
  return report_;
}

}  // namespace plaq
