// What a solve iterates and sends: of a propagator job, or of a solver study by its baseline.
#include <fmt/format.h>

#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/plan/plan_parts.hpp"
#include "jobs/solver_study/study_spec.hpp"
#include "kernels/dirac/staggered/staggered.hpp"
#include "kernels/dirac/wilson/wilson.hpp"

namespace plaq::jobs {
namespace {

struct PlannedSolve {
  ActionParameters parameters;
  SolverSpec spec;
  int columns;  // right-hand sides that are solved together
};

PlannedSolve solve_of(const Plan& plan) {
  const JobFile& job = plan.job();
  if (job.type() == "solver_study") {
    const StudySpec study(job);
    return {study.masses.front(), study.solvers[study.baseline], study.batch};
  }
  const ActionParameters parameters = action_parameters(job);
  return {parameters, solver_spec(job, plan.location()),
          columns_at_once(job, columns_of(parameters), slices_of(parameters))};
}

ModelQuarks quarks_of(const ActionParameters& parameters) {
  constexpr ModelQuarks quarks[] = {ModelQuarks::wilson, ModelQuarks::staggered, ModelQuarks::improved,
                                    ModelQuarks::domain_wall};
  return quarks[parameters.index()];
}

HaloSpec halo_of(ModelQuarks quarks, const SolverSpec& spec, int subfields, Location location) {
  const LinkStorage storage = iterated_storage(spec);
  const bool short_faces = has_short_halo(spec) && storage == spec.inner;
  if (quarks == ModelQuarks::wilson || quarks == ModelQuarks::domain_wall)
    return WilsonHopping::halo_spec(storage.precision, subfields, location, short_faces);
  return StaggeredHopping::halo_spec(storage.precision, subfields, location, quarks == ModelQuarks::improved,
                                     short_faces);
}

}  // namespace

void plan_iteration(Plan& plan) {
  const auto [parameters, spec, columns] = solve_of(plan);
  const ModelQuarks quarks = quarks_of(parameters);
  const int slices = slices_of(parameters);
  const bool even_odd = spec.preconditioning != Preconditioning::none,
             spinors = quarks == ModelQuarks::wilson || quarks == ModelQuarks::domain_wall,
             clover = quarks == ModelQuarks::wilson && std::get<WilsonParameters>(parameters).has_clover(),
             positive = even_odd && !spinors && spec.method == SolverMethod::cg;
  const HaloFaces faces(*plan.geometry(), halo_of(quarks, spec, columns * slices, plan.location()));
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (!plan.geometry()->partitioned(static_cast<int>(mu))) continue;
    // Two hopping terms, two sides: alike, but for hops of three steps.
    const std::size_t ahead = faces.message_bytes[2 * mu], behind = faces.message_bytes[2 * mu + 1];
    const std::string occasion = fmt::format("an application of the operator to {} columns", columns);
    plan.sends({occasion, static_cast<int>(mu), ahead == behind ? 4 : 2, ahead});
    if (ahead != behind) plan.sends({occasion, static_cast<int>(mu), 2, behind});
  }
  plan.iterates(
      {{even_odd ? OperatorKind::even_odd : OperatorKind::full, clover, iterated_storage(spec), columns,
        has_temporal_gauge(spec) && spinors, has_short_halo(spec), quarks, slices},
       positive ? "hermitian-cg" : std::string(solver_method_names[static_cast<std::size_t>(spec.method)]),
       spec.restart});
}

}  // namespace plaq::jobs
