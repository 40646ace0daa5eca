// Job type generate: a Markov chain of quenched gauge fields.
//
// Sweeps count from the start of the run, also with start = "file": the random numbers of heatbath sweep i
// belong to (seed, i). A run that goes on from a file therefore needs a seed of its own, and one that would
// draw the numbers of the run that made the file again is refused (the header says PLAQ_SEED).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "core/error.hpp"
#include "core/log.hpp"
#include "jobs/collective_check.hpp"
#include "jobs/generate_history.hpp"
#include "jobs/job_types.hpp"
#include "jobs/loaded_gauge.hpp"
#include "jobs/progress.hpp"
#include "jobs/version.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* seed_key = "PLAQ_SEED";

// What happens after which compound sweep.
struct Plan {
  explicit Plan(const JobFile& job)
      : heatbath(job.integer("update", "heatbath")),
        overrelaxation(job.integer("update", "overrelaxation")),
        first(job.integer("update", "thermalization")),
        separation(job.integer("update", "separation")),
        last(first + separation * (job.integer("update", "configurations") - 1)),
        reunitarize_every(job.integer("update", "reunitarize_every")),
        measure_every(job.integer("output", "measure_every")),
        prefix(job.string("output", "prefix")) {
    // Random numbers are counted by 32 bits a sweep.
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (last * std::max<std::int64_t>(1, heatbath) > most)
      throw Error(
          ErrorKind::job_file,
          fmt::format("{}: [update] asks for {} compound sweeps of {} heatbath sweeps: a run can have {} "
                      "heatbath sweeps; lower thermalization, separation or configurations",
                      job.file(), last, heatbath, most));
  }
  bool saves(std::int64_t sweep) const { return sweep >= first && (sweep - first) % separation == 0; }
  bool measures(std::int64_t sweep) const { return measure_every > 0 && sweep % measure_every == 0; }
  std::string history_name() const { return prefix + ".history.h5"; }

  std::int64_t heatbath, overrelaxation, first, separation, last, reunitarize_every, measure_every;
  std::string prefix;
};

// On rank 0.
void check_outputs(const JobFile& job, const Plan& plan) {
  const bool overwrite = job.flag("output", "overwrite");
  std::error_code unreadable;  // then check_output says so of the first one
  for (std::int64_t sweep = plan.first; sweep <= plan.last; sweep += plan.separation) {
    const std::string name = configuration_name(plan.prefix, sweep);
    if (sweep == plan.first || std::filesystem::exists(name, unreadable)) check_output(name, overwrite);
  }
  check_output(plan.history_name(), overwrite);
}

// On rank 0.
Extents extents_of_start(const JobFile& job) {
  const auto path = job.optional_string("gauge", "file");
  if (!path) return *job.optional_four("lattice", "extents");
  const GaugeFileInfo info = inspect_gauge_file(*path);
  const std::string seed = std::to_string(job.integer("update", "seed"));
  for (const auto& entry : info.entries)
    if (entry.key == seed_key && entry.value == seed)
      throw Error(
          ErrorKind::job_file,
          fmt::format(
              "{}: 'seed' in [update]: {} was generated with seed {} too, and the same random numbers "
              "would be drawn again; take another seed",
              job.file(), *path, seed));
  return info.extents;
}

class Chain {
 public:
  Chain(const JobContext& context, const Plan& plan)
      : context_(context),
        plan_(plan),
        seed_(static_cast<std::uint64_t>(context.job.integer("update", "seed"))),
        gauge_(start()),
        host_(context.geometry, gauge_spec(Precision::double_precision, Location::host)),
        update_(*context.grid, gauge_, {context.job.real("gauge", "beta"), seed_}) {}

  void run() {
    Progress progress("generate", static_cast<double>(std::max<std::int64_t>(1, plan_.last)),
                      Progress::Settings::standard(context_.rank()));
    for (sweep_ = 0;; ++sweep_) {
      if (plan_.measures(sweep_) || plan_.saves(sweep_)) measure();
      if (plan_.saves(sweep_)) save(progress);
      if (sweep_ == plan_.last) break;
      update();
      progress.advance_to(static_cast<double>(sweep_ + 1), note_);
    }
    progress.finish(note_);
  }

 private:
  Field start() const {
    const JobFile& job = context_.job;
    if (const auto path = job.optional_string("gauge", "file")) {
      Field gauge = load_gauge(context_, *path).field;
      reunitarize(gauge, context_.queue);  // a file in single precision is off by its rounding
      return gauge;
    }
    Field gauge(context_.geometry->extended(1), gauge_spec(Precision::double_precision, context_.location()));
    job.string("gauge", "start") == "hot" ? hot_start(gauge, seed_, context_.queue)
                                          : cold_start(gauge, context_.queue);
    return gauge;
  }

  // From sweep_ to the one after it.
  void update() {
    for (std::int64_t i = 0; i < plan_.heatbath; ++i)
      update_.heatbath_sweep(gauge_, static_cast<std::uint32_t>(sweep_ * plan_.heatbath + i), context_.queue);
    for (std::int64_t i = 0; i < plan_.overrelaxation; ++i)
      update_.overrelaxation_sweep(gauge_, context_.queue);
    if ((sweep_ + 1) % plan_.reunitarize_every == 0) reunitarize(gauge_, context_.queue);
  }

  void measure() {
    observables_ = measure_gauge(*context_.grid, gauge_, context_.queue);
    note_ = fmt::format("plaquette {:.6f}", observables_.plaquette.all);
    if (plan_.measures(sweep_)) history_.add(sweep_, observables_);
  }

  void save(Progress& progress) {
    const std::string path = configuration_name(plan_.prefix, sweep_);
    context_.queue.synchronize();
    copy(host_, gauge_);
    const LinkChecksum checksum = write_nersc(path, *context_.grid, host_, header(),
                                               observables_.plaquette.all, observables_.link_trace);
    history_.add_configuration(sweep_, checksum, observables_);
    on_first_rank([&] { history_.write(plan_.history_name(), context_.job, context_.extents); });
    progress.clear();
    log::info(fmt::format("wrote {}: plaquette {:.12f}, checksum {}", path, observables_.plaquette.all,
                          checksum.text()));
  }

  NerscWriteOptions header() const {
    const JobFile& job = context_.job;
    NerscWriteOptions options;
    options.links.rows = job.string("output", "rows") == "3x3" ? 3 : 2;
    options.links.precision = job.string("output", "precision") == "double" ? Precision::double_precision
                                                                            : Precision::single_precision;
    options.links.order = job.string("output", "byte_order") == "big" ? ByteOrder::big : ByteOrder::little;
    options.ensemble_id = fmt::format("quenched_{}_b{}_{}", job.string("gauge", "action"),
                                      job.real("gauge", "beta"), to_string(context_.extents));
    options.sequence_number = static_cast<int>(sweep_);
    options.more = {{"CREATOR", fmt::format("plaq {}", version())},
                    {"BETA", fmt::format("{}", job.real("gauge", "beta"))},
                    {seed_key, std::to_string(seed_)}};
    return options;
  }

  const JobContext& context_;
  const Plan& plan_;
  std::uint64_t seed_;
  Field gauge_, host_;  // gauge_ with its shell at the job's location
  QuenchedUpdate update_;
  std::int64_t sweep_ = 0;  // compound sweeps done
  GaugeObservables observables_;
  GenerateHistory history_;
  std::string note_;
};

}  // namespace

int run_generate(const JobFile& job) {
  const Plan plan(job);
  on_first_rank([&] { check_outputs(job, plan); });
  const Extents extents = extents_from_first_rank([&] { return extents_of_start(job); });
  const JobContext context = start_job(job, extents);
  Chain(context, plan).run();
  return 0;
}

}  // namespace plaq::jobs
