// Stout links of a chain: the links of its phase space, smeared step by step.
#pragma once

#include <optional>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "core/field/version_of.hpp"
#include "kernels/gauge/stout_smearer.hpp"

namespace plaq {

/// The smeared links and the chain rule for forces on them. Terms of the action that share smeared links
/// share this object: the links are smeared once after each change. It keeps the links after each step, which
/// the chain rule reads.
class SmearedLinks {
 public:
  /// @param steps  of smearing, at least 1
  SmearedLinks(const SharedLattice& lattice, const StoutSmearing& stout, int steps);

  /// The smeared links of these, on their geometry, with a filled halo. They are smeared again where they are
  /// not those of the last call. `links` are in double precision on an extended geometry, with a filled halo.
  /// Collective.
  const Field& of(const Field& links);
  /// Takes the force on of(links), and makes of it the force on `links`. Collective.
  void carry_back(Field& force, const Field& links);

 private:
  SharedLattice lattice_;
  StoutSmearing stout_;
  int steps_;
  std::optional<StoutSmearer> smearer_;  // on the geometry of the levels
  std::vector<Field> levels_;            // links after each step
  VersionOf links_version_;
};

}  // namespace plaq
