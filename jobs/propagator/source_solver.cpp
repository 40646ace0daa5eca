#include "jobs/propagator/source_solver.hpp"

#include <numeric>
#include <utility>

#include "quarks/action/conserved_current.hpp"
#include "settings/action/action_table.hpp"
#include "settings/gauge/link_smearing.hpp"
#include "settings/quark/quark_smearing_table.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {

SourceSolver::SourceSolver(const JobContext& context, LoadedGauge& gauge, const Work& work)
    : context_(context), needs_(work.needs), summed_(work.sources.summed()) {
  const Settings& job = context.job;
  const auto smearing = job.get<QuarkSmearingKeys>();
  smears_source_ = smearing.parameters.steps > 0 && smearing.source;
  const std::vector<ActionPtr> actions = actions_of_masses(job);
  columns_ = actions.front()->columns();
  const int solved = columns_ / work.sources.column_stride();
  const FermionLinks of_action = links_of_action(gauge.field);
  const SolverSettings settings =
      solver_settings(job, context.location(), work.solved_sources * (1 + needs_.solves) * solved);
  const int at_once = std::gcd(work.together, solved);
  solver_ = std::make_unique<MultiMassSolver>(of_action, actions, settings, at_once,
                                              paths_of_solver(job, work.gauge_files, gauge.report.info.path),
                                              solved);
  if (const ActionPtr through = action_through_sink(actions.front());
      needs_.current && through != actions.front())
    backwards_ = std::make_unique<PropagatorSolver>(of_action, through, settings, at_once);
  Field links = std::exchange(gauge.field, {});
  const SpaceSigns in_space = job.get<ActionKeys>().in_space();
  if (const std::string word = job.get<SourceKeys>().derivative; !word.empty())
    derivative_.emplace(context, links, job.get<LinkSmearing>(), in_space, word);
  if (smears_source_ || needs_.smearing)
    smearing_ =
        make_quark_smearing(context, std::move(links), quark_smearing_settings(job, in_space), columns_ / 3);
}

// Leaves the gauge field as it is, of which quarks are smeared.
FermionLinks SourceSolver::links_of_action(const Field& extended) const {
  Field gauge = extended;
  const auto smearing = context_.job.get<ActionSmearing>();
  if (smearing.links.smears()) {
    gauge = Field(extended.geometry_ptr(), extended.spec());
    copy(gauge, extended);
  }
  return fermion_links(context_, gauge, smearing);
}

SourceQuarks SourceSolver::empty_quarks(const LoadedGauge& gauge, int k, const Source& source) const {
  SourceQuarks quarks{gauge,   k,        source.position(), source_note(source),
                      summed_, *solver_, smearing_.get(),   {}};
  FieldSpec spec = solver_->quark_spec();
  spec.subfields = columns_;
  quarks.quarks.resize(solver_->masses());
  for (Field& quark : quarks.quarks) quark = Field(context_.geometry, spec);
  if (needs_.source) quarks.source = Field(context_.geometry, spec);
  if (needs_.midpoint) quarks.midpoint = Field(context_.geometry, spec);
  if (needs_.current) {
    quarks.current = Field(context_.geometry, solver_->only().five_spec(columns_));
    quarks.through_sink = backwards_ ? backwards_.get() : &solver_->only();
  }
  return quarks;
}

SourceColumns SourceSolver::columns_of(const Source& source) const {
  return {source, smears_source_ ? smearing_.get() : nullptr, derivative_ ? &*derivative_ : nullptr};
}

// Keeps the field for the source where an observable wants to see it.
PropagatorSolver::FillSource SourceSolver::fill(const SourceColumns& columns, SourceQuarks& quarks) const {
  Field* seen = needs_.source ? &quarks.source : nullptr;
  return [&columns, seen](Field& b, int first) { columns.fill(b, first, seen); };
}

SourceSolver::Solved SourceSolver::solve(const LoadedGauge& gauge, int k, SourcePtr source) const {
  Solved found{empty_quarks(gauge, k, *source), {}, {}};
  SourceQuarks& to = found.quarks;
  const SourceColumns columns = columns_of(*source);
  const auto fill_source = fill(columns, to);
  const std::string& file = gauge.report.info.path;
  const auto after = [&](std::size_t, const PropagatorSolver& solver) {
    if (solver.settings().multigrid) found.multigrid.emplace_back(solver.multigrid());
  };
  Field* midpoint = needs_.midpoint ? &to.midpoint : nullptr;
  if (needs_.current) {
    PropagatorSolver& solver = solver_->only();
    const ColumnReport report = solver.solve(to.quarks.front(), {midpoint, &to.current}, fill_source, file);
    warn_of_slices(report, file);
    after(0, solver);
    found.reports = {report};
  } else {
    found.reports = columns.in_columns(to.quarks, [&](std::vector<Field>& quarks) {
      return solver_->solve(quarks, fill_source, file, midpoint, after);
    });
  }
  return found;
}

SourceSolver::Solved SourceSolver::approximate(const LoadedGauge& gauge, int k, const Source& source,
                                               const Approximation& how) const {
  Solved found{empty_quarks(gauge, k, source), {}, {}};
  SourceQuarks& to = found.quarks;
  to.approximation = &how;
  const SourceColumns columns = columns_of(source);
  const auto fill_source = fill(columns, to);
  const WallFields walls{.current = needs_.current ? &to.current : nullptr};
  found.reports = {columns.in_columns(to.quarks, [&](std::vector<Field>& quarks) {
    return solver_->only().approximate(quarks.front(), fill_source, how, gauge.report.info.path, {}, walls);
  })};
  return found;
}

}  // namespace plaq::jobs
