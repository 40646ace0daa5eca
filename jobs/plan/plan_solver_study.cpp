// The plan of a solver study (jobs/solver_study/solver_study.cpp).
#include <fmt/format.h>

#include "jobs/dirac/action_keys.hpp"
#include "jobs/plan/plan_dirac.hpp"
#include "jobs/solver_study/study_spec.hpp"

namespace plaq::jobs {
namespace {

class StudyPlan {
 public:
  StudyPlan(Plan& plan, const StudySpec& spec)
      : plan_(plan),
        spec_(spec),
        geometry_(*plan.geometry()),
        extended_(geometry_.extended(1)),
        links_(gauge_spec(Precision::double_precision, plan.location())),
        full_(full_spec(spec.masses.front(), spec.batch, plan.location())) {}

  void run(bool many_fields) {
    keep_tables(plan_, *extended_, Precision::double_precision);
    const Helds fields = hold_fields();
    const auto links = load();
    study();
    if (many_fields) const auto next = load();  // beside the links of the one before
  }

 private:
  Helds hold_fields() {
    Helds held;
    for (const char* name : {"source b", "solution x"})
      held.push_back(hold_field(plan_, name_of_columns(name, spec_.batch), geometry_, full_));
    return held;
  }

  Plan::Held load() {
    const auto gauge = plan_load_gauge(plan_);
    auto links = hold_field(plan_, "gauge field", geometry_, links_);
    pass_copy(plan_, geometry_, links_, *extended_, links_);
    return links;
  }

  // All masses are alike.
  void study() {
    Helds clover;
    ActionParameters parameters = spec_.masses.front();
    if (auto* wall = std::get_if<DomainWallChoice>(&parameters); wall != nullptr && wall->measures_bounds()) {
      pass_measuring_bounds(plan_, geometry_, links_);
      wall->bounds = {0.1, 1.0};  // any
    }
    for (const SolverSpec& solver : spec_.solvers) {
      DiracPlan dirac(plan_, parameters, solver, spec_.batch);
      const bool first = &solver == &spec_.solvers.front();
      const auto* wilson = std::get_if<WilsonParameters>(&parameters);
      if (first && wilson != nullptr && wilson->has_clover()) {
        plan_.phase("making the clover field");
        clover = dirac.hold_clover_field("clover field");
      }
      dirac.make(&clover);
      if (first || spec_.batches() > 1) make_source();
      dirac.solve();
      if (&solver == &spec_.solvers[spec_.baseline]) dirac.send_messages();
    }
  }

  // Made on the host, and copied.
  void make_source() {
    plan_.phase("making the source");
    FieldSpec on_host = full_;
    on_host.location = Location::host;
    const auto source = hold_field(plan_, name_of_columns("source as made", spec_.batch), geometry_, on_host);
    pass_copy(plan_, geometry_, full_, geometry_, on_host);
  }

  Plan& plan_;
  const StudySpec& spec_;
  const Geometry& geometry_;
  GeometryPtr extended_;
  FieldSpec links_, full_;
};

void plan_files(Plan& plan, const StudySpec& spec, std::uint64_t fields) {
  constexpr std::uint64_t datasets = 11, attributes = 1500;  // of all datasets together
  const JobFile& job = plan.job();
  const std::uint64_t solvers = spec.solvers.size(), masses = spec.masses.size();
  const auto sources = static_cast<std::uint64_t>(spec.sources),
             batches = static_cast<std::uint64_t>(spec.batches());
  const std::uint64_t numbers = 8 * solvers * (4 * sources + 6 * batches + 1);  // of a mass
  std::uint64_t names = 0;
  for (const auto& name : spec.names()) names += name.size();
  const std::string output = job.string("output", "file");
  plan.writes({output, about_result_file_bytes(job) + 2900 + 2 * names + 100 * solvers +
                           datasets * about_dataset_bytes(attributes / datasets) +
                           fields * (1100 + masses * numbers)});
  plan.writes(planned_journal(job, output + ".journal", fields * masses * (2 * attributes + numbers)));
}

}  // namespace

void plan_solver_study(Plan& plan) {
  const JobFile& job = plan.job();
  const EnsembleInput input = planned_ensemble(plan);
  const StudySpec spec(job);
  const std::size_t files = input.files.size(), masses = spec.masses.size(), solvers = spec.solvers.size();
  plan.split(input.extents, least_slices(plan.job()));
  expect_ensemble(plan, files_of_ensemble(job, input), input, "mass", static_cast<int>(masses), {});
  StudyPlan(plan, spec).run(files > 1);
  plan_files(plan, spec, files);
  plan.note(fmt::format(
      "{} gauge field{}, {} mass{} and {} solver{}, one after the other: {} solves of {} "
      "right-hand side{} at once.",
      files, files == 1 ? "" : "s", masses, masses == 1 ? "" : "es", solvers, solvers == 1 ? "" : "s",
      files * masses * solvers * static_cast<std::size_t>(spec.batches() * spec.repeats), spec.batch,
      spec.batch == 1 ? "" : "s"));
}

}  // namespace plaq::jobs
