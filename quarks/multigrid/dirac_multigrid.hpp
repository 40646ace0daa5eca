// Multigrid as a preconditioner of a Dirac matrix: where its setup is found
// and kept, and which ranks have it.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "multigrid/hierarchy/level_operators.hpp"
#include "multigrid/levels/redistributed_solver.hpp"
#include "multigrid/multigrid.hpp"
#include "quarks/multigrid/multigrid_options.hpp"
#include "quarks/operator/dirac_matrix.hpp"

namespace plaq {

// A Dirac matrix M as the finest lattice of multigrid. A twisted mass is the twist() of its even-odd forms,
// and coarse operators are made of M without it.
class DiracLevel final : public LevelOperators {
 public:
  /// For an action that has_multigrid(). Links are in the gauge of the field. The matrix must outlive this
  /// object. Collective.
  /// @param storage  of the operator that is solved and from which coarse operators are made, in single
  /// precision
  /// @param cycles   of the operator that cycles smooth with
  DiracLevel(DiracMatrix& matrix, const LinkStorage& storage, const LinkStorage& cycles);

  const ProcessGrid& grid() const override { return *matrix_.links().grid; }
  const std::shared_ptr<Transport>& transport() const override { return matrix_.links().transport; }
  Twist twist() const override { return twist_of(0, 1); }
  StencilOperator& full() override { return *full_; }
  std::unique_ptr<SchurOperator> reduced(int batch) override { return reduced(batch, 0, 1); }
  std::unique_ptr<SchurOperator> smoothed(int batch) override { return smoothed(batch, 0, 1); }
  /// True where coarse operators are made of a product, since the spectrum of M itself lies around 0. Its
  /// other factor has a mass of its own.
  bool is_around_zero() const override { return full_->chiralities() == 1; }
  bool shifts_with_mass() const override { return !is_around_zero(); }

  /// For quarks with a twisted mass mu: of the flavour 1 or -1 of their doublet, with the twist nu on even
  /// sites besides (WilsonSchur::set_twist).
  std::unique_ptr<SchurOperator> reduced(int batch, double nu, int flavour);
  std::unique_ptr<SchurOperator> smoothed(int batch, double nu, int flavour);
  /// flavour mu + nu on even sites, flavour mu on odd ones.
  Twist twist_of(double nu, int flavour) const;

 private:
  std::unique_ptr<SchurOperator> form_of(HoppingTerm& term, int batch, double nu, int flavour) const;

  DiracMatrix& matrix_;
  std::unique_ptr<HoppingTerm> term_, cycle_term_;  // the second where it is another one
  std::unique_ptr<StencilOperator> full_;
  double twisted_mass_ = 0;
};

/// Settings of multigrid for quarks of an action on a lattice of these extents at this location. `settings`
/// have multigrid.
MultigridSettings multigrid_settings(const SolverSettings& settings, const Action& action,
                                     const Extents& lattice, Location location);

/// The last setup of an operator whose links change, from which the next one begins.
struct SetupMemory {
  Field vectors;         // near-null vectors on ranks that have a part of multigrid; none: noise
  SetupReport report;    // of the setup that they are of
  double reduction = 0;  // of a residual by an iteration when they were made of noise; 0: they were not yet
  bool is_finished = false;                                 // no round is made of the vectors
  std::shared_ptr<const Agglomeration> agglomeration = {};  // of the last setup; null: it was on all ranks

  /// Even sites of the vectors on a geometry of all ranks, in single precision; empty if there are none: from
  /// them the next setup is to the bit what it is from these vectors. Collective.
  Field even_vectors(const GeometryPtr& geometry, const ProcessGrid& grid, const Queue& queue) const;
  /// To begin with the vectors, and to keep those of a setup.
  SetupStart start() const;
  MultigridSetup::AfterRound keep();
  Field restored = {};  // even_vectors() that the next setup begins with, in place of `vectors`
};

class DiracMultigrid final : public ResidualInverse {
 public:
  /// Sets multigrid up for an action that has_multigrid(), or takes the setup from its file
  /// (quarks/multigrid/setup_file.hpp). It is on all ranks if the blocks of the finest lattice divide the
  /// sites of a rank. Else it is on fewer ranks, and a warning says so, with operators on copies of the
  /// links; the bits are the same. The matrix must outlive this object. Collective.
  /// Throws as Multigrid and SetupFile do.
  DiracMultigrid(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
                 const SetupPaths& setup);

  /// Begins with the vectors of `memory`, which are refreshed if an iteration leaves more than 1.2 times what
  /// it left of a residual when they were made (multigrid/setup/setup.hpp). Keeps the vectors there.
  /// Collective.
  DiracMultigrid(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
                 SetupMemory& memory);

  /// Moves to the matrix at another mass on the same links, `change` above the mass of the setup
  /// (Multigrid::shift_mass). The matrix before may be destroyed after release_matrix(), which must be
  /// followed by this call. Collective.
  void shift_mass(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
                  double change);
  void release_matrix();
  /// Moves to the matrix on links nearby, as shift_mass() moves to another mass. Coarse lattices stay those
  /// of the links that they were made of, so that iterations become more the further the links have gone.
  /// Collective.
  void follow(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings);
  /// Moves as follow() does, and makes coarse lattices for these links by a round of the vectors of their
  /// setup with the cycles until then, or more rounds (MultigridSetup::renew). Keeps the vectors in `memory`.
  void renew(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
             SetupMemory& memory);

  /// Applications from then on are an approximate inverse of S + i nu gamma5; 0: of S (Multigrid::set_twist).
  /// S of twisted-mass quarks is that of a flavour of their doublet, 1 for the one that was set up, or -1.
  /// Collective. Throws Error(not_converged) on every rank where a coarse matrix is singular.
  void set_twist(double nu, int flavour = 1);

  /// It is an approximate inverse of the asymmetric even-odd form, in the precision of the
  /// vectors that the solver iterates.
  const GeometryPtr& geometry() const override { return on_all_.gauge.geometry_ptr(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return on_all_.queue; }
  Work work(int batch) const override;
  const Field* residual() const override;

  const MultigridSettings& settings() const { return settings_; }
  /// Report of the setup. Its probes, reductions and checks are known on ranks that have a
  /// part of it, as the first rank has.
  const SetupReport& report() const { return report_; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  // Sets multigrid up for an operator, on the ranks that have a part of it.
  using Make = std::function<std::unique_ptr<Multigrid>(DiracMatrix& matrix)>;
  DiracMultigrid(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
                 const Make& make, SetupMemory* memory = nullptr);
  void agglomerate(const Extents& ranks);
  void take_restored(SetupMemory& memory) const;
  void on_fewer_ranks(const ActionPtr& action, const std::function<void()>& work);
  // Moves to another matrix: move(matrix) on the ranks that have a part of multigrid.
  void move_to(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
               const std::function<void(DiracMatrix&)>& move);
  std::unique_ptr<DiracLevel> finest_of(DiracMatrix& matrix, const SolverSettings& settings);
  // For batches of one size, where it is on fewer ranks.
  struct Redistributed {
    std::unique_ptr<RedistributedSolver> solver;
    Field residual;  // where cycles know it
  };
  Redistributed& redistributed(int batch);

  FermionLinks on_all_;
  int Ls_;  // extent of the fifth dimension
  MultigridSettings settings_;
  Precision precision_;                                 // of the solver's vectors
  bool knows_residual_;                                 // cycles are in this precision
  const Redistributed* last_ = nullptr;                 // that was applied
  std::shared_ptr<const Agglomeration> agglomeration_;  // null: it is on all ranks
  std::unique_ptr<DiracMatrix> matrix_;                 // on fewer ranks
  DiracLevel* finest_ = nullptr;                        // that multigrid_ has
  std::unique_ptr<Multigrid> multigrid_;                // null on ranks without a part of it
  std::map<int, Redistributed> redistributed_;          // by batch
  double nu_ = 0;                                       // the present twist
  int flavour_ = 1;
  SetupReport report_;
};

}  // namespace plaq
