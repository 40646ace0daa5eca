// The Dirac solvers of a propagator job on one of its gauge fields: at its one mass, or at each of many.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "jobs/dirac/dirac_system.hpp"
#include "jobs/dirac/shifted_masses.hpp"

namespace plaq::jobs {

// Of many masses multigrid is set up at the first one and shifted to the others, whatever was solved before: a source has
// the same bits wherever a job goes on. Without multigrid the operators of all masses are there together; where
// ShiftedMasses can, all masses are solved in one Krylov space, and each is then measured, and polished where it misses
// its tolerance, by a solver of its own.
class DiracSystems {
 public:
  // From the tables [action] and [solver]; `links`: action_links() of the field. `setup` as of DiracSystem, `solves`: of
  // all columns, at each mass.
  DiracSystems(const JobContext& context, const Background& links, const SetupPaths& setup, int solves);

  std::size_t masses() const { return actions_.size(); }
  // Of a job with one mass.
  DiracSystem& only() { return *systems_.front(); }
  int columns() const { return actions_.front()->columns(); }
  FieldSpec quark_spec() const;
  const std::optional<SpectralBounds>& measured_bounds() const;

  // Called at each mass when its solve is done, with its solver.
  using AfterSolve = std::function<void(std::size_t mass, const DiracSystem& system)>;
  // Collective. The quark fields of all columns at every mass, in the order of the job, as DiracSystem::solve. `midpoint`:
  // of one mass.
  std::vector<ColumnReport> solve(std::vector<Field>& quarks, const DiracSystem::FillSource& fill,
                                  const std::string& file, Field* midpoint, const AfterSolve& after);

 private:
  MadeMultigrid set_up() const;
  void solve_with_multigrid(std::vector<Field>& quarks, const DiracSystem::FillSource& fill,
                            const std::string& file, const AfterSolve& after,
                            std::vector<ColumnReport>& reports);
  std::vector<std::vector<std::int64_t>> guess(std::vector<Field>& quarks,
                                               const DiracSystem::FillSource& fill);

  const JobContext& context_;
  SetupPaths setup_;
  int solves_;
  std::vector<ActionParameters> actions_;
  std::optional<SpectralBounds> bounds_;               // of many masses, where they are measured
  std::vector<std::unique_ptr<DiracSystem>> systems_;  // of each mass; none where they share multigrid
  std::unique_ptr<ShiftedMasses> shifted_;             // null where each mass is solved alone
  std::optional<Background> links_;                    // of what is made again
  MadeMultigrid made_;
};

}  // namespace plaq::jobs
