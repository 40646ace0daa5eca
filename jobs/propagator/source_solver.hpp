// The solvers of a propagator job on one gauge field, with the smearing and the derivative of its sources:
// they make the quark fields that the job's observables look at.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/propagator/propagator.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/propagator/quark_source.hpp"
#include "jobs/propagator/source_columns.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

class SourceSolver {
 public:
  // The job's sources on a gauge field, and the wishes of its observables.
  struct Work {
    const QuarkSources& sources;
    QuarkNeeds needs;
    double solved_sources;  // an approximate one counts as what it takes
    int together;           // columns that are solved together
    const std::vector<std::string>& gauge_files;
  };
  // Collective. `gauge` loses its links.
  SourceSolver(const JobContext& context, LoadedGauge& gauge, const Work& work);

  struct Solved {
    SourceQuarks quarks;
    std::vector<ColumnReport> reports;        // by mass
    std::vector<MultigridNumbers> multigrid;  // by mass, of solves to the tolerance with multigrid
  };
  // Collective. The quark fields from source k. Lets go of the source, with the columns of a file.
  Solved solve(const LoadedGauge& gauge, int k, SourcePtr source) const;
  // Collective. The same to an approximation, at one mass; `how` outlives what it returns.
  Solved approximate(const LoadedGauge& gauge, int k, const Source& source, const Approximation& how) const;

  // Null where nothing is smeared.
  QuarkSmearing* smearing() const { return smearing_.get(); }
  const MultiMassSolver& solver() const { return *solver_; }

 private:
  FermionLinks links_of_action(const Field& extended) const;
  SourceQuarks empty_quarks(const LoadedGauge& gauge, int k, const Source& source) const;
  SourceColumns columns_of(const Source& source) const;
  PropagatorSolver::FillSource fill(const SourceColumns& columns, SourceQuarks& quarks) const;

  const JobContext& context_;
  QuarkNeeds needs_;
  std::string summed_;  // SourceQuarks::summed
  bool smears_source_;
  int columns_;  // of a quark field
  std::unique_ptr<MultiMassSolver> solver_;
  std::unique_ptr<PropagatorSolver> backwards_;  // of the walls read backwards, where currents need it
  std::unique_ptr<QuarkSmearing> smearing_;
  std::optional<QuarkDerivative> derivative_;
};

}  // namespace plaq::jobs
