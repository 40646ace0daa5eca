// The plan of a propagator job (jobs/propagator.cpp, jobs/dirac_system.cpp, solvers/schur_solve.cpp).
#include <fmt/format.h>

#include "jobs/plan_correlators.hpp"
#include "jobs/propagator_output.hpp"
#include "jobs/quark_source.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "solvers/bicgstab.hpp"
#include "solvers/cg.hpp"

namespace plaq::jobs {
namespace {

constexpr int columns = 12;  // of a source

std::string name_of_columns(const std::string& what) { return fmt::format("{}, {} columns", what, columns); }

// WilsonHopping holds the links at once, and the halo from its first application on.
class PropagatorPlan {
 public:
  explicit PropagatorPlan(Plan& plan)
      : plan_(plan),
        geometry_(*plan.geometry()),
        correlators_(plan.job()),
        smears_source_(plan.job().integer("quark_smearing", "steps") > 0 &&
                       plan.job().flag("quark_smearing", "source")),
        smears_sink_(plan.job().lists("correlators", "sinks", "smeared")),
        single_(plan.job().string("solver", "precision") == "single"),
        even_odd_(plan.job().string("solver", "preconditioning") == "even-odd"),
        precision_(single_ ? Precision::single_precision : Precision::double_precision),
        links_(gauge_spec(Precision::double_precision, plan.location())),
        full_(spinor_spec(Subset::full, columns, Precision::double_precision, plan.location())),
        inner_full_(spinor_spec(Subset::full, columns, precision_, plan.location())),
        inner_(spinor_spec(even_odd_ ? Subset::even : Subset::full, columns, precision_, plan.location())) {}

  void run() {
    const GeometryPtr extended = geometry_.extended(1);
    keep_tables(plan_, *extended, Precision::double_precision);
    const Helds contractions = hold_contractions(plan_, correlators_);
    {
      const auto gauge = plan_load_gauge(plan_);
      plan_.phase("making the operator");
      {
        const auto links = hold_owned(*extended);
        make_operator();
        make_solver();
      }
      if (smears_source_ || smears_sink_) make_smearing(*extended);
    }
    held_.push_back(hold_field(plan_, name_of_columns("source b"), geometry_, full_));
    held_.push_back(hold_field(plan_, name_of_columns("solution x"), geometry_, full_));
    plan_.phase("making the source");
    make_source();
    if (smears_source_) keep_smearing_work();
    solve();
    write();
    if (smears_sink_ && !smears_source_) {
      plan_.phase("smearing the sink");
      keep_smearing_work();
      if (plan_.job().integer("source", "count") > 1) solve();  // the next source finds it there
    }
    plan_.phase("contracting");
    pass_contractions(plan_, correlators_);
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
    held_.push_back(hold_field(plan_, name_of_columns("smearing"), geometry_, full_));
    keep_tables(plan_, geometry_, Precision::double_precision);
  }

  void hold_hopping(Precision precision, const char* name) {
    const FieldSpec to = gauge_spec(precision, plan_.location());
    held_.push_back(hold_field(plan_, name, geometry_, to));
    pass_copy(plan_, geometry_, to, geometry_, links_);
  }

  void keep_halo(Precision precision, const char* name) {
    for (auto& held : hold_halo(plan_, name, geometry_, {12, columns, precision, plan_.location()}))
      held_.push_back(std::move(held));
    keep_tables(plan_, geometry_, precision);
  }

  void make_operator() {
    hold_hopping(precision_, "links of the operator");
    if (single_) hold_hopping(Precision::double_precision, "links of the check in double");
    if (even_odd_)
      held_.push_back(hold_field(plan_, name_of_columns("operator, odd sites"), geometry_,
                                 spinor_spec(Subset::odd, columns, precision_, plan_.location())));
  }

  void make_solver() {
    const auto hold = [&](const auto& names) {
      for (const char* name : names)
        held_.push_back(
            hold_field(plan_, name_of_columns(fmt::format("solver, {}", name)), geometry_, inner_));
    };
    plan_.job().string("solver", "method") == "cg" ? hold(ConjugateGradients::vectors)
                                                   : hold(Bicgstab::vectors);
  }

  // Made on the host, and copied.
  void make_source() {
    FieldSpec on_host = full_;
    on_host.location = Location::host;
    const auto source = hold_field(plan_, name_of_columns("source as made"), geometry_, on_host);
    pass_copy(plan_, geometry_, full_, geometry_, on_host);
  }

  void solve() {
    plan_.phase("solving");
    Helds held;
    if (single_) {
      for (const char* name : {"source b in single", "solution x in single"}) {
        held.push_back(hold_field(plan_, name_of_columns(name), geometry_, inner_full_));
        pass_copy(plan_, geometry_, inner_full_, geometry_, full_);
      }
    }
    if (even_odd_)
      for (const char* name : {"source, even sites", "solution, even sites"})
        held.push_back(hold_field(plan_, name_of_columns(name), geometry_, inner_));
    if (!solved_) keep_halo(precision_, "faces of spinors");
    { const Helds work = hold_workspace(plan_, columns); }
    if (single_) pass_copy(plan_, geometry_, full_, geometry_, inner_full_);

    plan_.phase("checking the residual");
    held.push_back(hold_field(plan_, name_of_columns("check, M x"), geometry_, full_));
    held.push_back(hold_field(plan_, name_of_columns("check, r"), geometry_, full_));
    if (single_ && !solved_) keep_halo(Precision::double_precision, "faces of spinors in double");
    solved_ = true;
    const Helds work = hold_workspace(plan_, columns), norms = hold_workspace(plan_, columns);
  }

  void write() {
    if (plan_.job().string("output", "propagators") == "none") return;
    plan_.phase("writing a propagator");
    FieldSpec on_host = full_;
    on_host.location = Location::host;
    Plan::Held copied;
    if (plan_.location() == Location::device) {
      copied = hold_field(plan_, name_of_columns("solution as written"), geometry_, on_host);
      pass_copy(plan_, geometry_, on_host, geometry_, full_);
    }
    pass_site_file(plan_, record_bytes(Precision::double_precision), {});
  }

  Plan& plan_;
  const Geometry& geometry_;
  CorrelatorPlan correlators_;
  bool smears_source_, smears_sink_;
  bool single_, even_odd_, solved_ = false;
  Precision precision_;
  FieldSpec links_, full_, inner_full_,
      inner_;  // double; x and b; the same in the solver's precision; what it iterates
  Helds held_;
};

void plan_messages(Plan& plan) {
  const bool single = plan.job().string("solver", "precision") == "single";
  const HaloFaces faces(
      *plan.geometry(),
      {12, columns, single ? Precision::single_precision : Precision::double_precision, plan.location()});
  for (int mu = 0; mu < 4; ++mu)
    if (plan.geometry()->partitioned(mu))  // two hopping terms, two sides
      plan.sends({fmt::format("an application of the operator to {} columns", columns), mu, 4,
                  faces.message_bytes[static_cast<std::size_t>(2 * mu)]});
}

void plan_files(Plan& plan, std::uint64_t fields, int sources, const std::vector<std::string>& propagators) {
  const JobFile& job = plan.job();
  const Extents& extents = plan.geometry()->global();
  const CorrelatorPlan correlators(job);
  const std::uint64_t solves = static_cast<std::uint64_t>(sources) * columns * 16;  // residual, iterations
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
  expect_ensemble(plan, files_of_propagators(job, input, sources.count()), input, sources.count(),
                  propagators);
  PropagatorPlan(plan).run();
  plan_messages(plan);
  plan_files(plan, input.files.size(), sources.count(), propagators);
  plan.note(fmt::format("{} gauge field{}, one after the other.", input.files.size(),
                        input.files.size() == 1 ? "" : "s"));
}

}  // namespace plaq::jobs
