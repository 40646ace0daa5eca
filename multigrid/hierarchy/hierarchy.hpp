// The lattices of a multigrid preconditioner, from the finest to the coarsest, and the cycle through them.
//
// A coarse lattice may be on fewer ranks than the one above it, or at another location (multigrid/levels/).
// It is on fewer if it has too few sites a rank, or if its own blocks would not lie on one rank each. The
// data of it, and of all coarser lattices, are on its ranks alone.
#pragma once

#include <complex>
#include <map>
#include <memory>
#include <vector>

#include "multigrid/bottom/operator_inverse.hpp"
#include "multigrid/cycle/cycle.hpp"
#include "multigrid/hierarchy/coarse_level.hpp"
#include "multigrid/levels/agglomeration.hpp"
#include "multigrid/settings.hpp"

namespace plaq {

class Hierarchy {
 public:
  // `finest` and the settings must outlive this object.
  Hierarchy(LevelOperators& finest, const MultigridSettings& settings);

  // Makes all coarse lattices again of near-null vectors of the finest one, which are spinors of two
  // chiralities: their transfer, the coarse operator, and of R times the vectors, filtered, the same one
  // level further down. Then what smooths. A twist of the finest operators, equal on both parities, is one of
  // the coarse ones. Collective. Throws Error(job_file) for blocks and numbers of
  // vectors that do not fit, Error(not_converged) where a coarse matrix is singular.
  void build(const Field& vectors);
  // Sets the parameters of cycles of each lattice but the coarsest; at first they are those of the settings.
  // If there are coarse lattices, smoothers are made again, as build() would make them. Collective.
  void use(const std::vector<CycleParameters>& cycles);
  const std::vector<CycleParameters>& cycles() const { return cycles_; }
  // Releases setup data: only what cycles need is kept.
  void release_setup_data();
  // `finest` takes the place of the finest operator. Its mass is more by `change` than that of the one that
  // all was built of, whatever changes there were since. It must outlive this object. Transfers stay, coarse
  // operators change as CoarseLevel::shift_mass says, or are made again where the level above does not
  // shifts_with_mass(); what smooths and the solve of the coarsest lattice are made again. Collective; throws
  // where a coarse matrix is singular.
  void shift_mass(LevelOperators& finest, double change);
  // `finest` takes the place of the finest operator, which it is on links nearby. All coarse lattices, and
  // what smooths, stay those of the links that they were made of. It must outlive this object. Collective;
  // throws where a coarse matrix is singular.
  void follow(LevelOperators& finest);
  // `finest` takes the place of the finest operator, M + i gamma5 (mu_e Pi_e + mu_o Pi_o) for the M that all
  // was built of, whatever twist there was since; its full() must be as it was. It must outlive this object.
  // Coarse operators change as CoarseLevel::set_twist says, and the coarsest lattice is solved accordingly;
  // transfers and what smooths stay. What belongs to a twist is made once. Cycles that were made for another
  // twist remain good. Collective; throws where a coarse matrix is singular.
  void set_twist(LevelOperators& finest, const Twist& twist);

  int levels() const { return 1 + static_cast<int>(settings_.levels.size()); }
  const LevelSettings& settings(int level) const { return settings_.levels[static_cast<std::size_t>(level)]; }
  bool is_last(int level) const { return level + 1 == levels(); }

  LevelOperators& operators(int level) { return level == 0 ? *finest_ : coarse_operators(level); }
  // `level` is not that of the finest lattice.
  CoarseLevel& coarse_operators(int level) { return *coarser_lattice(level - 1).operators; }
  const Transfer& transfer(int level) const { return *coarser_[static_cast<std::size_t>(level)].transfer; }
  // Agglomeration of the lattice below `level`; null: it is on the same ranks at the same location.
  const Agglomeration* agglomeration(int level) const {
    return coarser_[static_cast<std::size_t>(level)].agglomeration.get();
  }

  // An approximate inverse of operators(level).smoothed(batch), without smoothing or with it. It must not
  // outlive the next build().
  std::unique_ptr<Cycle> cycle(int level, int batch, bool with_smoother = true);

 private:
  // One coarse level, and the transfer to it from the level above.
  struct CoarserLattice {
    std::unique_ptr<Transfer> transfer;
    std::shared_ptr<const Agglomeration> agglomeration;
    std::unique_ptr<CoarseLevel> operators;   // null on ranks without a part
    std::vector<std::complex<double>> roots;  // of the polynomial that smooths the upper one; none: MR
    int iterations = 0;                       // that coarse solves of the lower one need
    // Inverses of the lower one with each twist, where it is the last.
    std::map<Twist, std::shared_ptr<const OperatorInverse>> bottoms;
  };
  CoarserLattice& coarser_lattice(int level) { return coarser_[static_cast<std::size_t>(level)]; }

  void build_coarser(int level, const Field& vectors);
  void make_coarse(int level, const Field& vectors);
  void make_coarse_operators(int level);
  Extents ranks_of(int level, const Extents& above, const Extents& global) const;
  void continue_on(int level, Field vectors);
  void make_bottom(int level);
  void shift_coarser(int level, double change, bool same_mass);
  template <class Task>
  void below(int level, const Task& task);
  void make_even_shares(int level);
  void twist_coarser(int level);
  void fit_smoothers(int level);
  void fit_smoother(int level);
  const CycleParameters& parameters(int level) const { return cycles_[static_cast<std::size_t>(level)]; }
  std::unique_ptr<CoarseSolver> coarse_solver(int level, int batch);
  std::unique_ptr<CoarseSolver> solver_there(int level, int batch);

  LevelOperators* finest_;
  const MultigridSettings& settings_;
  std::vector<CycleParameters> cycles_;
  std::vector<CoarserLattice> coarser_;
  bool setup_released_ = false;
  double change_ = 0;  // of the mass for which coarse operators are there; NaN: they are of other links
  Twist twist_;
  bool has_even_shares_ = false;
};

}  // namespace plaq
