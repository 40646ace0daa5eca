// The setup of a multigrid preconditioner: near-null vectors and the coarse lattices that are made of them, improved for as
// long as that pays. It needs no parameters that depend on the gauge field.
//
//   1. Noise is filtered by a few iterations on S x = 0, or vectors are taken that were near-null elsewhere.
//   2. Coarse operators are built.
//   3. A round: v <- cycle(v), all vectors are made orthonormal, coarse operators are built again. It divides what is left of
//      low modes by their eigenvalues.
//   4. A probe tells the reduction rho of an iteration. Another round is made for as long as what it is expected to save,
//      half of what the last one saved, is more than what it costs. Times are modelled, not measured, so that the choice is
//      the same everywhere.
// Vectors are kept until there are better ones: a round that makes rho larger is undone, and is the last one.
#pragma once

#include <functional>

#include "multigrid/setup/probe.hpp"
#include "multigrid/setup/self_checks.hpp"

namespace plaq {

struct SetupReport {
  int rounds = 0;
  std::vector<ProbeResult> probes;  // of each round, the first one before any
  ProbeResult kept;                 // of what is used
  std::vector<SelfCheck> checks;    // of the lattices that are used
  double seconds = 0;
};

class MultigridSetup {
 public:
  // All must outlive this object.
  MultigridSetup(LevelOperators& finest, Hierarchy& hierarchy, const MultigridSettings& settings)
      : finest_(finest), hierarchy_(hierarchy), settings_(settings) {}

  // From noise. Throws Error(not_converged) where a self-check fails. `after_round` is told of each round that is kept, with its vectors. Collective.
  using AfterRound = std::function<void(const SetupReport& report, const Field& vectors)>;
  SetupReport run(const AfterRound& after_round = {});
  // From vectors of another field, mass or an earlier round, of which no round is made unless it pays.
  SetupReport improve(Field vectors, int rounds_before, const AfterRound& after_round = {});

  // On both parities, NearNullVectors as they are used.
  const Field& vectors() const { return vectors_; }

 private:
  void round();
  double round_seconds(const ProbeResult& now) const;
  double solve_seconds(const ProbeResult& now) const;

  LevelOperators& finest_;
  Hierarchy& hierarchy_;
  const MultigridSettings& settings_;
  Field vectors_;
};

}  // namespace plaq
