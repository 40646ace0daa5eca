// Terms of the action of your own, for hybrid Monte Carlo.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plaq/gauge_field.hpp"

namespace plaq {

/// A term S of the action with its force. Derive from it for a term of your own. All functions are called on
/// all ranks. An exception must come on all ranks; it ends the trajectory, and the chain keeps its links.
class ActionTerm {
 public:
  virtual ~ActionTerm() = default;

  /// Name of the term, without spaces, different from the names of the other terms of the chain.
  virtual std::string name() const = 0;
  /// S of these links, the same number on all ranks. exact_sum() adds up numbers of sites.
  virtual double value(const GaugeField& links) = 0;
  /// Fills `force` with 3x3 matrices, `force(mu, x)` in place of links. Only their traceless antihermitian
  /// part F = (M - M^dagger)/2 - trace counts, with dP/dt = -F: under U -> exp(e T) U on all links
  ///   dS/de = -2 sum over links of tr(T F),
  /// so that S = -(beta/3) Re sum tr(U A) has the force M = (beta/6) U A.
  virtual void force(GaugeField& force, const GaugeField& links) = 0;
  /// Called before each trajectory with its links, the seed of the chain and the number of trajectories
  /// before: the place to draw pseudofermions.
  virtual void draw(const GaugeField& /*links*/, std::uint64_t /*seed*/, std::uint32_t /*trajectory*/) {}
};
/// A term that may be shared.
using ActionTermPtr = std::shared_ptr<ActionTerm>;

/// Sum of numbers of all ranks, each with any count of them: exact, rounded once, hence with the same bits on
/// any process grid. Collective.
double exact_sum(const Lattice& lattice, const std::vector<double>& numbers);

}  // namespace plaq
