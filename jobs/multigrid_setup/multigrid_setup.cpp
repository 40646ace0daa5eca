// Job type multigrid_setup: on each gauge field a setup of multigrid, in a file of its own
// (quarks/multigrid/setup_file.hpp). One that is there is gone on from, refreshed, or looked
// at, as in any other job. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /action              attributes: what it was set up for
//   /setups/...          [configuration] lattices, vectors, rounds, reduction, smoothing_steps,
//                        coarse_tolerance; [configuration][check] check_value,
//                          check_limit; attribute checks: their names
//   /gauge/000000, ...   one group a field: file, checksum, plaquette, link_trace, setup, and
//                        reductions, before the first round and after each
#include <fmt/format.h>

#include <utility>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "jobs/dirac/multigrid_memory.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "quarks/solve/system_solver.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_table.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

Table solves() {
  return {"solver",
          "The solves for which setups are made.",
          {field(&SolverSettings::tolerance, "tolerance",
                 "True residual of these solves. Setup iterations continue as long as they save more time in "
                 "such solves than they cost.")
               .between(0, 1),
           field(&MultigridOptions::solves, "solves",
                 "Number of right-hand sides that will use a setup. A larger number pays for more setup "
                 "iterations and for a choice of `smoothing_steps` and `coarse_tolerance`.")
               .at_least(1),
           field(&SolverSettings::inner, &InnerStorage::reconstruction, "inner_links",
                 "Stored real numbers per link of the finest lattice: 18 or 12. 12 needs links that are in "
                 "SU(3) to single precision.")
               .within(12, 18)}};
}

void check_links(Problems& problems, const SolverSettings& spec) {
  if (spec.inner.reconstruction != 18 && spec.inner.reconstruction != 12)
    problems.add("solver.inner_links", fmt::format("found {}, must be 18 or 12", spec.inner.reconstruction));
}

void check_quarks(Problems& problems, const Settings& settings) {
  const std::string none = action_of_any_mass(settings)->no_multigrid();
  if (!none.empty()) problems.add("action.n_s", none);
}

const Schema& multigrid_setup_schema() {
  static const Schema schema{
      "multigrid_setup",
      "Compute multigrid setups on one or more gauge fields, and keep them for jobs that solve.",
      {top_table("multigrid_setup"), lattice_table(LatticeFrom::file), gauge_files_table("of setup"),
       action_table(MassKeys::one, multigrid_quarks()), action_smearing_table(), solves(),
       multigrid_table(setup_keys(SetupsKept::always)),
       output_table("HDF5 file for the quality of the setups.", "\"setups.h5\""), comms_table(), run_table(),
       slurm_table()},
      joined<Rule>({common_rules(),
                    action_rules(MassKeys::one, multigrid_quarks()),
                    multigrid_rules(),
                    {action_smearing_rule(),
                     setup_rule(),
                     {{"action.type", "action.n_s"},
                      "Multigrid of domain walls needs Pauli-Villars quarks with an even-odd form.",
                      check_quarks},
                     {{"solver.inner_links"}, "A link must have 18 or 12 real numbers.", check_links}}})};
  return schema;
}

SolverSettings spec_of(const JobFile& job, Location location) {
  auto settings = job.get<SolverSettings>();
  settings.scheme = MixedScheme::none;  // nothing is solved
  settings.fallback = false;
  return resolved(with_multigrid(settings, job.get<MultigridOptions>()), *action_parameters(job), location);
}

void add_checks(Results& results, const std::vector<SelfCheck>& checks) {
  std::vector<std::string> names;
  std::vector<double> values, limits;
  for (const SelfCheck& check : checks) {
    names.push_back(fmt::format("level {}: {}", check.level, check.what));
    values.push_back(check.value);
    limits.push_back(check.limit);
  }
  const auto add = [&](const char* path, std::vector<double> numbers, const char* meaning) {
    Attributes a = described({"check"}, "1", meaning);
    a.emplace_back("checks", names);
    results.dataset(path, {names.size()}, std::move(numbers), a);
  };
  add("/setups/check_value", values, "relative difference of what should be equal, on random vectors");
  add("/setups/check_limit", limits, "what rounding may make of it");
}

Results results_of(const LoadedGauge& gauge, const DiracMultigrid& multigrid, const std::string& setup) {
  const SetupReport& report = multigrid.report();
  Results results;
  Attributes of_gauge = attributes_of(gauge);
  of_gauge.emplace_back("setup", setup);
  of_gauge.emplace_back("reductions", report.reductions);
  results.numbered_group("/gauge", of_gauge);
  const auto add = [&](const char* path, std::int64_t number, const char* meaning) {
    results.dataset(path, {}, std::vector{number}, described({}, "1", meaning));
  };
  const std::vector<LevelSettings>& levels = multigrid.settings().levels;
  add("/setups/lattices", static_cast<std::int64_t>(levels.size()), "coarse lattices");
  add("/setups/vectors", levels.front().made(), "near-null vectors of the finest lattice");
  add("/setups/rounds", report.rounds, "rounds that they have been through");
  results.dataset("/setups/reduction", {}, std::vector<double>{report.kept.reduction},
                  described({}, "1", "of a residual, by an iteration"));
  const CycleParameters cycle = finest_cycle(report);
  add("/setups/smoothing_steps", cycle.smoothing_steps, "on the finest lattice, behind a coarse correction");
  results.dataset("/setups/coarse_tolerance", {}, std::vector{cycle.coarse_tolerance},
                  described({}, "1", "of the coarse solves below it, of their residual"));
  add_checks(results, report.checks);
  return results;
}

Results set_up(const JobContext& context, const EnsembleInput& input, LoadedGauge& gauge) {
  const FermionLinks links = fermion_links(context, gauge.field, context.job.get<ActionSmearing>());
  gauge.field = {};
  const SolverSettings spec = spec_of(context.job, context.location());
  const SetupPaths paths = setup_paths(context.job, input.files, gauge.report.info.path);
  const SystemSolver solver(links, action_parameters(context.job), spec, 1, nullptr, paths);
  return results_of(gauge, *solver.multigrid(), paths.own);
}

class MultigridSetupJob : public EnsembleJob {
 public:
  using EnsembleJob::EnsembleJob;

 private:
  JobFiles files() const override {
    JobFiles files = EnsembleJob::files();
    add_setups(files.paths, job(), input().files);
    return files;
  }
  void check_outputs(const std::vector<std::string>& /*gauge_files*/, bool /*ours*/) const override {
    check_setup_outputs(job(), input().files);
  }
  void prepare() override {
    expect_room_for_multigrid(context(), action_parameters(job()), spec_of(job(), context().location()), 0);
  }
  bool holds(const std::string& gauge_file, int /*part*/) const override {
    return are_there({setup_paths(job(), input().files, gauge_file).own});
  }
  Results compute(LoadedGauge& gauge, int /*part*/) override { return set_up(context(), input(), gauge); }
  void describe(OutputFile& out) const override { out.group("/action", smeared_action_attributes(job())); }
};

}  // namespace

extern constinit const JobType multigrid_setup_job{
    .name = "multigrid_setup",
    .schema = multigrid_setup_schema,
    .run = run_as<MultigridSetupJob>,
    .written_files = [](const JobFile& job,
                        const std::string& gauge_file) { return setup_names(job, {gauge_file}); },
    .written_directory = "multigrid.directory"};

}  // namespace plaq::jobs
