// A coarse lattice that moves to a smaller process grid, because a rank would have too few of its sites: each
// of some ranks takes the sites of a box of ranks, itself among them.
//
//   Agglomeration few(grid, coarse_geometry, ranks_for_level(grid.ranks(), coarse_geometry->global()));
//   Field links = few.gather(links_on_all, Location::host, queue);   // empty on ranks that have no part
//   if (few.here()) make what works on few.grid() and few.geometry()
#pragma once

#include <functional>
#include <memory>
#include <type_traits>

#include "comms/grid/process_grid.hpp"
#include "comms/halo/redistribution.hpp"
#include "core/field/field.hpp"
#include "core/lattice/geometry.hpp"

namespace plaq {

// Least number of sites a rank of a coarse lattice, by default.
inline constexpr int usual_least_sites = 512;

// The extents of the process grid for a lattice that is on a grid of `ranks`: where a rank has less than
// `least_sites` sites, the direction with most ranks is divided by its smallest prime factor, until each has
// enough or one rank has all. Ties: the direction with fewer sites a rank, then t before z before y before x.
Extents ranks_for_level(const Extents& ranks, const Extents& global, int least_sites = usual_least_sites);

// Extents of the largest process grid that `ranks` can merge to on which blocks divide the sites of a rank,
// if they do not do so on `ranks`. Directions that no number of ranks suits stay as they are.
Extents ranks_for_blocks(const Extents& ranks, const Extents& global, const Extents& block);

class Agglomeration {
 public:
  // Collective over `grid`, which must outlive this. `on_all`: a geometry of `grid`. Throws Error(comms)
  // unless `ranks` divide those of `grid`, direction by direction; where they are
  // equal, nothing moves between ranks.
  Agglomeration(const ProcessGrid& grid, GeometryPtr on_all, const Extents& ranks);
  Agglomeration(const Agglomeration&) = delete;
  Agglomeration& operator=(const Agglomeration&) = delete;

  bool merges() const { return merges_; }                 // are there fewer ranks?
  bool here() const { return agglomerated_ != nullptr; }  // does this rank have a part of the lattice?
  const ProcessGrid& grid() const;                        // of the ranks that have one, and there alone
  const GeometryPtr& on_all() const { return on_all_; }   // the lattice on all ranks
  const GeometryPtr& geometry() const { return agglomerated_; }  // the lattice there; null elsewhere
  double share_of_ranks() const;                                 // those that have a part, of all

  // Redistribution that moves fields of one kind there, to `location`, and back, many times.
  // On all ranks; this object must outlive it.
  Redistribution redistribution(const FieldSpec& on_all, Location location) const;

  // For what moves once. The same bits at `location` on the ranks that have a part, an empty field elsewhere.
  // After what `queue` was given for it; collective, waits for the end.
  Field gather(const Field& on_all, Location location, const Queue& queue) const;
  // Back again; `agglomerated` is empty on ranks that have no part.
  void scatter(Field& on_all, const Field& agglomerated, const Queue& queue) const;

  // Collective over all ranks. Those that have a part do `work`, in which they may communicate with each
  // other; the others wait for it and leave their cores to those at work. Returns on every rank what work()
  // returned, plain numbers that are the same wherever it ran. An Error that all of those
  // throw becomes that of every rank.
  template <class Task>
  auto on_fewer_ranks(const Task& work) const {
    decltype(work()) found{};
    static_assert(std::is_trivially_copyable_v<decltype(found)>);
    work_and_tell([&] { found = work(); }, &found, sizeof(found));
    return found;
  }

 private:
  void work_and_tell(const std::function<void()>& work, void* found, std::size_t bytes) const;

  const ProcessGrid& all_;
  GeometryPtr on_all_, agglomerated_;
  Extents merge_{1, 1, 1, 1};
  bool merges_ = false;
  std::unique_ptr<ProcessGrid> fewer_;
  Communicator box_;      // the ranks whose sites go to one; that is its rank 0
  Communicator workers_;  // those of fewer_, for words that do not meet those of work
};

}  // namespace plaq
