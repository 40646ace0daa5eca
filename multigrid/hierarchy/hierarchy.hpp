// The lattices of a multigrid preconditioner, from the finest to the coarsest, and the cycle through them.
#pragma once

#include <memory>
#include <vector>

#include "multigrid/cycle/cycle.hpp"
#include "multigrid/hierarchy/coarse_level.hpp"
#include "multigrid/hierarchy/settings.hpp"

namespace plaq {

class Hierarchy {
 public:
  // `finest` and the settings must outlive this object.
  Hierarchy(LevelOperators& finest, const MultigridSettings& settings)
      : finest_(finest), settings_(settings) {}

  // Makes all coarse lattices anew of near-null vectors of the finest one, which are spinors of chiralities: their transfer,
  // the coarse operator, and of R times the vectors, filtered, the same one level further down. Collective. Throws
  // Error(job_file) for blocks and numbers of vectors that do not fit, Error(not_converged) where the matrix of a coarse
  // site is singular.
  void build(const Field& vectors);
  // Keeps what only cycles need.
  void settle();

  int levels() const { return 1 + static_cast<int>(settings_.levels.size()); }
  LevelOperators& operators(int level) { return level == 0 ? finest_ : *below(level - 1).operators; }
  const Transfer& transfer(int level) const { return *below_[static_cast<std::size_t>(level)].transfer; }
  const LevelSettings& settings(int level) const { return settings_.levels[static_cast<std::size_t>(level)]; }

  // An approximate inverse of operators(level).smoothed(batch). It must not outlive the next build().
  std::unique_ptr<Cycle> cycle(int level, int batch);

 private:
  // The way down from a lattice, and the one that it leads to.
  struct Below {
    std::unique_ptr<Transfer> transfer;
    std::unique_ptr<CoarseLevel> operators;
  };
  Below& below(int level) { return below_[static_cast<std::size_t>(level)]; }
  Below made(int level, const Field& vectors);
  std::unique_ptr<CoarseSolver> coarse_solver(int level, int batch);

  LevelOperators& finest_;
  const MultigridSettings& settings_;
  std::vector<Below> below_;
};

}  // namespace plaq
