// A term of the Hamiltonian of a trajectory, H = K(P) + sum of S_i(U).
#pragma once

#include <cstdint>
#include <string>

#include "core/field/field.hpp"

namespace plaq {

class StateArchive;

/// One term S of the action, with its force. Links are in double precision on the extended geometry of the
/// chain, with a filled halo. All functions are collective, and their bits do not depend on the process grid.
class Monomial {
 public:
  virtual ~Monomial() = default;

  /// Name in histories and messages, different from those of the other terms of a chain.
  virtual std::string name() const = 0;
  /// Depth of the halo of the links that value() and force() read.
  virtual int halo_depth() const { return 1; }
  /// Draws the pseudofermions of a trajectory, if the term has any: exp(-S) at these links. They are a
  /// function of the links, the seed of the chain and the number of the trajectory.
  virtual void draw(const Field& /*links*/, std::uint64_t /*seed*/, std::uint32_t /*trajectory*/) {}
  /// S.
  virtual double value(const Field& links) = 0;
  /// F, an element of the Lie algebra for each link: dS/de = 2 sum of -tr(F T) under U -> exp(e T) U.
  /// Replaces what `force` (algebra_spec(), on the geometry of the links) held. Queued.
  virtual void force(Field& force, const Field& links) = 0;
  /// Visits what later forces depend on beside links and pseudofermions, after a drift of the links: with it
  /// a trajectory goes on to the same bits.
  virtual void remember(StateArchive& /*archive*/) {}
  /// Iterations of solves since the last call; 0 for a term without solves.
  virtual std::int64_t take_iterations() { return 0; }
};

}  // namespace plaq
