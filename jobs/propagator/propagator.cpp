// Job type propagator: on each gauge field, quark propagators of one or more sources, twelve columns each (of
// staggered quarks three), and their correlators. Results:
//
//   /                     attributes: plaq_version, job_type, job, extents
//   /action, /source      attributes: what was solved
//   /solves/...           [configuration][source][column] true_residual, iterations, updates;
//                         [configuration][source] attempts; attributes: what solved it
//                         with multigrid also multigrid_lattices, multigrid_rounds, multigrid_reduction,
//                         multigrid_smoothing_steps, multigrid_coarse_tolerance
//   ...                   [configuration][source]... what each observable says (propagator_observable.hpp)
//   /approximate, /exact  what all-mode averaging adds (jobs/propagator/propagator_approximation.cpp)
//   /gauge/000000, ...    one group a configuration
#include <memory>
#include <optional>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/dirac/all_mode_average.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/propagator/propagator.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/propagator/quark_source.hpp"
#include "jobs/propagator/source_solver.hpp"
#include "jobs/schema/job_types.hpp"
#include "settings/action/action_table.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/solver/approximation_table.hpp"

namespace plaq::jobs {
namespace {

class PropagatorJob : public SolvingJob {
 public:
  explicit PropagatorJob(const JobFile& job)
      : SolvingJob(job),
        sources_(job, input()),
        approximation_(job.get<ApproximationKeys>()),
        has_many_masses_(!names_of_masses(job.get<ActionKeys>()).empty()) {
    for (const PropagatorObservable* observable : observables_of(job))
      observable->check(job, input().extents);
  }

 private:
  JobFiles files() const override {
    JobFiles files = SolvingJob::files();
    if (sources_.files() != nullptr)
      for (const auto& name : sources_.files()->all_names())
        files.paths.reads(name, "a source ([source] files)");
    return files;
  }
  // A result without its propagators is not to be replaced unasked.
  std::vector<std::string> made_files(const std::vector<std::string>& gauge_files) const override {
    return propagator_names(job(), gauge_files, sources_.count());
  }
  std::string use_of_made_file() const override { return "a propagator ([output] propagator_directory)"; }
  void prepare() override {
    for (const PropagatorObservable* observable : observables_of(job())) {
      measurements_.push_back(observable->measurement(context()));
      const QuarkNeeds needs = measurements_.back()->needs();
      needs_.source |= needs.source;
      needs_.midpoint |= needs.midpoint;
      needs_.current |= needs.current;
      needs_.smearing |= needs.smearing;
      needs_.smeared_sink |= needs.smeared_sink;
      needs_.solves += needs.solves;
    }
    SolvingJob::prepare();
  }
  int quark_fields() const override {
    const std::vector<ActionPtr> actions = actions_of_masses(job());
    const int in_five =
        needs_.current ? 2 * actions.front()->Ls() : 0;  // of the quark and of a sequential one
    return static_cast<int>(actions.size()) + needs_.source + needs_.midpoint + in_five;
  }

  std::string axis() const override { return "source"; }
  int parts() const override { return sources_.count(); }
  std::vector<PartBlock> blocks() const override { return exact_blocks(approximation_); }
  bool holds(const std::string& gauge_file, int source) const override {
    return has_propagator(job(), gauge_file, source);
  }
  bool counts(const Results& source) const override {
    if (sources_.files() != nullptr && !sources_.files()->found_with(source)) return false;
    if (approximation_.is_asked() && has_no_exact_solves(source)) return true;
    return SolvingJob::counts(source);
  }

  void begin(LoadedGauge& gauge) override {
    solver_.reset();  // one at a time
    for (const auto& measurement : measurements_) measurement->begin(gauge);
    solver_.emplace(context(), gauge,
                    SourceSolver::Work{sources_, needs_, solves_of(approximation_, sources_.count()),
                                       together(), input().files});
  }

  Results compute(LoadedGauge& gauge, int k) override {
    SourcePtr source = sources_.load(context(), gauge.report.info.path, k);
    const MemoryName name("quark fields");
    Results results = results_of_source(gauge, source->position());
    if (approximation_.is_asked()) results.append(approximate(gauge, k, *source));
    if (approximation_.is_asked() && k >= approximation_.exact) return results;
    SourceSolver::Solved found = solver_->solve(gauge, k, std::move(source));
    Results measured = measure(found.quarks);
    add_solves(results, found.reports, found.multigrid, has_many_masses_,
               job().get<SolverSettings>().slice_tolerance.has_value());
    results.append(approximation_.is_asked() ? in_group(std::move(measured), exact_group) : measured);
    return results;
  }

  void complete(Results& field) const override {
    if (approximation_.is_asked()) add_corrected_means(field);
  }

  void describe(OutputFile& out) const override {
    SolvingJob::describe(out);
    out.group("/source", sources_.attributes());
    if (approximation_.is_asked()) out.group("/approximation", approximation_attributes(approximation_));
    for (const auto& measurement : measurements_) measurement->describe(out);
  }

  // Smears the quark fields if an observable looks at them so.
  Results measure(SourceQuarks& found) {
    std::vector<Results> measured;
    for (const auto& measurement : measurements_) measured.push_back(measurement->measure(found));
    if (needs_.smeared_sink) {
      const Phase phase("contracting");
      for (Field& quark : found.quarks) solver_->smearing()->apply(quark);
      for (std::size_t i = 0; i < measured.size(); ++i)
        measured[i].append(measurements_[i]->measure_smeared(found));
    }
    Results results;
    for (const Results& more : measured) results.append(more);
    return results;
  }

  // Approximate results of a source, at one mass.
  Results approximate(const LoadedGauge& gauge, int k, const Source& source) {
    SourceSolver::Solved found = solver_->approximate(gauge, k, source, approximation_.how);
    const ColumnReport& report = found.reports.front();
    Results results;
    add_approximate_solves(results, report.true_residuals, report.iterations, "column");
    results.append(in_group(measure(found.quarks), approximate_group));
    return results;
  }

  // The gauge field, and the source.
  Results results_of_source(const LoadedGauge& gauge, const Extents& position) const {
    Results results;
    Attributes of_gauge = attributes_of(gauge);
    if (const auto bounds = solver_->solver().measured_bounds())
      of_gauge.emplace_back("spectral_bounds", std::vector<double>{bounds->first, bounds->second});
    for (const auto& measurement : measurements_) add(of_gauge, measurement->of_gauge());
    results.numbered_group("/gauge", of_gauge);
    results.dataset("/sources/position", {4}, std::vector<std::int64_t>(position.begin(), position.end()),
                    described({"direction"}, "1", "site of the source: x, y, z, t"));
    if (sources_.files() != nullptr) add_source_checksum(results, sources_.checksum());
    return results;
  }

  QuarkSources sources_;
  ApproximationKeys approximation_;
  bool has_many_masses_;
  std::vector<std::unique_ptr<QuarkMeasurement>> measurements_;
  QuarkNeeds needs_;  // of all of them
  std::optional<SourceSolver> solver_;
};

std::vector<std::string> written_files(const JobFile& job, const std::string& gauge_file) {
  std::vector<std::string> files =
      propagator_names(job, {gauge_file}, job.get<SourceKeys>().type->count(job));
  for (std::string& setup : SolvingJob::setups_of(job, {gauge_file})) files.push_back(std::move(setup));
  return files;
}

}  // namespace

extern constinit const JobType propagator_job{.name = "propagator",
                                              .schema = propagator_schema,
                                              .run = run_as<PropagatorJob>,
                                              .written_files = written_files,
                                              .written_directory = "output.propagator_directory"};

}  // namespace plaq::jobs
