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
#include <numeric>
#include <optional>
#include <utility>

#include "comms/grid/collective.hpp"
#include "core/system/dry_run.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/dirac/all_mode_average.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/propagator/propagator.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/propagator/quark_source.hpp"
#include "jobs/propagator/source_columns.hpp"
#include "jobs/schema/job_types.hpp"
#include "quarks/action/conserved_current.hpp"
#include "quarks/solve/multi_mass_solver.hpp"
#include "settings/action/action_table.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/gauge/link_smearing.hpp"
#include "settings/quark/quark_smearing_table.hpp"
#include "settings/solver/approximation_table.hpp"
#include "settings/solver/solver_table.hpp"

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
    const auto smearing = job.get<QuarkSmearingKeys>();
    smears_source_ = smearing.parameters.steps > 0 && smearing.source;
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
    backwards_.reset();
    smearing_.reset();
    for (const auto& measurement : measurements_) measurement->begin(gauge);
    const std::vector<ActionPtr> actions = actions_of_masses(job());
    columns_ = actions.front()->columns();
    const int solved = columns_ / sources_.column_stride();
    const double sources = solves_of(approximation_, sources_.count());
    const double solves = sources * (1 + needs_.solves) * solved;
    const FermionLinks of_action = links_of_action(gauge.field);
    const SolverSettings settings = solver_settings(job(), context().location(), solves);
    const int at_once = std::gcd(together(), solved);
    solver_ = std::make_unique<MultiMassSolver>(of_action, actions, settings, at_once,
                                                paths_of_solver(job(), input().files, gauge.report.info.path),
                                                solved);
    if (const ActionPtr through = action_through_sink(actions.front());
        needs_.current && through != actions.front())
      backwards_ = std::make_unique<PropagatorSolver>(of_action, through, settings, at_once);
    Field links = std::exchange(gauge.field, {});
    derivative_.reset();
    if (const std::string word = job().get<SourceKeys>().derivative; !word.empty())
      derivative_.emplace(context(), links, job().get<LinkSmearing>(), job().get<ActionKeys>().in_space(),
                          word);
    if (smears_source_ || needs_.smearing)
      smearing_ = make_quark_smearing(context(), std::move(links),
                                      quark_smearing_settings(job(), job().get<ActionKeys>().in_space()),
                                      columns_ / 3);
  }

  Results compute(LoadedGauge& gauge, int k) override {
    SourcePtr source = sources_.load(context(), gauge.report.info.path, k);
    const MemoryName name("quark fields");
    Results results = results_of_source(gauge, source->position());
    if (approximation_.is_asked()) results.append(approximate(gauge, k, *source));
    if (approximation_.is_asked() && k >= approximation_.exact) return results;
    SourceQuarks found = empty_quarks(gauge, k, *source);
    std::vector<MultigridNumbers> multigrid;  // by mass
    const std::vector<ColumnReport> reports = solve(found, std::move(source), multigrid);
    Results measured = measure(found);
    add_solves(results, reports, multigrid, has_many_masses_,
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

  // Leaves the gauge field as it is, of which quarks are smeared.
  FermionLinks links_of_action(const Field& extended) const {
    Field gauge = extended;
    const auto smearing = job().get<ActionSmearing>();
    if (smearing.links.smears()) {
      gauge = Field(extended.geometry_ptr(), extended.spec());
      copy(gauge, extended);
    }
    return fermion_links(context(), gauge, smearing);
  }

  SourceQuarks empty_quarks(const LoadedGauge& gauge, int k, const Source& source) const {
    SourceQuarks quarks{
        gauge, k, source.position(), source_note(source), sources_.summed(), *solver_, smearing_.get(), {}};
    FieldSpec spec = solver_->quark_spec();
    spec.subfields = columns_;
    quarks.quarks.resize(solver_->masses());
    for (Field& quark : quarks.quarks) quark = Field(context().geometry, spec);
    if (needs_.source) quarks.source = Field(context().geometry, spec);
    if (needs_.midpoint) quarks.midpoint = Field(context().geometry, spec);
    if (needs_.current) {
      quarks.current = Field(context().geometry, solver_->only().five_spec(columns_));
      quarks.through_sink = backwards_ ? backwards_.get() : &solver_->only();
    }
    return quarks;
  }

  // Smears the quark fields if an observable looks at them so.
  Results measure(SourceQuarks& found) {
    std::vector<Results> measured;
    for (const auto& measurement : measurements_) measured.push_back(measurement->measure(found));
    if (needs_.smeared_sink) {
      const Phase phase("contracting");
      for (Field& quark : found.quarks) smearing_->apply(quark);
      for (std::size_t i = 0; i < measured.size(); ++i)
        measured[i].append(measurements_[i]->measure_smeared(found));
    }
    Results results;
    for (const Results& more : measured) results.append(more);
    return results;
  }

  // Approximate results of a source, at one mass.
  Results approximate(const LoadedGauge& gauge, int k, const Source& source) {
    SourceQuarks found = empty_quarks(gauge, k, source);
    found.approximation = &approximation_.how;
    const SourceColumns columns = columns_of(source);
    const PropagatorSolver::FillSource fill = [&](Field& b, int first) {
      columns.fill(b, first, seen(found));
    };
    const ColumnReport report = columns.in_columns(found.quarks, [&](std::vector<Field>& quarks) {
      const WallFields walls{.current = needs_.current ? &found.current : nullptr};
      return solver_->only().approximate(quarks.front(), fill, approximation_.how, gauge.report.info.path, {},
                                         walls);
    });
    Results results;
    add_approximate_solves(results, report.true_residuals, report.iterations, "column");
    results.append(in_group(measure(found), approximate_group));
    return results;
  }

  // The field for the source where an observable wants to see it.
  Field* seen(SourceQuarks& quarks) const { return needs_.source ? &quarks.source : nullptr; }
  SourceColumns columns_of(const Source& source) const {
    return {source, smears_source_ ? smearing_.get() : nullptr, derivative_ ? &*derivative_ : nullptr};
  }

  // Lets go of the source, with the columns of a file.
  std::vector<ColumnReport> solve(SourceQuarks& to, SourcePtr source,
                                  std::vector<MultigridNumbers>& multigrid) const {
    const SourceColumns columns = columns_of(*source);
    const PropagatorSolver::FillSource fill = [&](Field& b, int first) { columns.fill(b, first, seen(to)); };
    const std::string& file = to.gauge.report.info.path;
    const auto after = [&](std::size_t, const PropagatorSolver& solver) {
      if (solver.settings().multigrid) multigrid.emplace_back(solver.multigrid());
    };
    Field* midpoint = needs_.midpoint ? &to.midpoint : nullptr;
    if (needs_.current) {
      PropagatorSolver& solver = solver_->only();
      const ColumnReport report = solver.solve(to.quarks.front(), {midpoint, &to.current}, fill, file);
      warn_of_slices(report, file);
      after(0, solver);
      return {report};
    }
    return columns.in_columns(to.quarks, [&](std::vector<Field>& quarks) {
      return solver_->solve(quarks, fill, file, midpoint, after);
    });
  }

  // The gauge field, and the source.
  Results results_of_source(const LoadedGauge& gauge, const Extents& position) const {
    Results results;
    Attributes of_gauge = attributes_of(gauge);
    if (const auto bounds = solver_->measured_bounds())
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
  bool has_many_masses_, smears_source_ = false;
  int columns_ = 0;  // of a quark field
  std::vector<std::unique_ptr<QuarkMeasurement>> measurements_;
  QuarkNeeds needs_;  // of all of them
  std::unique_ptr<MultiMassSolver> solver_;
  std::unique_ptr<PropagatorSolver> backwards_;  // of the walls read backwards, where currents need it
  std::unique_ptr<QuarkSmearing> smearing_;      // null where nothing is smeared
  std::optional<QuarkDerivative> derivative_;
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
