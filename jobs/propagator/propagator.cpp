// Job type propagator: on each gauge field, quark propagators of one or more sources, twelve columns each (of
// staggered quarks three), and their correlators. Results:
//
//   /                     attributes: plaq_version, job_type, job, extents
//   /action, /source      attributes: what was solved
//   /solves/...           [configuration][source][column] true_residual, iterations, updates;
//                         [configuration][source] attempts; attributes: what solved it
//   /correlators/...      [configuration][source][t][real, imaginary], jobs/correlators/correlators.hpp
//                         with multigrid also multigrid_lattices, multigrid_rounds, multigrid_reduction,
//                         multigrid_smoothing_steps, multigrid_coarse_tolerance
//   /three_point/...      [configuration][source][t][real, imaginary], jobs/propagator/three_point_results.hpp
//   /quark_propagator/... [configuration][source][momentum]..., jobs/propagator/quark_propagator_results.hpp
//   /residual_mass/...    [configuration][source], some [t], jobs/propagator/residual_mass_results.hpp
//   /gauge/000000, ...    one group a configuration
#include <algorithm>
#include <optional>
#include <utility>

#include "core/system/dry_run.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/correlators/quark_smearing.hpp"
#include "jobs/dirac/action_smearing.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/propagator/job_channels.hpp"
#include "jobs/propagator/propagator_keys.hpp"
#include "jobs/propagator/propagator_output.hpp"
#include "jobs/propagator/quark_propagator_results.hpp"
#include "jobs/propagator/quark_source.hpp"
#include "jobs/propagator/residual_mass_results.hpp"
#include "jobs/propagator/solve_results.hpp"
#include "jobs/propagator/three_point_results.hpp"
#include "jobs/run/fixed_gauge.hpp"
#include "jobs/run/link_smearing.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/job_types.hpp"
#include "kernels/gauge/halo_links.hpp"
#include "quarks/solve/multi_mass_solver.hpp"

namespace plaq::jobs {
namespace {

// One gauge field at a time: its operator, its smeared links, and what comes of each source.
class Measurement {
 public:
  Measurement(const JobContext& context, const EnsembleInput& input, QuarkSources& sources,
              const std::optional<ResidualMassSettings>& masses, const QuarkMomenta* momenta)
      : context_(context),
        input_(input),
        sources_(sources),
        correlators_(context, plan_of_correlators(context.job, context.extents)),
        names_(names_of_masses(context.job.get<ActionKeys>())),
        with_midpoint_(masses && masses->midpoint) {
    if (masses) masses_.emplace(context, action_parameters(context.job)->mass(), *masses);
    const auto smearing = context.job.get<QuarkSmearingKeys>();
    smear_source_ = smearing.parameters.steps > 0 && smearing.source;
    const auto correlators = context.job.get<CorrelatorKeys>();
    point_sink_ = correlators.has_sink("point");
    smear_sink_ = correlators.has_sink("smeared");
    const ThreePointSettings three_point = three_point_settings(context.job, context.extents);
    if (!three_point.insertions.empty())
      three_points_.emplace(context, three_point,
                            momenta_up_to(correlators.max_momentum_squared, context.extents),
                            context.job.get<ActionKeys>().boundary[3]);
    smear_sequential_ = three_points_ && three_point.smeared_sink;
    solves_ = 1 + static_cast<int>(three_point.insertions.size());
    if (momenta == nullptr) return;
    const MemoryName name("quark propagator in momentum space");
    quark_propagator_.emplace(context, *momenta);
  }

  // The sources that follow are on this field, whose links are let go of.
  void begin(LoadedGauge& gauge) {
    solver_.reset();  // one at a time
    smearing_of_quarks_.reset();
    if (quark_propagator_) {
      const auto keys = context_.job.get<QuarkPropagatorKeys>();
      fixed_ = expect_fixed(context_, links_without_halo(context_, gauge.field), Gauge::landau,
                            keys.max_theta, "quark_propagator", gauge.report.info.path);
    }
    const JobFile& job = context_.job;
    const std::vector<ActionPtr> actions = actions_of_masses(job);
    const int columns = actions.front()->columns(), slices = actions.front()->slices();
    const double solves = static_cast<double>(sources_.count()) * solves_ * columns;
    solver_ = std::make_unique<MultiMassSolver>(
        links_of_action(gauge.field), actions, solver_settings(job, context_.location(), solves),
        columns_at_once(job, columns, slices), paths_of_solver(job, input_.files, gauge.report.info.path));
    smearing_of_quarks_ = quark_smearing(std::exchange(gauge.field, {}));
  }

  Results operator()(const LoadedGauge& gauge, int k) {
    const std::string& file = gauge.report.info.path;
    SourcePtr source = sources_.load(context_, file, k);
    const Extents position = source->position();
    const MemoryName name("quark fields");
    std::vector<Field> quarks(solver_->masses());
    for (Field& quark : quarks) quark = Field(context_.geometry, solver_->quark_spec());
    Field columns, midpoint;
    if (masses_) columns = Field(context_.geometry, quarks.front().spec());
    if (with_midpoint_) midpoint = Field(context_.geometry, quarks.front().spec());
    multigrid_.clear();
    const std::vector<ColumnReport> reports = solver_->solve(
        quarks,
        [&](Field& b, int first_column) {
          const Phase phase("making the source");
          source->fill(b, first_column);
          if (smear_source_) smearing_of_quarks_->apply(b);
          if (!columns) return;
          for (int subfield = 0; subfield < b.subfields(); ++subfield)
            copy_subfield(columns, first_column + subfield, b, subfield);
        },
        file, midpoint ? &midpoint : nullptr,
        [&](std::size_t, const PropagatorSolver& solver) {
          if (solver.settings().multigrid) multigrid_.emplace_back(solver.multigrid());
        });
    source.reset();  // with the columns of a file
    write_propagators_of(context_, quarks, gauge, k, position);
    Field& quark = quarks.front();
    Results more;
    if (masses_)
      add_residual_mass(more, (*masses_)(columns, quark, midpoint, position), masses_->settings().plateau,
                        sources_.summed());
    if (three_points_)
      for (const ThreePointFunctions& found :
           (*three_points_)(solver_->only(), smearing_of_quarks_.get(), quark, position, file))
        add_three_point(more, found, *three_points_, sources_.summed());
    if (quark_propagator_) add_quark_propagator(more, (*quark_propagator_)(quark, position));
    contract(quarks, position);
    Results results = collect(gauge, position, reports);
    results.append(more);
    return results;
  }

 private:
  // Leaves the gauge field as it is, of which quarks are smeared.
  FermionLinks links_of_action(const Field& extended) const {
    Field gauge = extended;
    const auto smearing = context_.job.get<ActionSmearing>();
    if (smearing.links.smears()) {
      gauge = Field(extended.geometry_ptr(), extended.spec());
      copy(gauge, extended);
    }
    return fermion_links(context_, gauge, smearing);
  }

  std::unique_ptr<QuarkSmearing> quark_smearing(Field gauge) const {
    if (!smear_source_ && !smear_sink_ && !smear_sequential_) return nullptr;
    return make_quark_smearing(
        context_, std::move(gauge),
        quark_smearing_settings(context_.job, context_.job.get<ActionKeys>().in_space()),
        solver_->columns() / 3);
  }

  // Leaves quarks smeared where that was asked for: nothing reads them afterwards.
  void contract(std::vector<Field>& quarks, const Extents& position) {
    const Phase phase("contracting");
    if (point_sink_) contract("point", quarks, position);
    if (!smear_sink_) return;
    for (Field& quark : quarks) smearing_of_quarks_->apply(quark);
    contract("smeared", quarks, position);
  }

  void contract(const std::string& sink, const std::vector<Field>& quarks, const Extents& position) {
    if (names_.empty()) return correlators_.add(sink, quarks.front(), position);
    const bool all_pairs = context_.job.get<MassPairKeys>().pairs == MassPairs::all;
    for (std::size_t i = 0; i < quarks.size(); ++i)
      for (std::size_t j = i; j < (all_pairs ? quarks.size() : i + 1); ++j)
        correlators_.add(sink, {{names_[i], names_[j]}, {&quarks[i], &quarks[j]}}, position);
    for (std::size_t i = 0; i < quarks.size(); ++i)
      correlators_.add(sink, {{names_[i], names_[i], names_[i]}, {&quarks[i], &quarks[i], &quarks[i]}},
                       position);
  }

  Results collect(const LoadedGauge& gauge, const Extents& position,
                  const std::vector<ColumnReport>& reports) {
    Results results;
    Attributes of_gauge = attributes_of(gauge);
    if (const auto bounds = solver_->measured_bounds())
      of_gauge.emplace_back("spectral_bounds", std::vector<double>{bounds->first, bounds->second});
    if (fixed_) of_gauge.emplace_back("landau_theta", fixed_->theta);
    results.numbered_group("/gauge", of_gauge);
    results.dataset("/sources/position", {4}, std::vector<std::int64_t>(position.begin(), position.end()),
                    described({"direction"}, "1", "site of the source: x, y, z, t"));
    if (sources_.files() != nullptr) add_source_checksum(results, sources_.checksum());
    add_solves(results, reports, multigrid_, !names_.empty(),
               context_.job.get<SolverSettings>().slice_tolerance.has_value());
    for (const TwoPointFunction& correlator : correlators_.take())
      add_correlator(results, correlator, sources_.summed());
    return results;
  }

  const JobContext& context_;
  const EnsembleInput& input_;
  QuarkSources& sources_;
  CorrelatorSet correlators_;
  std::vector<std::string> names_;  // of the quarks, where there are many masses
  std::optional<ResidualMasses> masses_;
  std::optional<ThreePoints> three_points_;
  std::optional<QuarkPropagator> quark_propagator_;
  std::optional<FixedGauge> fixed_;  // where that needs it
  bool with_midpoint_;
  std::unique_ptr<MultiMassSolver> solver_;
  std::vector<MultigridNumbers> multigrid_;            // of the last source, by mass
  std::unique_ptr<QuarkSmearing> smearing_of_quarks_;  // null where nothing is smeared
  bool smear_source_ = false, point_sink_ = false, smear_sink_ = false, smear_sequential_ = false;
  int solves_ = 1;  // of all columns, for each source
};

class PropagatorJob : public SolvingJob {
 public:
  explicit PropagatorJob(const JobFile& job)
      : SolvingJob(job), sources_(job, input()), masses_(residual_mass_settings(job, input().extents)) {}

 private:
  JobFiles files() const override {
    JobFiles files = SolvingJob::files();
    if (sources_.files() != nullptr)
      for (const auto& name : sources_.files()->all_names())
        files.paths.reads(name, "a source ([source] files)");
    // A result without its propagators is not to be replaced unasked.
    add_made_files(files, job(), propagator_names(job(), input().files, sources_.count()),
                   "a propagator ([output] propagator_directory)");
    return files;
  }
  void check_outputs(const std::vector<std::string>& gauge_files, bool ours) const override {
    check_made_files(job(), propagator_names(job(), gauge_files, sources_.count()), ours);
    SolvingJob::check_outputs(gauge_files, ours);
  }
  bool makes_files() const override { return writes_propagators(job()); }
  void prepare() override {
    SolvingJob::prepare();
    if (const auto keys = job().get<QuarkPropagatorKeys>(); keys.max_n)
      momenta_.emplace(*keys.max_n, keys.cuts, context().extents, job().get<ActionKeys>().boundary,
                       *action_parameters(job()));
    measurement_.emplace(context(), input(), sources_, masses_, momenta_ ? &*momenta_ : nullptr);
  }

  std::string axis() const override { return "source"; }
  int parts() const override { return sources_.count(); }
  bool holds(const std::string& gauge_file, int source) const override {
    return has_propagator(job(), gauge_file, source);
  }
  bool counts(const Results& source) const override {
    if (sources_.files() != nullptr && !sources_.files()->found_with(source)) return false;
    return SolvingJob::counts(source);
  }
  void begin(LoadedGauge& gauge) override { measurement_->begin(gauge); }
  Results compute(LoadedGauge& gauge, int source) override { return (*measurement_)(gauge, source); }
  void describe(OutputFile& out) const override {
    SolvingJob::describe(out);
    out.group("/source", sources_.attributes());
    if (momenta_) out.write(jobs::describe(*momenta_));
  }

  QuarkSources sources_;
  std::optional<ResidualMassSettings> masses_;
  std::optional<QuarkMomenta> momenta_;  // where the propagator in momentum space is asked for
  std::optional<Measurement> measurement_;
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
