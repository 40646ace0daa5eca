// Multigrid as a preconditioner of a Dirac matrix: where its setup is found and kept, and which ranks have it.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "jobs/dirac/dirac_matrix.hpp"
#include "jobs/dirac/setup_keys.hpp"
#include "multigrid/levels/moved_solver.hpp"
#include "multigrid/multigrid.hpp"

namespace plaq::jobs {

// Of a spec with multigrid, for a lattice of these extents at this location.
MultigridSettings multigrid_settings(const SolverSpec& spec, const Extents& lattice, Location location);

class DiracMultigrid final : public ResidualInverse {
 public:
  // Collective. Of an Action that has_multigrid(). It is on all ranks where the finest lattice's blocks divide the sites of a
  // rank. Else it is on fewer, which a warning says, with operators of its own on copies of the links: the same bits. The
  // matrix must outlive this object. `setup`: its files (jobs/dirac/setup_file.hpp). Throws as Multigrid and SetupFile do.
  DiracMultigrid(DiracMatrix& matrix, const ActionParameters& action, const SolverSpec& spec,
                 const SetupPaths& setup);

  // For the matrix at another mass, `change` more than that of the one that was set up, on the same links (Multigrid::shift_mass).
  // The matrix before may go ahead of it by leave_matrix(), after which nothing else may be asked. Collective.
  void shift_mass(DiracMatrix& matrix, const ActionParameters& action, const SolverSpec& spec, double change);
  void leave_matrix();

  // An approximate inverse of the asymmetric even-odd form, in the precision that the solver iterates in.
  const GeometryPtr& geometry() const override { return on_all_.gauge.geometry_ptr(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return on_all_.queue; }
  Work work(int batch) const override;
  const Field* residual() const override;

  const MultigridSettings& settings() const { return settings_; }
  // Of the setup. Its probes, reductions and checks are known on ranks that have it; the first rank does.
  const SetupReport& report() const { return report_; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  void make_on_fewer(const ActionParameters& action, const Extents& ranks, const SolverSpec& spec,
                     const SetupPaths& setup);
  void make_here(DiracMatrix& matrix, const ActionParameters& action, const SolverSpec& spec,
                 const SetupPaths& setup);
  void on_fewer(const ActionParameters& action, const std::function<void()>& work);
  // For batches of one size, where it is on fewer ranks.
  struct Moved {
    std::unique_ptr<MovedSolver> solver;
    Field residual;  // where cycles know it
  };
  Moved& moved(int batch);

  Background on_all_;
  MultigridSettings settings_;
  Precision precision_;                         // of the solver's vectors
  bool knows_residual_;                         // cycles are in this precision
  const Moved* last_ = nullptr;                 // that was applied
  std::shared_ptr<const Agglomeration> fewer_;  // null: it is on all ranks
  std::unique_ptr<DiracMatrix> matrix_;         // on fewer ranks
  std::unique_ptr<Multigrid> multigrid_;        // null on ranks without a part of it
  std::map<int, Moved> moved_;                  // by batch
  SetupReport report_;
};

}  // namespace plaq::jobs
