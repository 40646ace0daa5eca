// Low-mode averaging of mesons, [correlators] low_mode_average (DeGrand, Schaefer, Comput. Phys. Commun. 159
// (2004) 185; Giusti et al., JHEP 04 (2004) 013): with the part S_low of the propagator in the modes of
// [solver] deflation
//
//   C(t) = C of the propagator - C of S_low from the same source + mean over all sources of C of S_low
//
// in place of a sink, as the correlators of jobs/correlators/correlators.hpp:
//
//   /correlators/CHANNEL/p_X_Y_Z/low_mode_average   [t][real, imaginary]  of one source, at a point sink
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "observables/quark/all_to_all_mesons.hpp"
#include "quarks/action/wilson_action.hpp"
#include "quarks/solve/low_mode_pairs.hpp"
#include "quarks/solve/low_modes.hpp"
#include "settings/quark/source_kind.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* averaged_sink = "low_mode_average";

struct LowModeKeys {
  bool average = false;
};

// The mesons of the job.
CorrelatorPlan plan_of_mesons(CorrelatorPlan plan) {
  std::erase_if(plan.channels, [](const Channel& channel) { return !channel.is_meson(); });
  plan.spin_matrix = false;
  return plan;
}

void check_low_modes(Problems& problems, const LowModeKeys& keys, const DeflationFiles& files,
                     const QuarkSmearingKeys& smearing, const SourceKeys& source, const Settings& job) {
  if (!keys.average) return;
  const KeyName key = "correlators.low_mode_average";
  const ActionPtr action = action_of_any_mass(job);
  const auto* wilson = parameters_of<WilsonParameters>(*action);
  if (wilson == nullptr || wilson->twisted_mass != 0)
    problems.add(key, "is of Wilson and clover quarks without a twist");
  else if (action->boundary()[3] == 0)
    problems.add(key, "has no meaning with Dirichlet boundaries in time, where sources are not alike");
  if (job.get<ActionKeys>().has_many_masses())
    problems.add(key, "is of one mass: modes of another one are of another operator");
  if (files.directory.empty())
    problems.missing("solver.deflation", "the directory of the modes of low_mode_average");
  if (first_source(job)->type() != "point" || !source.derivative.empty() ||
      (smearing.parameters.steps > 0 && smearing.source))
    problems.add(key, "averages over all points: it needs point sources without smearing and derivatives");
  const std::vector<Channel> channels = channels_of(job);
  if (std::none_of(channels.begin(), channels.end(), [](const Channel& one) { return one.is_meson(); }))
    problems.add(key, "is of mesons, of which channels has none");
}

class LowModeMeasurement final : public QuarkMeasurement {
 public:
  explicit LowModeMeasurement(const JobContext& context)
      : context_(context),
        plan_(plan_of_mesons(plan_of_correlators(context.job, context.extents))),
        correlators_(context, plan_) {}

  QuarkNeeds needs() const override { return {.source = true}; }

  void begin(const LoadedGauge& gauge) override {
    pairs_.reset();
    const MemoryName name("low modes");
    const Phase phase("averaging low modes");
    Field links_read(gauge.field.geometry_ptr(), gauge.field.spec());
    copy(links_read, gauge.field);
    const FermionLinks links = fermion_links(context_, links_read, context_.job.get<ActionSmearing>());
    const ActionPtr action = action_parameters(context_.job);
    const SolverSettings solver = solver_settings(context_.job, context_.location(), 1);
    const std::string path =
        field_file(context_.job.get<DeflationFiles>().directory, gauge.report.info.path, modes_ending);
    const StoredLowModes stored =
        read_stored_modes(path, solver.modes.value_or(0), links, *action, solver.preconditioning);
    pairs_.emplace(links, action, solver.preconditioning, stored.modes, stored.values);
    std::vector<MesonChannel> channels;
    for (const MesonChannel& one : meson_channels())
      if (std::any_of(plan_.channels.begin(), plan_.channels.end(),
                      [&](const Channel& channel) { return channel.name == one.name; }))
        channels.push_back(one);
    names_.clear();
    for (const MesonChannel& one : channels) names_.push_back(one.name);
    all_sources_ =
        all_to_all_mesons(context_,
                          {pairs_->count(), [this](int i) -> const Field& { return pairs_->phi(i); },
                           [this](int i) -> const Field& { return pairs_->chi(i); }},
                          channels, plan_.momenta);
    log::info(fmt::format("{} low modes are averaged over all sources", pairs_->count()));
  }

  Results measure(const SourceQuarks& from) override {
    const Phase phase("averaging low modes");
    Field low(context_.geometry, from.source.spec());
    pairs_->apply(low, from.source);
    const auto of_propagator = contract(from.quarks.front(), from.position),
               of_modes = contract(low, from.position);
    Results results;
    for (std::size_t i = 0; i < of_propagator.size(); ++i) {
      TwoPointFunction corrected = of_propagator[i];
      const auto& mean = mean_of(corrected);
      for (std::size_t t = 0; t < corrected.values.size(); ++t)
        corrected.values[t] += mean[t] - of_modes[i].values[t];
      add_correlator(results, corrected, "over all points by low modes, the rest at the source");
    }
    return results;
  }

  Attributes of_gauge() const override {
    return {{"low_modes_averaged", static_cast<std::int64_t>(pairs_->count())}};
  }

 private:
  std::vector<TwoPointFunction> contract(const Field& quark, const Extents& position) {
    correlators_.add(averaged_sink, quark, position);
    return correlators_.take();
  }

  // [t] of the mean over all sources.
  const std::vector<std::complex<double>>& mean_of(const TwoPointFunction& one) const {
    const auto channel = std::find(names_.begin(), names_.end(), one.channel.name) - names_.begin();
    const auto momentum =
        std::find(plan_.momenta.begin(), plan_.momenta.end(), one.momentum) - plan_.momenta.begin();
    return all_sources_.at(static_cast<std::size_t>(channel)).at(static_cast<std::size_t>(momentum));
  }

  const JobContext& context_;
  CorrelatorPlan plan_;  // of mesons
  CorrelatorSet correlators_;
  std::optional<LowModePairs> pairs_;  // of this gauge field
  std::vector<std::string> names_;     // of channels
  Correlators all_sources_;            // [channel][momentum][t]
};

class LowModeObservable final : public PropagatorObservable {
 public:
  const char* key() const override { return "correlators.low_mode_average"; }
  bool is_asked(const Settings& job) const override { return job.get<LowModeKeys>().average; }
  std::vector<Key> correlator_keys() const override {
    return {field(&LowModeKeys::average, "low_mode_average",
                  "true: mesons also with low-mode averaging, as if it were a sink: of the modes of [solver] "
                  "deflation the average over all sources takes the place of what they give from the source. "
                  "For Wilson and clover quarks from point sources. Its time grows with the square of the "
                  "number of modes.")};
  }
  std::vector<Rule> rules() const override {
    return {
        {{"correlators.low_mode_average", "correlators.channels", "action.type", "action.masses",
          "action.kappas", "solver.deflation", "source.type", "source.derivative"},
         "Low-mode averaging needs mesons of Wilson or clover quarks of one mass, modes and point sources.",
         check_low_modes}};
  }
  std::unique_ptr<QuarkMeasurement> measurement(const JobContext& context) const override {
    return std::make_unique<LowModeMeasurement>(context);
  }
};

}  // namespace

const PropagatorObservable& low_mode_average() {
  static const LowModeObservable observable;
  return observable;
}

}  // namespace plaq::jobs
