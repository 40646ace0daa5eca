#include "gaugefix/run/fixing_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/performance_region.hpp"

namespace plaq {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::uint64_t seed_step = 0x9e3779b97f4a7c15u;  // from a start to the next one of the same copy

// Down to where theta means what it says in this arithmetic; below it is rounding.
double least_theta(FixingPrecision precision) {
  switch (precision) {
    case FixingPrecision::single:
      return 1e-9;
    case FixingPrecision::mixed:
      return 1e-11;
    default:
      return 0;
  }
}

std::uint64_t seed_of_start(std::uint64_t seed, int start) {
  return seed + static_cast<std::uint64_t>(start) * seed_step;
}

}  // namespace

struct FixingRun::Sweeps {
  GaugeFixer fixer;
  int reproject_every;
  int unprojected = 0;   // sweeps
  bool counted = false;  // in a dry run, as a loop of sweeps

  template <class Step>
  void operator()(const Step& step) {
    {
      const PerformanceRegion region(
          fmt::format("sweep of {} cop{}", fixer.copies(), fixer.copies() == 1 ? "y" : "ies"));
      if (!counted) count_loop(LoopLength::sweeps);
      counted = true;
      fixer.sweep(step);
    }
    if (++unprojected < reproject_every) return;
    fixer.project();
    unprojected = 0;
  }
};

struct FixingRun::Copy {
  enum class Fate { sweeping, reached, stuck };
  CopyOutcome outcome;
  int subfield = 0;  // of the fixer that sweeps over it; -1: it is done with
  Fate fate = Fate::sweeping;
  GaugeQuality quality;         // as measured last
  OmegaControl control{{}};     // where this copy adapts its omega
  std::optional<double> omega;  // of this copy alone, after it was stuck
  double halved = never;        // the theta of which it is to reach half
  std::int64_t halved_at = 0;   // its sweeps then
  std::int64_t relaxed = 0;     // sweeps of overrelaxation in this start
  bool sweeping() const { return fate == Fate::sweeping; }

  // Sweeps of another kind, or another g: its theta says nothing about those to come.
  void begin() {
    fate = Fate::sweeping;
    halved = never;
    control.forget();
  }
  void decide(double theta_now, double theta, const FixingSettings& settings) {
    const std::int64_t sweeps = outcome.sweeps();
    if (theta_now < theta) {
      fate = Fate::reached;
    } else if (std::isnan(theta_now)) {
      fate = Fate::stuck;
    } else {
      if (theta_now <= halved / 2) {
        halved = theta_now;
        halved_at = sweeps;
      }
      if (sweeps - halved_at >= settings.patience || relaxed >= settings.max_sweeps) fate = Fate::stuck;
    }
  }
};

FixingRun::FixingRun(const ProcessGrid& grid, const Field& gauge, const FixingSettings& settings,
                     const Queue& queue, std::shared_ptr<Transport> transport, AtFixingCheck at_check)
    : grid_(grid),
      gauge_(gauge),
      settings_(settings),
      queue_(queue),
      transport_(std::move(transport)),
      at_check_(std::move(at_check)),
      omega_(settings.omega) {
  require(settings.theta > 0 && settings.measure_every > 0 && settings.reproject_every > 0,
          "gauge fixing takes a theta above 0, and measures and reprojects");
  in_double_.reset(new Sweeps{make_fixer(FixingPrecision::full, 1), settings.reproject_every});
}

FixingRun::~FixingRun() = default;

GaugeFixer FixingRun::make_fixer(FixingPrecision precision, int copies) const {
  return {grid_, gauge_, settings_.gauge, precision, copies, queue_, transport_};
}

std::vector<CopyOutcome> FixingRun::run(int first, int count) {
  std::vector<CopyOutcome> all;
  if (!omega_ && first == 0 && count > 0) {
    all = run_together(0, 1);
    omega_ = all.front().omega;
    ++first, --count;
  }
  if (count > 0)
    for (CopyOutcome& outcome : run_together(first, count)) all.push_back(std::move(outcome));
  return all;
}

std::vector<CopyOutcome> FixingRun::run_together(int first, int count) {
  Sweeps sweeps{make_fixer(settings_.precision, count), settings_.reproject_every};
  const std::uint64_t seed = settings_.seed + static_cast<std::uint64_t>(first);
  const Field unit = sweeps.fixer.transformation(0);
  sweeps.fixer.start_at_random(seed);
  if (settings_.from_links && first == 0) sweeps.fixer.start_from(0, unit);
  std::vector<Copy> copies(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    Copy& copy = copies[static_cast<std::size_t>(k)];
    copy.outcome.copy = first + k;
    const Extents& extents = gauge_.geometry().global();
    copy.control = OmegaControl(OmegaControl::limits_of(*std::max_element(extents.begin(), extents.end())));
    copy.outcome.omega = omega_ ? *omega_ : copy.control.omega();  // also of one that needs no overrelaxation
    copy.subfield = k;
  }
  start(sweeps, copies, seed, std::max(settings_.theta, least_theta(settings_.precision)),
        [&](Copy& copy, const GaugeFixer& fixer) { finish_in_double(copy, fixer); });
  std::vector<CopyOutcome> outcomes;
  for (Copy& copy : copies) outcomes.push_back(std::move(copy.outcome));
  return outcomes;
}

// All stages.
void FixingRun::start(Sweeps& sweeps, std::span<Copy> copies, std::uint64_t seed, double theta,
                      const Ended& ended) {
  for (Copy& copy : copies) {
    copy.begin();
    copy.relaxed = 0;
  }
  anneal(sweeps, copies, seed);
  relax_stochastically(sweeps, copies, seed, theta, ended);
  overrelax(sweeps, copies, theta, ended);
}

void FixingRun::anneal(Sweeps& sweeps, std::span<Copy> copies, std::uint64_t seed) {
  const AnnealingSchedule& schedule = settings_.annealing;
  const int every = std::max(1, schedule.steps / 128);
  for (int step = 0; step < schedule.steps; ++step) {
    const double temperature = schedule.temperature(step);
    sweeps(HeatbathStep{temperature, seed, static_cast<std::uint32_t>(step)});
    for (int n = 0; n < schedule.microcanonical; ++n) sweeps(RelaxationStep::microcanonical());
    for (Copy& copy : copies) copy.outcome.annealing += 1 + schedule.microcanonical;
    if (step % every != 0 && step + 1 != schedule.steps) continue;
    measure(sweeps.fixer, copies, FixingStage::annealing, temperature);
  }
}

void FixingRun::relax_stochastically(Sweeps& sweeps, std::span<Copy> copies, std::uint64_t seed, double theta,
                                     const Ended& ended) {
  for (int n = 0; n < settings_.stochastic_sweeps; ++n) {
    sweeps(RelaxationStep::stochastic(settings_.stochastic_probability, seed, static_cast<std::uint32_t>(n)));
    for (Copy& copy : copies)
      if (copy.sweeping()) ++copy.outcome.stochastic;
    if ((n + 1) % settings_.measure_every != 0) continue;
    measure(sweeps.fixer, copies, FixingStage::stochastic);
    for (Copy& copy : copies) {
      if (!copy.sweeping() || measured_theta(settings_.gauge, copy.quality) >= theta) continue;
      copy.fate = Copy::Fate::reached;
      ended(copy, sweeps.fixer);
    }
    if (std::none_of(copies.begin(), copies.end(), [](const Copy& copy) { return copy.sweeping(); })) return;
  }
}

void FixingRun::overrelaxation(Sweeps& sweeps, double omega) const {
  if (settings_.in_subgroups)
    sweeps(RelaxationStep::overrelaxation(omega));
  else
    sweeps(GroupOverrelaxationStep{omega});
}

void FixingRun::overrelax(Sweeps& sweeps, std::span<Copy> copies, double theta, const Ended& ended) {
  for (Copy& copy : copies)
    if (copy.sweeping()) {
      copy.begin();
      copy.halved_at = copy.outcome.sweeps();
    }
  while (std::any_of(copies.begin(), copies.end(), [](const Copy& copy) { return copy.sweeping(); })) {
    Copy& first = copies.front();
    const double omega = first.omega ? *first.omega : omega_ ? *omega_ : first.control.omega();
    for (int n = 0; n < settings_.measure_every; ++n) overrelaxation(sweeps, omega);
    for (Copy& copy : copies) {
      if (!copy.sweeping()) continue;
      copy.outcome.overrelaxation += settings_.measure_every;
      copy.relaxed += settings_.measure_every;
      if (!copy.omega) copy.outcome.omega = omega;  // others may take it over
    }
    measure(sweeps.fixer, copies, FixingStage::overrelaxation);
    if (first.sweeping()) first.control.observe(settings_.measure_every, first.quality.theta);
    end_those_that_can(sweeps, copies, theta, ended);
  }
}

void FixingRun::measure(GaugeFixer& fixer, std::span<Copy> copies, FixingStage stage, double temperature) {
  const auto qualities = fixer.quality();
  std::vector<FixingCheck> checks;
  for (Copy& copy : copies) {
    if (!copy.sweeping()) continue;
    copy.quality = qualities[static_cast<std::size_t>(copy.subfield)];
    const HistoryPoint point{stage, static_cast<double>(copy.outcome.sweeps()), copy.quality.functional,
                             measured_theta(settings_.gauge, copy.quality), temperature};
    copy.outcome.history.add(point);
    checks.push_back({copy.outcome.copy, point});
  }
  if (at_check_) at_check_(checks);
}

// The fixer goes on without them once that is half of its work.
void FixingRun::end_those_that_can(Sweeps& sweeps, std::span<Copy> copies, double theta, const Ended& ended) {
  std::vector<int> left;
  for (Copy& copy : copies) {
    if (!copy.sweeping()) continue;
    copy.decide(measured_theta(settings_.gauge, copy.quality), theta, settings_);
    if (copy.sweeping())
      left.push_back(copy.subfield);
    else
      ended(copy, sweeps.fixer);
  }
  if (left.empty() || 2 * static_cast<int>(left.size()) > sweeps.fixer.copies()) return;
  sweeps.fixer.keep(left);
  int subfield = 0;
  for (Copy& copy : copies)
    if (copy.sweeping()) copy.subfield = subfield++;
}

// Finds the result of a copy by its g in double precision, after the sweeps that it still needs there.
void FixingRun::finish_in_double(Copy& copy, const GaugeFixer& fixer) {
  GaugeFixer& exact = in_double_->fixer;
  exact.start_from(0, fixer.transformation(copy.subfield));
  exact.project();
  in_double_->unprojected = 0;
  copy.subfield = 0;
  const Copy::Fate fate = copy.fate;
  copy.quality = exact.quality().front();
  if (measured_theta(settings_.gauge, copy.quality) >= settings_.theta) {
    if (fate == Copy::Fate::reached || settings_.precision != FixingPrecision::full) {
      copy.fate = Copy::Fate::sweeping;
      overrelax(*in_double_, {&copy, 1}, settings_.theta, [](Copy&, const GaugeFixer&) {});
    }
    if (copy.fate == Copy::Fate::stuck) rescue(copy);
    exact.project();
    copy.quality = exact.quality().front();
  }
  CopyOutcome& outcome = copy.outcome;
  outcome.functional = copy.quality.functional;
  outcome.theta = copy.quality.theta;
  outcome.worst_slice = copy.quality.worst_slice;
  outcome.converged = measured_theta(settings_.gauge, copy.quality) < settings_.theta;
  if (outcome.converged && (best_.copy < 0 || outcome.functional > best_.functional))
    best_ = {outcome.copy, outcome.functional, exact.transformation(0)};
}

void FixingRun::rescue(Copy& copy) {
  const std::span<Copy> alone(&copy, 1);
  const Ended leave = [](Copy&, const GaugeFixer&) {};
  const std::uint64_t seed = settings_.seed + static_cast<std::uint64_t>(copy.outcome.copy);
  // Random steps that keep the functional lead off what sweeps of one kind do not leave.
  for (int n = 0; n < settings_.patience / 4; ++n)
    (*in_double_)(RelaxationStep::stochastic(settings_.stochastic_probability, seed_of_start(seed, -1),
                                             static_cast<std::uint32_t>(n)));
  copy.outcome.stochastic += settings_.patience / 4;
  copy.omega = 1 + 0.5 * (copy.outcome.omega - 1);
  copy.fate = Copy::Fate::sweeping;
  copy.relaxed = 0;
  overrelax(*in_double_, alone, settings_.theta, leave);
  copy.omega.reset();
  while (copy.fate == Copy::Fate::stuck && copy.outcome.restarts < settings_.restarts) {
    const std::uint64_t another = seed_of_start(seed, ++copy.outcome.restarts);
    in_double_->fixer.start_at_random(another);
    start(*in_double_, alone, another, settings_.theta, leave);
  }
}

}  // namespace plaq
