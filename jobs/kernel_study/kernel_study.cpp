// Job type kernel_study: how fast and how accurate operators and solvers are in every storage, as table 2 and
// figures 2 to 6 of Clark et al. 2010 show it. Results and their layout:
// jobs/kernel_study/kernel_study_results.hpp, docs/result-files.md.
//
// Times are those of the machine: a journal or output of another location, number of ranks, process grid,
// device, number of threads or build of plaq, or with checksums of faces where this has none, is not this
// job's.
#include "jobs/kernel_study/kernel_study.hpp"

#include <fmt/format.h>

#include <optional>

#include "comms/grid/world.hpp"
#include "core/system/dry_run.hpp"
#include "jobs/common/wrap.hpp"
#include "jobs/kernel_study/kernel_study_results.hpp"
#include "jobs/kernel_study/kernel_study_tables.hpp"
#include "jobs/rates/stream.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/study/run_study.hpp"
#include "jobs/study/study_lattice.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

class KernelStudy {
 public:
  KernelStudy(const JobContext& context, const KernelStudyKeys& keys, const TransportChooser& choose)
      : context_(context), keys_(keys), choose_(choose) {}

  std::vector<Piece> pieces() {
    const auto names = keys_.piece_names();
    std::vector<Piece> all;
    const auto add = [&](std::function<Results()> compute,
                         std::function<std::string(const Results&)> text_of) {
      all.push_back({names.at(all.size()), std::move(compute), std::move(text_of)});
    };
    for (const int sites : keys_.temporal_extents)
      add([this, sites] { return rates(sites); },
          [this, sites](const Results& found) { return rates_text(keys_, sites, found); });
    if (!keys_.methods.empty())
      for (const auto& storage : keys_.solved_storages)
        add([this, storage] { return solvers(storage); },
            [this, storage](const Results& found) { return solvers_line(keys_, storage, found); });
    if (!keys_.accurate_storages.empty())
      add([this] { return accuracy(); }, [](const Results&) { return std::string(); });
    return all;
  }

 private:
  // Shared as that of the job is.
  StudyLattice lattice(const Extents& extents) const {
    const JobFile& job = context_.job;
    return {world(), extents,
            share_other_lattice(job, extents, context_.grid->size(), context_.ranks_per_node),
            [&](const ProcessGrid& grid) {
              return start_transport(grid, context_.location(), job.get<CommsKeys>().faces(), choose_);
            }};
  }

  std::vector<Measured> measured(const RateProblem& here, const SubjectLists& lists) const {
    const auto action = make_rated_action(here, keys_.parameters);
    return measure_all({here, action.get(), keys_.iterations, 1, nullptr, false}, keys_.parameters, lists);
  }

  Results rates(int sites) {
    if (keys_.bandwidth && !stream_) stream_ = stream_bandwidth(context_.location(), keys_.samples);
    const StudyLattice shared = lattice(keys_.with_time(sites));
    const RateProblem here = shared.problem(context_.queue, keys_.samples);
    const auto found = measured(here, keys_.rated());
    here.expect_intact_faces();
    return results_of_rates(found, keys_, context_.grid->size(), stream_.value_or(0));
  }

  // On the lattice of the job, by its transport.
  Results solvers(const LinkStorage& storage) const {
    const RateProblem here{*context_.grid, random_gauge(context_.geometry, 11), context_.queue,
                           context_.transport, keys_.samples};
    return results_of_solvers(measured(here, keys_.solved(storage)), context_.grid->size());
  }

  Results accuracy() const {
    const StudyLattice shared = lattice(keys_.with_time(keys_.accuracy_extent));
    const AccuracyProblem problem(*shared.grid, shared.geometry, context_.location(), shared.faces.transport);
    std::vector<AccuracyCurve> curves;
    for (const auto& storage : keys_.accurate_storages)
      curves.push_back(problem.curve(storage, keys_.epsilons));
    shared.faces.transport->expect_intact(context_.queue);
    return results_of_accuracy(curves, keys_.epsilons);
  }

  const JobContext& context_;
  const KernelStudyKeys& keys_;
  const TransportChooser& choose_;
  std::optional<double> stream_;  // of this run
};

JobFiles files_of(const JobFile& job, const Attributes& machine) {
  const std::string output = job.get<OutputKeys>().file;
  return {output, output + ".journal", {}, [machine](const std::vector<StoredObject>& found) {
            return has_machine(found, machine);
          }};
}

void note_pieces(DryRun& dry, const KernelStudyKeys& keys) {
  const auto count = [](std::size_t n, const char* what) {
    return counted(static_cast<std::int64_t>(n), what);
  };
  dry.note(fmt::format("{}, one after the other: {} in time, {} of the solvers, {}.",
                       count(keys.piece_names().size(), "piece"),
                       count(keys.temporal_extents.size(), "extent"),
                       count(keys.methods.empty() ? 0 : keys.solved_storages.size(), "storage"),
                       count(keys.accurate_storages.size(), "accuracy curve")));
}

}  // namespace

int run_kernel_study(const JobFile& job, const TransportChooser& choose) {
  const KernelStudyKeys keys(job);
  const JobContext context = start_job(job, keys.extents);
  for (const Extents& extents : keys.lattices())
    share_other_lattice(job, extents, context.grid->size(), context.ranks_per_node);
  const StudyMachine machine = study_machine(context);
  if (DryRun* dry = DryRun::current()) note_pieces(*dry, keys);
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files_of(job, machine.known()))) return 0;
  KernelStudy study(context, keys, choose);
  Study task;
  task.title = "kernel study";
  task.pieces = study.pieces();
  task.join = [&](const std::vector<Results>& found) {
    StudyOutcome outcome{keys.extents, join_kernel_study(found, keys)};
    outcome.text = kernel_study_text(keys, outcome.results);
    outcome.results.group("/machine", machine.all);
    outcome.results.group("/action", action_attributes(job));
    return outcome;
  };
  run_study(context, earlier, machine, task);
  return 0;
}

extern constinit const JobType kernel_study_job{
    .name = "kernel_study", .schema = kernel_study_schema, .run = [](const JobFile& job) {
      return run_kernel_study(job, choose_transport);
    }};

}  // namespace plaq::jobs
