// The operator of a coarse lattice, as a hierarchy has it: one that keeps chirality, with its even-odd form
// (multigrid/hierarchy/chiral_level.hpp), or one with 33 matrices a site
// (multigrid/hierarchy/wide_level.hpp).
#pragma once

#include <memory>

#include "multigrid/coarse/coarse_operator.hpp"
#include "multigrid/hierarchy/level_operators.hpp"

namespace plaq {

class CoarseLevel : public LevelOperators {
 public:
  // Releases setup data. What was made of the level before is not affected.
  virtual void release_setup_data() = 0;
  // out = M in with the present twist.
  virtual void apply(Field& out, const Field& in) = 0;

  // From then on reduced() is of M with this twist, in place of the one before; full() stays M.
  virtual void set_twist(const Twist& twist) = 0;
  // Changes the mass by `change` from that which M was made with; `twist`: that of reduced() then. Of a level
  // that shifts_with_mass().
  virtual void shift_mass(double change, const Twist& twist) = 0;
  // Takes B of even sites (multigrid/coarse/coarse_twist.hpp), which twists that differ between the parities
  // need, in the precision of vectors.
  virtual void set_even_share(Field share) = 0;
  virtual CoarseOperator& even_share() = 0;
};

// A level from links in single or double precision, for cycles that keep them in `storage`. `twist`: the one
// that reduced() begins with, equal on both parities. Collective. Throws where the matrix of a site is
// singular.
std::unique_ptr<CoarseLevel> make_coarse_level(const ProcessGrid& grid, CoarseLinks links, Precision storage,
                                               const Queue& queue, std::shared_ptr<Transport> transport,
                                               const Twist& twist);

}  // namespace plaq
