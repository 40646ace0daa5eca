// The solvers of a study on one gauge field at one mass after the other.
#pragma once

#include <memory>
#include <vector>

#include "jobs/run/job_context.hpp"
#include "jobs/run/loaded_gauge.hpp"
#include "jobs/solver_study/study_columns.hpp"
#include "jobs/solver_study/study_spec.hpp"
#include "quarks/solve/system_solver.hpp"
#include "settings/solver/setup_keys.hpp"

namespace plaq::jobs {

class MassStudy {
 public:
  // `gauge_files`: of the study, all of them. Everything must outlive this object.
  MassStudy(const JobContext& context, const StudySpec& spec, const std::vector<std::string>& gauge_files);

  // Collective. What follows is on this field, whose links are let go of.
  void begin(LoadedGauge& gauge);
  // Collective. All solvers at mass k, one operator at a time; the results are those of rank 0, datasets of
  // /solves without the axes of configuration and mass. A stop request between two solvers throws
  // Error(stopped).
  Results operator()(const LoadedGauge& gauge, int k);

 private:
  ActionPtr action(int k) const;  // at mass k on this field
  SolverRun run_solver(int k, std::size_t number, std::shared_ptr<CloverField> clover);
  // `made`: in place of a setup, or what is made or found.
  std::unique_ptr<SystemSolver> make_solver(int k, const SolverSettings& spec,
                                            std::shared_ptr<CloverField> clover, MadeMultigrid made) const;
  MadeMultigrid made_before(int k, std::size_t number);
  void fill_source(SystemSolver& solver, int batch);
  std::vector<double> errors_of_solution() const;
  SolvedBatch timed(SystemSolver& solver);  // the same solve `repeats` times
  double slowest(double seconds) const;

  const JobContext& context_;
  const StudySpec& spec_;
  const std::vector<std::string>& gauge_files_;
  Field b_, x_;
  std::optional<FermionLinks> links_;     // of the field
  Field exact_;                           // x0, where errors are asked for
  std::optional<SpectralBounds> bounds_;  // of |H_w| on this field, where they are measured
  int filled_ = -1;                       // the batch in b_
  SetupPaths setup_;                      // of multigrid on this field
  std::vector<MadeMultigrid> made_;       // of each solver, where all masses have one setup
};

}  // namespace plaq::jobs
