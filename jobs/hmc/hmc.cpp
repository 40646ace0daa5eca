// Job type hmc: a Markov chain of gauge fields by hybrid Monte Carlo.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "dynamics/trajectory/hybrid_monte_carlo.hpp"
#include "jobs/chain/chain_job.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/hmc/force_costs.hpp"
#include "jobs/hmc/hmc_columns.hpp"
#include "jobs/hmc/hmc_schema.hpp"
#include "jobs/hmc/step_tuning.hpp"
#include "jobs/schema/job_types.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/update.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/gauge/gauge_action_table.hpp"
#include "settings/hmc/hmc_tables.hpp"

namespace plaq::jobs {
namespace {

// A step is a trajectory.
class Trajectories final : public ChainUpdate {
 public:
  explicit Trajectories(const JobContext& context)
      : keys_(context.job.get<HmcKeys>()),
        columns_(context.job),
        thermalization_(context.job.get<ChainKeys>().thermalization),
        setup_(hmc_setup(context.job)),
        action_(hmc_action(setup_, context)),
        seed_(static_cast<std::uint64_t>(context.job.get<ChainKeys>().seed)),
        gauge_action_(context.job.get<GaugeActionKeys>()),
        quenched_start_(context.job.get<QuenchedStartKeys>()),
        hmc_(MolecularDynamics(action_.levels, setup_.length), seed_),
        space_(context, plain_links(context), hmc_.halo_depth()),
        first_rank_(context.rank() == 0) {
    if (keys_.acceptance) tuning_.emplace(*keys_.acceptance, setup_.scales);
    use_tuned_steps();
  }

  const Field& links() const override { return space_.links(); }
  void take(const Field& links) override { space_.set_links(links); }
  void start(ChainStart start) override {
    const SharedLattice& lattice = space_.lattice();
    const LoopWeights weights = quenched_weights(gauge_action_, quenched_start_);
    Field links(lattice.geometry->extended(plaq::halo_depth(weights)),
                gauge_spec(Precision::double_precision, lattice.location()));
    if (start == ChainStart::cold)
      cold_start(links, lattice.queue);
    else
      hot_start(links, seed_, lattice.queue);
    if (start == ChainStart::quenched) {
      QuenchedUpdate update(*lattice.grid, links, weights, seed_, lattice.transport);
      for (std::int64_t sweep = 0; sweep < quenched_start_.sweeps.value_or(100); ++sweep)
        update.compound_sweep(links, {}, sweep, lattice.queue);
    }
    space_.set_links(links);
  }
  void reunitarize() override { space_.reunitarize(); }

  // Ranges of rational functions, and steps that were chosen, belong to the state of the chain.
  void go_on_after(const std::vector<std::vector<double>>& steps) override {
    for (const auto& [quarks, root] : action_.roots) {
      const SpectralRange range{columns_.find(steps.back(), "range_low_" + quarks),
                                columns_.find(steps.back(), "range_high_" + quarks)};
      if (range.low > 0) root->go_on_from(range);
    }
    for (std::size_t step = 0; step < steps.size() && tuning_; ++step)
      if (static_cast<std::int64_t>(step) < thermalization_)
        tuning_->take(cost_of(steps[step], columns_, setup_, tuning_->scales()));
    use_tuned_steps();
  }

  std::vector<double> advance(std::int64_t step, StepKeeper& keeper) override {
    if (step == thermalization_)
      for (const auto& [quarks, root] : action_.roots) root->forget();
    TrajectoryOptions options;
    options.always_accept = step < keys_.unconditional;
    options.check_reversibility =
        keys_.reversibility_every > 0 && (step + 1) % keys_.reversibility_every == 0;
    const auto report = trajectory(step, options, keeper);
    judge(report, step);
    seconds_ = columns_.seconds(report.seconds, action_);
    const auto numbers = columns_.numbers(report, action_);
    if (tuning_ && step < thermalization_ &&
        tuning_->take(cost_of(numbers, columns_, setup_, tuning_->scales()))) {
      use_tuned_steps();
      if (first_rank_) log::info(fmt::format("trajectory {}: {} from here on", step + 1, steps_in_words()));
    }
    return numbers;
  }

  std::string note() const override { return note_; }
  std::vector<double> seconds() const override { return seconds_; }

 private:
  static Field plain_links(const SharedLattice& lattice) {
    return Field(lattice.geometry, gauge_spec(Precision::double_precision, lattice.location()));
  }

  // From the state of an earlier run, if it kept one that fits.
  TrajectoryReport trajectory(std::int64_t step, TrajectoryOptions options, StepKeeper& keeper) {
    options.at_place = [&](const TrajectoryPlace& place) {
      if (keeper.wants_state(keys_.checkpoint_minutes))
        keeper.keep(place.state(), place.start_links,
                    fmt::format("{} of {} updates", place.done, place.updates));
    };
    const auto number = static_cast<std::uint32_t>(step);
    if (const auto state = keeper.kept(space_.links())) {
      options.from = &*state;
      try {
        return hmc_.trajectory(space_, number, options);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::input_file) throw;
        if (first_rank_)
          log::warning(fmt::format("{}; trajectory {} is made from its start", error.what(), step + 1));
      }
      options.from = nullptr;
    }
    return hmc_.trajectory(space_, number, options);
  }

  void use_tuned_steps() {
    if (!tuning_) return;
    for (std::size_t s = 0; s < action_.levels.size(); ++s) action_.levels[s].scale = tuning_->scales()[s];
    hmc_ = HybridMonteCarlo(MolecularDynamics(action_.levels, setup_.length), seed_);
    hmc_.dynamics().predict_delta_h();
  }

  std::string steps_in_words() const {
    std::vector<int> steps;
    for (const TimeScale& scale : tuning_->scales()) steps.push_back(scale.steps);
    return fmt::format("steps = [{}]", fmt::join(steps, ", "));
  }

  // Says what went wrong, and ends a chain that does not move.
  void judge(const TrajectoryReport& report, std::int64_t step) {
    steps_ += 1;
    accepted_ += report.accepted ? 1 : 0;
    note_ = fmt::format(", dH {:.3g}, {:.0f}% accepted", report.delta_h,
                        100 * static_cast<double>(accepted_) / static_cast<double>(steps_));
    const bool stable = std::isfinite(report.delta_h) && report.delta_h < unstable_delta_h;
    if (report.failure.empty() && stable) {
      in_a_row_ = 0;
      return;
    }
    const std::string what = report.failure.empty()
                                 ? fmt::format(
                                       "trajectory {}: dH is {:.3g}, the integrator is unstable: take more "
                                       "steps in [hmc], a smaller "
                                       "length, or a smoother start",
                                       step + 1, report.delta_h)
                                 : fmt::format("trajectory {}: {}", step + 1, report.failure);
    if (++in_a_row_ == 3)
      throw Error(
          ErrorKind::not_converged,
          fmt::format(
              "{}\nthree trajectories in a row were rejected for such a reason: the chain does not move",
              what));
    if (first_rank_) log::warning(what + "; it is rejected");
  }

  HmcKeys keys_;
  HmcColumns columns_;
  std::int64_t thermalization_;
  HmcSetup setup_;
  HmcAction action_;
  std::uint64_t seed_;
  GaugeActionKeys gauge_action_;
  QuenchedStartKeys quenched_start_;
  HybridMonteCarlo hmc_;
  PhaseSpace space_;
  std::optional<StepTuning> tuning_;
  bool first_rank_;
  std::int64_t steps_ = 0, accepted_ = 0;
  int in_a_row_ = 0;
  std::string note_;
  std::vector<double> seconds_;  // of the last trajectory
};

// "quenched", or the flavours of the masses: "nf2", "nf2+1".
std::string ensemble_of(const Settings& job) {
  std::string name;
  const auto add = [&](int flavours) { name += fmt::format("{}{}", name.empty() ? "nf" : "+", flavours); };
  for (const SeaQuarks& quarks : term_settings(job).quarks) {
    add(quarks.flavours);
    if (quarks.staggered())
      for (const StaggeredSea::Partner& partner : quarks.staggered()->partners) add(partner.flavours);
  }
  return name.empty() ? "quenched" : name;
}

int run_hmc(const JobFile& job) {
  return run_chain(
      job, {.step = "trajectory",
            .steps = "trajectories",
            .counter = "trajectory",
            .ensemble = ensemble_of(job),
            .columns = HmcColumns(job).columns(),
            .seconds = HmcColumns(job).seconds(),
            .has_long_steps = true,
            .least_slices = term_settings(job).quarks.empty() ? usual_least_slices : least_slices(job),
            .make = [](const JobContext& context) { return std::make_unique<Trajectories>(context); }});
}

}  // namespace

extern constinit const JobType hmc_job{.name = "hmc", .schema = hmc_schema, .run = run_hmc};

}  // namespace plaq::jobs
