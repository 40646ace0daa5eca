// A four-dimensional lattice and how its sites are shared by ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "plaq/session.hpp"

namespace plaq {

/// Settings of a lattice. Extents (core/lattice/geometry.hpp) and coordinates of sites are four numbers for
/// x, y, z, t, coordinates from 0 on.
struct LatticeSettings {
  /// Ranks in x, y, z, t; none: the grid that exchanges least between nodes.
  std::optional<Extents> process_grid = {};
  std::string transport = "auto";  ///< of halos: "auto", "host", "device_mpi", "nccl", "peer"
  bool halo_checksums = false;     ///< every halo travels with a checksum, and a damaged one is an Error
};

/// A site of this rank: its number, from 0 on, x fastest, and its coordinates on the whole lattice.
struct LocalSite {
  int index;  ///< number on this rank
  Extents x;  ///< x, y, z, t on the whole lattice
};

/// A lattice that ranks share. Copies are cheap and mean the same lattice. All functions that take fields
/// are collective over the ranks of their lattice, unless they say that they are not.
class Lattice {
 public:
  /// Collective. Extents are even on every rank. Throws Error if no process grid suits the number of ranks,
  /// or a transport that is asked for cannot be used. The session must outlive the lattice.
  Lattice(const Session& session, const Extents& extents, const LatticeSettings& settings = {});
  /// For the classes of plaq.
  explicit Lattice(std::shared_ptr<const SharedLattice> shared) : shared_(std::move(shared)) {}

  const Extents& extents() const;  ///< of the whole lattice
  /// Extents of this rank's part.
  Extents local_extents() const;
  Extents offset() const;             ///< coordinates of this rank's first site
  std::int64_t volume() const;        ///< sites of the whole lattice
  std::int64_t local_volume() const;  ///< sites of this rank
  /// Ranks in x, y, z, t.
  Extents process_grid() const;
  int rank() const;           ///< rank of this process, from 0 on
  int ranks() const;          ///< number of ranks
  Location location() const;  ///< memory in which fields are
  /// Sites of this rank in the order of HostField.
  std::vector<LocalSite> local_sites() const;

  /// For the classes of plaq.
  const SharedLattice& shared() const { return *shared_; }
  /// True if both mean the same lattice.
  friend bool operator==(const Lattice& a, const Lattice& b) { return a.shared_ == b.shared_; }

 private:
  std::shared_ptr<const SharedLattice> shared_;
};

}  // namespace plaq
