// The geometry of a field: the whole lattice, the part of it that this rank owns, and the sets of sites that
// kernels run over. It knows ranks as plain numbers only; who talks to whom is comms' business.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/lattice/general_shape.hpp"
#include "core/lattice/lattice_shape.hpp"
#include "core/system/error.hpp"
#include "core/system/location.hpp"

namespace plaq {

using Extents = std::array<int, 4>;  ///< four numbers for x, y, z, t: extents or coordinates

/// Sites of a rank that a launch runs over.
enum class Region {
  all,       ///< every site that this rank owns
  interior,  ///< those whose eight neighbours, or all sites up to `depth` steps in one direction, it owns too
  boundary,  ///< the others
};

/// The whole lattice, the grid of ranks, and the place of this rank in it.
struct Decomposition {
  Extents global{};              ///< extents of the whole lattice
  Extents ranks{1, 1, 1, 1};     ///< ranks in x, y, z, t
  Extents position{0, 0, 0, 0};  ///< of this rank in the grid of ranks
  std::uint32_t forced = 0;      ///< bit mu: treat direction mu as split even if it is not
};

std::string to_string(const Extents& e);  ///< "8x8x8x16"

/// Order of stored sites: by the parity of their global coordinates, or all as one set, which is parity 0.
enum class LatticeOrder { checkerboard, lexicographic };
/// The checkerboard where the lattice has one: where all global extents are even.
LatticeOrder lattice_order_for(const Extents& global);

class HostNeighborTable;
struct FusedShape;
struct FusedView;

/// A set of sites for a launch. Device: a list of indices, or none for all in order.
/// Host: one bit a site in words of 64, or none for all.
struct RegionSites {
  const int* list = nullptr;             ///< indices of sites on a device; null: all in order
  const std::uint64_t* masks = nullptr;  ///< one bit a site on the host; null: all
  int count = 0;                         ///< sites in the region
  int span = 0;                          ///< launch range: list entries (device with list), else stored sites
};

/// The sites of one rank: where they are in the whole lattice, how they are numbered, and which are at its
/// edges.
class Geometry : public std::enable_shared_from_this<Geometry> {
 public:
  /// Throws Error(job_file) unless every local extent is even and at least 2.
  static std::shared_ptr<const Geometry> create(const Decomposition& decomposition);
  /// Any local extents from 1 up. Throws Error(job_file) unless ranks divide global extents, and global
  /// extents are even where a checkerboard is asked for.
  static std::shared_ptr<const Geometry> create_general(const Decomposition& decomposition,
                                                        LatticeOrder order);
  /// This lattice with `depth` extra slices on both sides of each partitioned direction.
  std::shared_ptr<const Geometry> extended(int depth) const;
  ~Geometry();

  /// The decomposition that it was made of.
  const Decomposition& decomposition() const { return decomposition_; }
  const Extents& global() const { return decomposition_.global; }  ///< extents of the whole lattice
  const Extents& local() const { return local_; }  ///< extents of this rank's part, without halo
  Extents offset() const;                          ///< global coordinates of the first owned site
  std::int64_t global_volume() const;              ///< sites of the whole lattice
  std::int64_t local_volume() const;               ///< sites that this rank owns
  int halo_depth() const { return halo_depth_; }   ///< slices on either side of split directions
  /// True if the direction is split over ranks.
  bool partitioned(int mu) const { return general_.is_partitioned(mu); }
  bool any_partitioned() const { return general_.partitioned != 0; }  ///< true if any direction is split
  LatticeOrder order() const { return order_; }                       ///< how sites are stored
  int parities() const { return general_.parities(); }                ///< 2 with a checkerboard, else 1
  /// Numbers of sites and faces, for every geometry.
  const GeneralShape& general_shape() const { return general_; }
  /// True for a checkerboard of even local extents.
  bool has_lattice_shape() const { return even_; }
  /// Numbers of general_shape() for a checkerboard of even local extents, faster; an internal error for
  /// others.
  const LatticeShape& shape() const {
    require(even_, "a lattice of even extents with a checkerboard is needed here");
    return shape_;
  }

  /// The sites of a parity in a region, for launches at a location. `depth` is that of Region::interior.
  /// @param region  all sites, the interior or the boundary
  /// @param parity  0 or 1
  /// @param location  host or device
  /// @param depth  steps that the interior is away from other ranks' sites
  RegionSites region(Region region, int parity, Location location, int depth = 1) const;
  /// Memory of the lists or masks of all parities, made at the first call of region().
  std::size_t region_bytes(Region region, Location location, int depth = 1) const;
  /// Order of sites in a fused launch on a device (core/lattice/fused_order.hpp); made at the first call.
  FusedView fused_order(int parity, const FusedShape& fused, int depth = 1) const;
  /// Indices of the sites `distance` steps away (1 or 3) from groups of `width` sites on the host; built at
  /// the first call.
  const HostNeighborTable& host_neighbors(int width, int distance = 1) const;

 private:
  Geometry(const Decomposition& decomposition, LatticeOrder order, int step, int halo_depth);
  void fill_box(LatticeBox& box) const;
  bool listed(Region region) const;  // not all stored sites, nor none of them
  struct Caches;

  Decomposition decomposition_;
  Extents local_{};
  int halo_depth_ = 0;
  LatticeOrder order_;
  bool even_ = false;
  GeneralShape general_;
  LatticeShape shape_;
  std::unique_ptr<Caches> caches_;
};

/// A geometry that fields share.
using GeometryPtr = std::shared_ptr<const Geometry>;

/// "1x1x2x4" (also with commas); empty when it is not four numbers from 1 to 4096.
std::optional<std::array<int, 4>> parse_four(const std::string& text);
/// "32x32x32x64" (also with commas); empty when it is not four even extents of at least 2.
std::optional<std::array<int, 4>> parse_lattice(const std::string& text);

}  // namespace plaq
