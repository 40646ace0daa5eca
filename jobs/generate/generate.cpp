// Job type generate: a Markov chain of quenched gauge fields by heatbath and overrelaxation.
#include <algorithm>

#include "jobs/chain/chain_job.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/generate/generate_schema.hpp"
#include "jobs/schema/job_types.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/update.hpp"
#include "settings/gauge/gauge_action_table.hpp"

namespace plaq::jobs {
namespace {

// A step is a compound sweep.
class QuenchedSweeps final : public ChainUpdate {
 public:
  explicit QuenchedSweeps(const JobContext& context)
      : queue_(context.queue),
        keys_(context.job.get<CompoundSweepKeys>()),
        seed_(static_cast<std::uint64_t>(context.job.get<ChainKeys>().seed)),
        weights_(loop_weights(context.job.get<GaugeActionKeys>())),
        links_(context.geometry->extended(halo_depth(weights_)),
               gauge_spec(Precision::double_precision, context.location())),
        update_(*context.grid, links_, weights_, seed_, context.transport) {}

  const Field& links() const override { return links_; }
  void take(const Field& links) override {
    copy(links_, links);
    update_.fill_halo(links_, queue_);
  }
  void start(ChainStart start) override {
    if (start == ChainStart::hot)
      hot_start(links_, seed_, queue_);
    else
      cold_start(links_, queue_);
  }
  void reunitarize() override { plaq::reunitarize(links_, queue_); }
  std::vector<double> advance(std::int64_t sweep, StepKeeper&) override {
    update_.compound_sweep(links_, {keys_.heatbath, keys_.overrelaxation, keys_.reunitarize_every}, sweep,
                           queue_);
    return {};
  }

 private:
  Queue queue_;
  CompoundSweepKeys keys_;
  std::uint64_t seed_;
  LoopWeights weights_;
  Field links_;
  QuenchedUpdate update_;
};

int run_generate(const JobFile& job) { return run_chain(job, generate_chain(job)); }

}  // namespace

ChainKind generate_chain(const JobFile& job) {
  return {.step = "compound sweep",
          .steps = "compound sweeps",
          .counter = "sweep",
          .ensemble = "quenched",
          .random_sweeps = std::max<std::int64_t>(1, job.get<CompoundSweepKeys>().heatbath),
          .make = [](const JobContext& context) { return std::make_unique<QuenchedSweeps>(context); }};
}

extern constinit const JobType generate_job{
    .name = "generate", .schema = generate_schema, .run = run_generate};

}  // namespace plaq::jobs
