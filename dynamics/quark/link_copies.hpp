// Copies of the links that quarks act on, in double precision and without halo.
#pragma once

#include "comms/start/shared_lattice.hpp"
#include "core/field/version_of.hpp"

namespace plaq {

/// Quarks on the same links share this object, so that there is one copy of them.
class LinkCopies {
 public:
  explicit LinkCopies(const SharedLattice& lattice) : lattice_(lattice) {}

  /// Takes links, unless it has them, in the place of what was here. Waits for the queue.
  /// @param links        of the chain
  /// @param hops         links of the hops, which follow from them
  /// @param thin_clover  true: the clover term has the links of the chain
  void take(const Field& links, const Field& hops, bool thin_clover);

  /// True if the copies are those of these links of the chain.
  bool has(const Field& links) const { return hops_ && version_.is_of(links); }

  const Field& hops() const { return hops_; }
  const Field& clover() const { return clover_ ? clover_ : hops_; }
  /// Links of the clover term where they are others; no field otherwise.
  const Field& thin() const { return clover_; }

 private:
  void copy_to(Field& to, const Field& from);

  SharedLattice lattice_;
  Field hops_, clover_;
  VersionOf version_;  // of the links of the chain
};

}  // namespace plaq
