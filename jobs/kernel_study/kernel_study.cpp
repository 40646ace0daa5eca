// Job type kernel_study: how fast and how accurate operators and solvers are in every storage, as table 2 and
// figures 2 to 6 of Clark et al. 2010 show it. Results and their layout:
// jobs/kernel_study/kernel_study_results.hpp, docs/result-files.md.
//
// Times are those of the machine: a journal or output of another location, number of ranks, process grid,
// device, number of threads or build of plaq, or with checksums of faces where this has none, is not this
// job's.
#include "jobs/kernel_study/kernel_study.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "comms/grid/node_map.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/common/version.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/wilson_action.hpp"
#include "jobs/kernel_study/kernel_study_results.hpp"
#include "jobs/kernel_study/kernel_study_tables.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/rated_action.hpp"
#include "jobs/rates/solver_rates.hpp"
#include "jobs/rates/stream.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/run/job_description.hpp"
#include "jobs/run/pieces.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "solvers/krylov/make_method.hpp"

namespace plaq::jobs {
namespace {

// A lattice of a study, shared as that of the job is.
struct StudyLattice {
  std::unique_ptr<ProcessGrid> grid;
  GeometryPtr geometry;
  JobTransport faces;

  StudyLattice(const JobContext& context, const Extents& extents, const TransportChooser& choose) {
    const auto [shape, forced, block] =
        share_other_lattice(context.job, extents, context.grid->size(), context.ranks_per_node);
    grid = std::make_unique<ProcessGrid>(world(), shape, block);
    geometry = grid->geometry(extents, forced);
    faces =
        job_transport(context.job, *grid, context.location(), context.job.get<CommsKeys>().transport, choose);
  }
};

class KernelStudy {
 public:
  KernelStudy(const JobContext& context, const KernelStudyKeys& keys, const TransportChooser& choose)
      : context_(context), keys_(keys), choose_(choose) {}

  std::vector<Piece> pieces() {
    const auto names = keys_.piece_names();
    std::vector<Piece> all;
    const auto add = [&](std::function<Results()> compute) {
      all.push_back({names.at(all.size()), std::move(compute)});
    };
    for (const int sites : keys_.temporal_extents) add([this, sites] { return rates(sites); });
    if (!keys_.methods.empty())
      for (const auto& storage : keys_.solved_storages) add([this, storage] { return solvers(storage); });
    if (!keys_.accurate_storages.empty()) add([this] { return accuracy(); });
    return all;
  }

  // On rank 0.
  std::string text_of(std::size_t piece, const Results& found) const {
    const std::size_t extents = keys_.temporal_extents.size();
    if (piece < extents) return rates_text(keys_, keys_.temporal_extents[piece], found);
    if (has_dataset(found, "/accuracy/largest")) return {};
    return solvers_line(keys_, keys_.solved_storages[piece - extents], found);
  }

 private:
  // `faces`: of the same lattice, a JobTransport or the job's own.
  RateProblem problem(const ProcessGrid& grid, const GeometryPtr& geometry, const auto& faces) const {
    return {grid, random_gauge(geometry, 11), context_.queue, faces.transport, keys_.samples, faces.checked};
  }

  Results rates(int sites) {
    if (keys_.bandwidth && !stream_) stream_ = stream_bandwidth(context_.location(), keys_.samples);
    const StudyLattice lattice(context_, keys_.with_time(sites), choose_);
    const RateProblem here = problem(*lattice.grid, lattice.geometry, lattice.faces);
    const auto action = make_rated_action(here, wilson_action(keys_.parameters));
    std::vector<OperatorRate> found;
    for (const int rhs : keys_.right_hand_sides)
      for (const RatedOperator op : keys_.operators) {
        const auto rates = op == RatedOperator::hop
                               ? action->hop_rates(keys_.storages, rhs)
                               : action->schur_rates(op == RatedOperator::schur, keys_.storages, rhs);
        found.insert(found.end(), rates.begin(), rates.end());
      }
    here.expect_intact_faces();
    return results_of_rates(found, keys_, context_.grid->size(), stream_.value_or(0));
  }

  Results solvers(const LinkStorage& storage) const {
    const ProcessGrid& grid = *context_.grid;
    const RateProblem here = problem(grid, context_.geometry, context_);
    const auto action = make_rated_action(here, wilson_action(keys_.parameters));
    const OperatorRate rate = action->schur_rates(true, {storage}, 1).front();
    const auto schur = action->schur(true, storage, 1);
    const Field b = schur->random(43);
    std::vector<SolverRate> found;
    for (const auto& name : keys_.methods) {
      const auto method = plaq::make_method(name, schur->schur(), 1);
      found.push_back(solver_rate(grid, *method, b, keys_.iterations));
    }
    return results_of_solvers(rate, found, grid.size());
  }

  Results accuracy() const {
    const StudyLattice lattice(context_, keys_.with_time(keys_.accuracy_extent), choose_);
    const AccuracyProblem problem(*lattice.grid, lattice.geometry, context_.location(),
                                  lattice.faces.transport);
    std::vector<AccuracyCurve> curves;
    for (const auto& storage : keys_.accurate_storages)
      curves.push_back(problem.curve(storage, keys_.epsilons));
    if (lattice.faces.checked) lattice.faces.checked->expect_intact(context_.queue);
    return results_of_accuracy(curves, keys_.epsilons);
  }

  const JobContext& context_;
  const KernelStudyKeys& keys_;
  const TransportChooser& choose_;
  std::optional<double> stream_;  // of this run
};

// What it is on rank 0 counts there.
StudyMachine machine_of(const JobContext& context) {
  StudyMachine machine = shape_of_machine(context.location(), *context.geometry, context.checked != nullptr);
  const Machine here = machine_at(context.location(), version());
  machine.emplace_back("threads_per_rank", std::int64_t{context.site.threads});
  machine.emplace_back("device", here.device);
  machine.emplace_back("driver", here.driver);
  machine.emplace_back("build", here.build);
  return machine;
}

// On rank 0.
void write_results(const JobContext& context, const StudyMachine& machine, const Results& results) {
  const JobFile& job = context.job;
  OutputFile out(job.get<OutputKeys>());
  describe_job(out, job, context.extents);
  out.group("/machine", machine);
  out.group("/action", action_attributes(job));
  out.write(results);
  out.commit();
}

void note_pieces(DryRun& dry, const KernelStudyKeys& keys) {
  const auto count = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  dry.note(fmt::format("{}, one after the other: {} in time, {} of the solvers, {}.",
                       count(keys.piece_names().size(), "piece"),
                       count(keys.temporal_extents.size(), "extent"),
                       count(keys.methods.empty() ? 0 : keys.solved_storages.size(), "storage"),
                       count(keys.accurate_storages.size(), "accuracy curve")));
}

}  // namespace

int run_kernel_study(const JobFile& job) { return run_kernel_study(job, choose_transport); }

int run_kernel_study(const JobFile& job, const TransportChooser& choose) {
  const KernelStudyKeys keys(job);
  const JobContext context = start_job(job, keys.extents);
  for (const Extents& extents : keys.lattices())
    share_other_lattice(job, extents, context.grid->size(), context.ranks_per_node);
  const StudyMachine machine = machine_of(context);
  // A dry run does not know all of it.
  const StudyMachine known =
      runs_dry() ? shape_of_machine(context.location(), *context.geometry, context.checked != nullptr)
                 : machine;
  if (DryRun* dry = DryRun::current()) note_pieces(*dry, keys);
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files_of_kernel_study(job, known))) return 0;
  KernelStudy study(context, keys, choose);
  PieceTask task;
  task.title = "kernel study";
  task.fingerprint = fingerprint_of(known);
  task.pieces = study.pieces();
  task.report = [&](std::size_t piece, const Results& found) {
    if (runs_dry()) return;
    fmt::print("{}", study.text_of(piece, found));
    std::fflush(stdout);
  };
  const auto found = run_pieces(context, earlier.journal.get(), task);
  on_first_rank([&] {
    const Results all = join_kernel_study(found, keys);
    write_results(context, machine, all);
    earlier.journal->remove();
    if (runs_dry()) return;
    fmt::print("{}", kernel_study_text(keys, all));
    std::fflush(stdout);
  });
  log::info(fmt::format("wrote {}", job.get<OutputKeys>().file));
  return 0;
}

}  // namespace plaq::jobs
