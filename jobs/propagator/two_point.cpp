// Two-point functions, [correlators] but for the residual mass (jobs/correlators/correlators.hpp).
#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/mass_pairs.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

void check_spins(Problems& problems, const CorrelatorKeys& correlators, const Settings& job) {
  check_spin_matrix(problems, correlators, channels_of(job));
}

void check_many_masses(Problems& problems, const ActionKeys& action, const MassPairKeys& mesons,
                       const Settings& job) {
  if (!action.has_many_masses()) {
    if (mesons.pairs == MassPairs::all)
      problems.add("correlators.pairs", "\"all\" needs several masses: give masses or kappas in [action]");
    return;
  }
  for (const PropagatorObservable* observable : observables_of(job))
    if (!observable->takes_many_masses())
      problems.add(observable->key(), "needs one mass: give mass or kappa in [action], not a list");
}

Rule rule_of_many_masses() {
  Rule rule{{"action.masses", "action.kappas", "correlators.pairs"},
            "Several masses allow only two-point functions.",
            check_many_masses};
  for (const PropagatorObservable* observable : propagator_observables())
    if (!observable->takes_many_masses()) rule.keys.emplace_back(observable->key());
  return rule;
}

class TwoPointMeasurement final : public QuarkMeasurement {
 public:
  explicit TwoPointMeasurement(const JobContext& context)
      : correlators_(context, plan_of_correlators(context.job, context.extents)),
        names_(names_of_masses(context.job.get<ActionKeys>())),
        pairs_(context.job.get<MassPairKeys>()),
        keys_(context.job.get<CorrelatorKeys>()) {}

  QuarkNeeds needs() const override {
    return {.smearing = keys_.has_sink("smeared"), .smeared_sink = keys_.has_sink("smeared")};
  }
  Results measure(const SourceQuarks& from) override {
    const Phase phase("contracting");
    return keys_.has_sink("point") ? contract("point", from) : Results();
  }
  Results measure_smeared(const SourceQuarks& from) override {
    return keys_.has_sink("smeared") ? contract("smeared", from) : Results();
  }

 private:
  Results contract(const std::string& sink, const SourceQuarks& from) {
    add_all(sink, from.quarks, from.position);
    Results results;
    for (const TwoPointFunction& correlator : correlators_.take())
      add_correlator(results, correlator, from.summed);
    return results;
  }

  void add_all(const std::string& sink, const std::vector<Field>& quarks, const Extents& position) {
    if (names_.empty()) return correlators_.add(sink, quarks.front(), position);
    for (const auto& [i, j] : pairs_.of(quarks.size()))
      correlators_.add(sink, {{names_[i], names_[j]}, {&quarks[i], &quarks[j]}}, position);
    for (std::size_t i = 0; i < quarks.size(); ++i)
      correlators_.add(sink, {{names_[i], names_[i], names_[i]}, {&quarks[i], &quarks[i], &quarks[i]}},
                       position);
  }

  CorrelatorSet correlators_;
  std::vector<std::string> names_;  // of the quarks, where there are many masses
  MassPairKeys pairs_;
  CorrelatorKeys keys_;
};

class TwoPointObservable final : public PropagatorObservable {
 public:
  const char* key() const override { return "correlators.channels"; }
  bool is_asked(const Settings&) const override { return true; }
  bool takes_many_masses() const override { return true; }
  bool takes_approximations() const override { return true; }
  bool takes_some_columns() const override { return true; }
  std::vector<Key> correlator_keys() const override {
    return joined<Key>({jobs::correlator_keys(channels_of_one_quark()),
                        {choice(&MassPairKeys::pairs, "pairs",
                                "Several masses: mesons of quark and antiquark with the same mass, or of all "
                                "pairs of masses. Baryons always have quarks of one mass.",
                                {{"equal", MassPairs::equal}, {"all", MassPairs::all}})}});
  }
  std::vector<Rule> rules() const override {
    return {{{"correlators.spin_matrix", "correlators.channels"}, "spin_matrix needs baryons.", check_spins},
            rule_of_many_masses()};
  }
  std::unique_ptr<QuarkMeasurement> measurement(const JobContext& context) const override {
    return std::make_unique<TwoPointMeasurement>(context);
  }
};

}  // namespace

const PropagatorObservable& two_point_functions() {
  static const TwoPointObservable observable;
  return observable;
}

}  // namespace plaq::jobs
