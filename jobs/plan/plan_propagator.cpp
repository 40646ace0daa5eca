// The plan of a propagator job (jobs/propagator/propagator.cpp).
#include <fmt/format.h>

#include <set>

#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/plan/plan_correlators.hpp"
#include "jobs/plan/plan_dirac.hpp"
#include "jobs/propagator/propagator_output.hpp"
#include "jobs/propagator/quark_source.hpp"
#include "jobs/propagator/residual_masses.hpp"
#include "kernels/quark/gaussian_smearing.hpp"

namespace plaq::jobs {
namespace {

int columns_of_job(const JobFile& job) { return columns_of(action_parameters(job)); }

int together_of_job(const JobFile& job) {
  return columns_at_once(job, columns_of_job(job), slices_of(action_parameters(job)));
}

PropagatorKind kind_of_files(const JobFile& job) {
  return quark_kind(job) == QuarkKind::staggered ? PropagatorKind::staggered : PropagatorKind::spinors;
}

class PropagatorPlan {
 public:
  explicit PropagatorPlan(Plan& plan)
      : plan_(plan),
        geometry_(*plan.geometry()),
        correlators_(plan.job()),
        masses_(plan.job(), geometry_.global()),
        smears_source_(plan.job().integer("quark_smearing", "steps") > 0 &&
                       plan.job().flag("quark_smearing", "source")),
        smears_sink_(plan.job().lists("correlators", "sinks", "smeared")),
        links_(gauge_spec(Precision::double_precision, plan.location())),
        columns_(columns_of_job(plan.job())),
        together_(together_of_job(plan.job())),
        dirac_(plan, action_parameters(plan.job()), solver_spec(plan.job(), plan.location()), together_),
        part_(dirac_.quark_fields()),
        full_(part_) {
    full_.subfields = columns_;
  }

  void run() {
    const GeometryPtr extended = geometry_.extended(1);
    keep_tables(plan_, *extended, Precision::double_precision);
    const Helds contractions = hold_contractions(plan_, correlators_), masses = hold_masses(plan_, masses_);
    {
      const auto gauge = plan_load_gauge(plan_);
      plan_.phase("making the operator");
      {
        const auto links = hold_owned(*extended);
        dirac_.make();
      }
      if (smears_source_ || smears_sink_) make_smearing(*extended);
    }
    held_.push_back(hold_field(plan_, name_of_columns("quark field", columns_), geometry_, full_));
    if (masses_)
      held_.push_back(
          hold_field(plan_, name_of_columns("source of the residual mass", columns_), geometry_, full_));
    if (masses_.has_midpoint())
      held_.push_back(hold_field(plan_, name_of_columns("midpoint quark field", columns_), geometry_, full_));
    solve_part();
    if (together_ != columns_) solve_part();  // the others find all there
    write();
    if (smears_sink_ && smeared_.count(columns_) == 0) {
      plan_.phase("smearing the sink");
      keep_smearing_work(columns_);
      if (plan_.job().integer("source", "count") > 1) solve_part();  // the next source finds it there
    }
    plan_.phase("contracting");
    pass_masses(plan_, masses_, columns_);
    pass_contractions(plan_, correlators_);
    dirac_.send_messages();
  }

 private:
  // DiracSystem::solve_part.
  void solve_part() {
    const bool as_they_are = dirac_.fields() == part_;
    const auto part = hold_field(plan_, name_of_columns("source", together_), geometry_, part_);
    plan_.phase("making the source");
    make_source();
    if (smears_source_) keep_smearing_work(together_);
    Helds fields;
    if (!as_they_are) {
      fields.push_back(hold_field(plan_, name_of_columns("source b", together_), geometry_, dirac_.fields()));
      dirac_.pass_make_source();
    }
    if (!as_they_are || together_ != columns_)
      fields.push_back(
          hold_field(plan_, name_of_columns("solution x", together_), geometry_, dirac_.fields()));
    dirac_.solve();
  }

  // The links without their halo.
  Plan::Held hold_owned(const Geometry& extended) {
    auto links = hold_field(plan_, "gauge field", geometry_, links_);
    pass_copy(plan_, geometry_, links_, extended, links_);
    return links;
  }

  // GaussianSmearing.
  void make_smearing(const Geometry& extended) {
    pass_smear_links(plan_, extended, links_);
    plan_.phase("making the smearing");
    const auto links = hold_owned(extended);
    held_.push_back(hold_field(plan_, "links of the smearing", geometry_, links_));
  }
  void keep_smearing_work(int columns) {
    if (!smeared_.insert(columns).second) return;
    FieldSpec spec = full_;
    spec.subfields = columns;
    for (auto& held :
         hold_halo(plan_, "faces of smeared spinors", geometry_,
                   GaussianSmearing::halo_spec(columns, Precision::double_precision, plan_.location())))
      held_.push_back(std::move(held));
    held_.push_back(hold_field(plan_, name_of_columns("smearing", columns), geometry_, spec));
    keep_tables(plan_, geometry_, Precision::double_precision);
  }

  // Made on the host, and copied.
  void make_source() {
    FieldSpec on_host = part_;
    on_host.location = Location::host;
    const auto source = hold_field(plan_, name_of_columns("source as made", together_), geometry_, on_host);
    pass_copy(plan_, geometry_, part_, geometry_, on_host);
  }

  void write() {
    if (plan_.job().string("output", "propagators") == "none") return;
    plan_.phase("writing a propagator");
    FieldSpec on_host = full_;
    on_host.location = Location::host;
    Plan::Held copied;
    if (plan_.location() == Location::device) {
      copied = hold_field(plan_, name_of_columns("quark field as written", columns_), geometry_, on_host);
      pass_copy(plan_, geometry_, on_host, geometry_, full_);
    }
    pass_site_file(plan_, record_bytes(kind_of_files(plan_.job()), Precision::double_precision), {});
  }

  Plan& plan_;
  const Geometry& geometry_;
  CorrelatorPlan correlators_;
  ResidualMassPlan masses_;
  bool smears_source_, smears_sink_;
  FieldSpec links_;
  int columns_, together_;
  DiracPlan dirac_;
  FieldSpec part_, full_;  // quark fields of columns that are solved together, and of all
  std::set<int> smeared_;  // batches that were
  Helds held_;
};

void plan_files(Plan& plan, std::uint64_t fields, int sources, const std::vector<std::string>& propagators) {
  const JobFile& job = plan.job();
  const Extents& extents = plan.geometry()->global();
  const CorrelatorPlan correlators(job);
  const ResidualMassPlan masses(job, extents);
  const std::uint64_t solves =
      static_cast<std::uint64_t>(sources) *
      (static_cast<std::uint64_t>(columns_of_job(job)) * 24 + 8);  // residual, iterations, ...
  const std::string output = job.string("output", "file");
  plan.writes({output, about_result_file_bytes(job) + 4750 +
                           about_bytes_in_results(correlators, extents[3], sources, fields) +
                           about_bytes_in_results(masses, extents[3], sources, fields) +
                           fields * (1100 + solves)});
  const PropagatorWriteOptions options = propagator_options(job);
  for (const auto& name : propagators)
    plan.writes({name, propagator_file_bytes(options, extents, kind_of_files(job)),
                 options.format == PropagatorFormat::scidac});
  plan.writes(
      planned_journal(job, output + ".journal",
                      fields * (800 + solves + about_bytes_in_journal(correlators, extents[3], sources) +
                                about_bytes_in_journal(masses, extents[3], sources))));
}

}  // namespace

void plan_propagator(Plan& plan) {
  const JobFile& job = plan.job();
  const EnsembleInput input = planned_ensemble(plan);
  const QuarkSources sources(job, input.extents);
  const auto propagators = propagator_names(job, input.files, sources.count());
  plan.split(input.extents, least_slices(job));
  expect_ensemble(plan, files_of_propagators(job, input, sources.count()), input, "source", sources.count(),
                  propagators);
  PropagatorPlan(plan).run();
  plan_files(plan, input.files.size(), sources.count(), propagators);
  plan.note(fmt::format("{} gauge field{}, one after the other.", input.files.size(),
                        input.files.size() == 1 ? "" : "s"));
  if (auto doubt = doubt_of_tolerance(job)) plan.note("The " + *doubt + ".");
  if (job.flag("solver", "fallback"))
    plan.note("A fallback of the solver, where one is needed, takes memory of its own on top.");
}

}  // namespace plaq::jobs
