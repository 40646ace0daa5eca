// The plan of a propagator job (jobs/propagator/propagator.cpp).
#include <fmt/format.h>

#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/plan/plan_correlators.hpp"
#include "jobs/plan/plan_dirac.hpp"
#include "jobs/propagator/propagator_output.hpp"
#include "jobs/propagator/quark_source.hpp"
#include "kernels/quark/gaussian_smearing.hpp"

namespace plaq::jobs {
namespace {

constexpr int columns = 12;  // of a source

std::string of_columns(const std::string& what) { return name_of_columns(what, columns); }

class PropagatorPlan {
 public:
  explicit PropagatorPlan(Plan& plan)
      : plan_(plan),
        geometry_(*plan.geometry()),
        correlators_(plan.job()),
        smears_source_(plan.job().integer("quark_smearing", "steps") > 0 &&
                       plan.job().flag("quark_smearing", "source")),
        smears_sink_(plan.job().lists("correlators", "sinks", "smeared")),
        links_(gauge_spec(Precision::double_precision, plan.location())),
        dirac_(plan, wilson_parameters(plan.job()), solver_spec(plan.job(), plan.location()), columns),
        full_(dirac_.fields()) {}

  void run() {
    const GeometryPtr extended = geometry_.extended(1);
    keep_tables(plan_, *extended, Precision::double_precision);
    const Helds contractions = hold_contractions(plan_, correlators_);
    {
      const auto gauge = plan_load_gauge(plan_);
      plan_.phase("making the operator");
      {
        const auto links = hold_owned(*extended);
        dirac_.make();
      }
      if (smears_source_ || smears_sink_) make_smearing(*extended);
    }
    held_.push_back(hold_field(plan_, of_columns("source b"), geometry_, full_));
    held_.push_back(hold_field(plan_, of_columns("solution x"), geometry_, full_));
    plan_.phase("making the source");
    make_source();
    if (smears_source_) keep_smearing_work();
    dirac_.solve();
    write();
    if (smears_sink_ && !smears_source_) {
      plan_.phase("smearing the sink");
      keep_smearing_work();
      if (plan_.job().integer("source", "count") > 1) dirac_.solve();  // the next source finds it there
    }
    plan_.phase("contracting");
    pass_contractions(plan_, correlators_);
    dirac_.send_messages();
  }

 private:
  // The links without their shell.
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
  void keep_smearing_work() {
    for (auto& held :
         hold_halo(plan_, "faces of smeared spinors", geometry_,
                   GaussianSmearing::halo_spec(columns, Precision::double_precision, plan_.location())))
      held_.push_back(std::move(held));
    held_.push_back(hold_field(plan_, of_columns("smearing"), geometry_, full_));
    keep_tables(plan_, geometry_, Precision::double_precision);
  }

  // Made on the host, and copied.
  void make_source() {
    FieldSpec on_host = full_;
    on_host.location = Location::host;
    const auto source = hold_field(plan_, of_columns("source as made"), geometry_, on_host);
    pass_copy(plan_, geometry_, full_, geometry_, on_host);
  }

  void write() {
    if (plan_.job().string("output", "propagators") == "none") return;
    plan_.phase("writing a propagator");
    FieldSpec on_host = full_;
    on_host.location = Location::host;
    Plan::Held copied;
    if (plan_.location() == Location::device) {
      copied = hold_field(plan_, of_columns("solution as written"), geometry_, on_host);
      pass_copy(plan_, geometry_, on_host, geometry_, full_);
    }
    pass_site_file(plan_, record_bytes(QuarkKind::spinors, Precision::double_precision), {});
  }

  Plan& plan_;
  const Geometry& geometry_;
  CorrelatorPlan correlators_;
  bool smears_source_, smears_sink_;
  FieldSpec links_;
  DiracPlan dirac_;
  FieldSpec full_;
  Helds held_;
};

void plan_files(Plan& plan, std::uint64_t fields, int sources, const std::vector<std::string>& propagators) {
  const JobFile& job = plan.job();
  const Extents& extents = plan.geometry()->global();
  const CorrelatorPlan correlators(job);
  const std::uint64_t solves =
      static_cast<std::uint64_t>(sources) * (columns * 24 + 8);  // residual, iterations, ...
  const std::string output = job.string("output", "file");
  plan.writes({output, about_result_file_bytes(job) + 4750 +
                           about_bytes_in_results(correlators, extents[3], sources, fields) +
                           fields * (1100 + solves)});
  const PropagatorWriteOptions options = propagator_options(job);
  for (const auto& name : propagators)
    plan.writes({name, propagator_file_bytes(options, extents), options.format == PropagatorFormat::scidac});
  plan.writes(
      planned_journal(job, output + ".journal",
                      fields * (800 + solves + about_bytes_in_journal(correlators, extents[3], sources))));
}

}  // namespace

void plan_propagator(Plan& plan) {
  const JobFile& job = plan.job();
  const EnsembleInput input = planned_ensemble(plan);
  const QuarkSources sources(job, input.extents);
  const auto propagators = propagator_names(job, input.files, sources.count());
  plan.split(input.extents);
  expect_ensemble(plan, files_of_propagators(job, input, sources.count()), input, "source", sources.count(),
                  propagators);
  PropagatorPlan(plan).run();
  plan_files(plan, input.files.size(), sources.count(), propagators);
  plan.note(fmt::format("{} gauge field{}, one after the other.", input.files.size(),
                        input.files.size() == 1 ? "" : "s"));
  if (job.flag("solver", "fallback"))
    plan.note("A fallback of the solver, where one is needed, takes memory of its own on top.");
}

}  // namespace plaq::jobs
