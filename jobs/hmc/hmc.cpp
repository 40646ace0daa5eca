// Job type hmc: a Markov chain of gauge fields by hybrid Monte Carlo.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/twisted_monomial.hpp"
#include "dynamics/trajectory/hybrid_monte_carlo.hpp"
#include "jobs/chain/chain_job.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/hmc/hmc_schema.hpp"
#include "jobs/schema/job_types.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq::jobs {
namespace {

// Names of the monomials of a job, the outermost time scale first.
std::vector<std::string> names_of_monomials(const Settings& job) {
  const auto quarks = sea_quarks(job);
  std::vector<std::string> names;
  if (quarks) {
    names.push_back("quarks");
    for (std::size_t k = 1; k <= job.get<HmcKeys>().twists.size(); ++k)
      names.push_back(fmt::format("ratio_{}", k));
    if (quarks->has_clover()) names.push_back("determinant");
  }
  names.push_back("gauge");
  return names;
}

std::vector<MdLevel> levels_of(const Settings& job, const SharedLattice& lattice) {
  const auto keys = job.get<HmcKeys>();
  const auto quarks = sea_quarks(job);
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(lattice, gauge_action_of(job));
  const TimeScale outer{keys.integrator, keys.steps};
  if (!quarks) return {{outer, {gauge}}};
  const auto quark = std::make_shared<WilsonQuark>(lattice, *quarks, job.get<MdSolverSettings>());
  const auto& twists = keys.twists;
  std::vector<MonomialPtr> outside{
      std::make_shared<TwistedMonomial>("quarks", 0, quark, twists.empty() ? 0 : twists.front())};
  for (std::size_t k = 0; k < twists.size(); ++k)
    outside.push_back(
        std::make_shared<TwistedMonomial>(fmt::format("ratio_{}", k + 1), static_cast<int>(k) + 1, quark,
                                          k + 1 < twists.size() ? twists[k + 1] : 0, twists[k]));
  if (quarks->has_clover()) outside.push_back(std::make_shared<DeterminantMonomial>("determinant", quark, 2));
  return {{outer, outside}, {{keys.gauge_integrator, keys.gauge_steps}, {gauge}}};
}

std::vector<StepColumn> columns_of(const Settings& job) {
  std::vector<StepColumn> columns{
      {"delta_h", "1"},    {"acceptance", "1"},          {"accepted", "1"},
      {"iterations", "1"}, {"reversibility_links", "1"}, {"reversibility_energy", "1"}};
  for (const std::string& name : names_of_monomials(job)) {
    columns.push_back({"force_rms_" + name, "1"});
    columns.push_back({"force_largest_" + name, "1"});
  }
  return columns;
}

// A step is a trajectory.
class Trajectories final : public ChainUpdate {
 public:
  explicit Trajectories(const JobContext& context)
      : keys_(context.job.get<HmcKeys>()),
        hmc_(MolecularDynamics(levels_of(context.job, context), keys_.length),
             static_cast<std::uint64_t>(context.job.get<ChainKeys>().seed)),
        space_(context, plain_links(context), hmc_.halo_depth()),
        first_rank_(context.rank() == 0) {}

  const Field& links() const override { return space_.links(); }
  void take(const Field& links) override { space_.set_links(links); }
  void start_hot(std::uint64_t seed) override {
    Field links = plain_links(space_.lattice());
    hot_start(links, seed, space_.lattice().queue);
    space_.set_links(links);
  }
  void start_cold() override {
    Field links = plain_links(space_.lattice());
    cold_start(links, space_.lattice().queue);
    space_.set_links(links);
  }
  void reunitarize() override { space_.reunitarize(); }

  std::vector<double> advance(std::int64_t step) override {
    TrajectoryOptions options;
    options.always_accept = step < keys_.unconditional;
    options.check_reversibility =
        keys_.reversibility_every > 0 && (step + 1) % keys_.reversibility_every == 0;
    const auto report = hmc_.trajectory(space_, static_cast<std::uint32_t>(step), options);
    double iterations = 0;
    for (Monomial* monomial : hmc_.dynamics().monomials())
      iterations += static_cast<double>(monomial->take_iterations());
    judge(report, step);
    const double none = std::numeric_limits<double>::quiet_NaN();
    const auto& back = report.reversibility;
    std::vector<double> numbers{report.failure.empty() ? report.delta_h : none,
                                report.acceptance,
                                report.accepted ? 1.0 : 0.0,
                                iterations,
                                back ? back->links : none,
                                back ? back->energy : none};
    for (Monomial* monomial : hmc_.dynamics().monomials()) {
      double rms = none, largest = none;
      for (const ForceRecord& force : report.forces)
        if (force.monomial == monomial->name() && force.count > 0) {
          rms = std::sqrt(force.mean_square);
          largest = force.largest;
        }
      numbers.insert(numbers.end(), {rms, largest});
    }
    return numbers;
  }

  std::string note() const override { return note_; }

 private:
  static Field plain_links(const SharedLattice& lattice) {
    return Field(lattice.geometry, gauge_spec(Precision::double_precision, lattice.location()));
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
  HybridMonteCarlo hmc_;
  PhaseSpace space_;
  bool first_rank_;
  std::int64_t steps_ = 0, accepted_ = 0;
  int in_a_row_ = 0;
  std::string note_;
};

int run_hmc(const JobFile& job) {
  return run_chain(
      job, {.step = "trajectory",
            .steps = "trajectories",
            .counter = "trajectory",
            .ensemble = sea_quarks(job) ? "two_flavours" : "quenched",
            .columns = columns_of(job),
            .make = [](const JobContext& context) { return std::make_unique<Trajectories>(context); }});
}

}  // namespace

extern constinit const JobType hmc_job{.name = "hmc", .schema = hmc_schema, .run = run_hmc};

}  // namespace plaq::jobs
