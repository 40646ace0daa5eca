// Job type solver_study: on each gauge field and at each mass the same random right-hand sides, by one solver
// after the other. Results:
//
//   /                     attributes: plaq_version, job_type, job, extents
//   /action, /study       attributes: what was solved, and by which solvers
//   /solves/...           [configuration][mass][solver][source] iterations, updates, outcome, true_residual;
//                         [configuration][mass][solver][batch] seconds, seconds_median, flops, bytes,
//                         inner_applications, outer_applications; [configuration][mass][solver] setup_seconds
//   /gauge/000000, ...    one group a configuration
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "comms/grid/first_rank.hpp"
#include "core/system/dry_run.hpp"
#include "jobs/common/wrap.hpp"
#include "jobs/dirac/multigrid_memory.hpp"
#include "jobs/dirac/setup_files.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/solver_study/mass_study.hpp"
#include "jobs/solver_study/study_tables.hpp"
#include "jobs/study/run_study.hpp"
#include "settings/action/action_smearing.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

void note_solves(DryRun& dry, const StudySpec& spec, int files) {
  const auto masses = static_cast<int>(spec.masses.size()), solvers = static_cast<int>(spec.solvers.size());
  dry.note(fmt::format("{}, {} and {}, one after the other: {} solves of {} at once.",
                       counted(files, "gauge field"), counted(masses, "mass"), counted(solvers, "solver"),
                       files * masses * solvers * spec.batches() * spec.keys.repeats,
                       counted(spec.batch, "right-hand side")));
}

class SolverStudyJob : public EnsembleJob {
 public:
  explicit SolverStudyJob(const JobFile& job) : EnsembleJob(job), spec_(job) {}

 private:
  void note_plan() const override {
    if (DryRun* dry = DryRun::current()) note_solves(*dry, spec_, static_cast<int>(input().files.size()));
  }
  JobFiles files() const override {
    JobFiles files = EnsembleJob::files();
    if (spec_.has_multigrid()) add_setups(files.paths, job(), input().files);
    for (const auto& name : field_files(job(), spec_.keys.deflation, input().files, modes_ending))
      files.paths.reads(name, "eigenvectors ([study] deflation)");
    return files;
  }
  void check_outputs(const std::vector<std::string>& /*gauge_files*/, bool /*ours*/) const override {
    if (spec_.has_multigrid()) check_setup_outputs(job(), input().files);
  }
  int least_slices() const override { return jobs::least_slices(job()); }
  void prepare() override {
    for (const SolverSettings& solver : spec_.solvers)
      expect_room_for_multigrid(context(), spec_.masses.front(), solver, spec_.batch);
    study_.emplace(context(), spec_, input().files);
  }

  std::string axis() const override { return "mass"; }
  int parts() const override { return static_cast<int>(spec_.masses.size()); }
  void begin(LoadedGauge& gauge) override { study_->begin(gauge); }
  Results compute(LoadedGauge& gauge, int mass) override { return (*study_)(gauge, mass); }

  void finish(Results& results) override {
    StudyOutcome outcome{input().extents, std::move(results)};
    on_first_rank([&] {
      if (!runs_dry()) outcome.text = '\n' + study_tables(spec_, outcome.results);
      outcome.results.group("/action", smeared_action_attributes(job()));
      outcome.results.group("/study", spec_.attributes());
      outcome.may_replace = !earlier().rows.empty();
      finish_study(job(), *earlier().journal, outcome);
    });
  }

  StudySpec spec_;
  std::optional<MassStudy> study_;
};

}  // namespace

extern constinit const JobType solver_study_job{
    .name = "solver_study", .schema = solver_study_schema, .run = run_as<SolverStudyJob>};

}  // namespace plaq::jobs
