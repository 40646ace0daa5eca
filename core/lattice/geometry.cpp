#include "core/lattice/geometry.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "core/field/layout.hpp"
#include "core/lattice/fused_order.hpp"
#include "core/lattice/host_neighbors.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/memory.hpp"

namespace plaq {

struct Geometry::Caches {
  struct HostSet {
    std::vector<std::uint64_t> masks;
    int count = 0;
    CountedMemory counted;
  };
  struct DeviceSet {
    Buffer list;
    int count = 0;
  };
  std::mutex mutex;
  std::map<std::pair<int, int>, std::unique_ptr<HostNeighborTable>> neighbors;  // by width and distance
  std::map<std::tuple<Region, int, int>, HostSet> host_sets;                    // by region, parity, depth
  std::map<std::tuple<Region, int, int>, DeviceSet> device_sets;
  std::vector<std::tuple<int, int, FusedShape, FusedOrder>> fused_orders;  // with parity and depth
  std::map<int, std::shared_ptr<const Geometry>> extended;                 // by depth
};

namespace {

bool belongs(const GeneralShape& shape, Region region, int depth, const Coordinates& c) {
  for (int mu = 0; mu < 4; ++mu)
    if (c.x[mu] < shape.halo[mu] || c.x[mu] > shape.extent[mu] - 1 - shape.halo[mu]) return false;
  return region == Region::all || (region == Region::boundary) == shape.at_split_edge(c, depth);
}

}  // namespace

std::string to_string(const Extents& e) {
  return std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]) + "x" +
         std::to_string(e[3]);
}

LatticeOrder lattice_order_for(const Extents& global) {
  for (const int e : global)
    if (e % 2 != 0) return LatticeOrder::lexicographic;
  return LatticeOrder::checkerboard;
}

// `step`: what local extents are multiples of.
Geometry::Geometry(const Decomposition& d, LatticeOrder order, int step, int halo_depth)
    : decomposition_(d), halo_depth_(halo_depth), order_(order), caches_(std::make_unique<Caches>()) {
  static constexpr const char* names[4] = {"x", "y", "z", "t"};
  even_ = order == LatticeOrder::checkerboard;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const int ranks = d.ranks[mu], global = d.global[mu];
    require(ranks >= 1 && d.position[mu] >= 0 && d.position[mu] < ranks,
            "rank position outside the process grid");
    if (global < step || global % ranks != 0 || (global / ranks) % step != 0)
      throw Error(ErrorKind::job_file,
                  std::string("lattice ") + to_string(d.global) + " does not split over process grid " +
                      to_string(d.ranks) + ": in " + names[mu] + " each rank would hold " +
                      std::to_string(global) + "/" + std::to_string(ranks) + " slices; " +
                      (step == 2 ? "an even number of at least 2" : "a whole number of at least 1") +
                      " is needed");
    if (order == LatticeOrder::checkerboard && global % 2 != 0)
      throw Error(ErrorKind::job_file, "lattice " + to_string(d.global) +
                                           " has no checkerboard: its extent " + std::to_string(global) +
                                           " in " + names[mu] + " is odd; even global extents are needed");
    local_[mu] = global / ranks;
    even_ = even_ && local_[mu] % 2 == 0;
  }
  fill_box(general_);
  std::int64_t stored = 1;
  for (const int e : general_.extent) stored *= e;
  if (stored > (std::int64_t{1} << 31) - 1024)
    throw Error(ErrorKind::job_file, "lattice " + to_string(d.global) + " on process grid " +
                                         to_string(d.ranks) + ": " + std::to_string(stored) +
                                         " sites a rank are more than 2^31; use more ranks");
  general_.volume = static_cast<int>(stored);
  general_.checkerboard = order == LatticeOrder::checkerboard ? 1 : 0;
  general_.origin_parity = 0;
  for (int mu = 0; mu < 4; ++mu)
    general_.origin_parity ^= (general_.global_offset[mu] ^ general_.halo[mu]) & general_.checkerboard;
  for (int i = 0; i < 3; ++i) general_.by_extent[i] = Divisor(static_cast<std::uint32_t>(general_.extent[i]));
  if (!even_) return;
  fill_box(shape_);
  for (const int halo : shape_.halo) shape_.halo_parity ^= halo & 1;
  shape_.half_x = shape_.extent[0] / 2;
  shape_.half_volume = static_cast<int>(stored / 2);
  shape_.by_half_x = Divisor(static_cast<std::uint32_t>(shape_.half_x));
  shape_.by_y = general_.by_extent[1];
  shape_.by_z = general_.by_extent[2];
}

void Geometry::fill_box(LatticeBox& box) const {
  const Decomposition& d = decomposition_;
  box.at_global_edge = 0;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const int m = static_cast<int>(mu);
    const bool split = d.ranks[mu] > 1 || ((d.forced >> mu) & 1u);
    if (split) box.partitioned |= 1u << mu;
    box.halo[mu] = split ? halo_depth_ : 0;
    box.extent[mu] = local_[mu] + 2 * box.halo[mu];
    box.global_extent[mu] = d.global[mu];
    box.global_offset[mu] = d.position[mu] * local_[mu];
    if (d.position[mu] == d.ranks[mu] - 1) box.at_global_edge |= 1u << directed(m, true);
    if (d.position[mu] == 0) box.at_global_edge |= 1u << directed(m, false);
  }
}

Geometry::~Geometry() = default;

std::shared_ptr<const Geometry> Geometry::create(const Decomposition& decomposition) {
  return std::shared_ptr<const Geometry>(new Geometry(decomposition, LatticeOrder::checkerboard, 2, 0));
}

std::shared_ptr<const Geometry> Geometry::create_general(const Decomposition& decomposition,
                                                         LatticeOrder order) {
  return std::shared_ptr<const Geometry>(new Geometry(decomposition, order, 1, 0));
}

std::shared_ptr<const Geometry> Geometry::extended(int depth) const {
  require(halo_depth_ == 0, "an extended geometry cannot be extended again");
  require(even_, "extended halos are of lattices of even extents with a checkerboard");
  if (depth == 0 || !any_partitioned()) return shared_from_this();
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (partitioned(static_cast<int>(mu)) && local_[mu] < depth)
      throw Error(ErrorKind::job_file, "a halo of depth " + std::to_string(depth) +
                                           " needs at least as many slices a rank; " + to_string(local_) +
                                           " has fewer");
  }
  std::lock_guard lock(caches_->mutex);
  auto& entry = caches_->extended[depth];
  if (!entry) entry = std::shared_ptr<const Geometry>(new Geometry(decomposition_, order_, 2, depth));
  return entry;
}

Extents Geometry::offset() const {
  const int* x = general_.global_offset;
  return {x[0], x[1], x[2], x[3]};
}

std::int64_t Geometry::global_volume() const {
  std::int64_t v = 1;
  for (int e : decomposition_.global) v *= e;
  return v;
}

std::int64_t Geometry::local_volume() const {
  std::int64_t v = 1;
  for (int e : local_) v *= e;
  return v;
}

bool Geometry::listed(Region region) const {
  return any_partitioned() && (region != Region::all || halo_depth_ > 0);
}

std::size_t Geometry::region_bytes(Region region, Location location, int depth) const {
  if (!listed(region)) return 0;
  if (location == Location::host)
    return static_cast<std::size_t>(parities() * ((general_.stored_sites() + 63) / 64)) *
           sizeof(std::uint64_t);
  std::int64_t interior = 1;
  for (std::size_t mu = 0; mu < 4; ++mu)
    interior *= partitioned(static_cast<int>(mu)) ? std::max(0, local_[mu] - 2 * depth) : local_[mu];
  const std::int64_t sites = region == Region::all        ? local_volume()
                             : region == Region::interior ? interior
                                                          : local_volume() - interior;
  return sizeof(int) * static_cast<std::size_t>(sites);
}

RegionSites Geometry::region(Region region, int parity, Location location, int depth) const {
  RegionSites sites;
  const int stored = general_.parity_sites(parity);
  sites.span = stored;
  if (!listed(region)) {
    if (region == Region::boundary) sites.span = 0;
    sites.count = sites.span;
    return sites;
  }
  std::lock_guard lock(caches_->mutex);
  const auto key = std::make_tuple(region, parity, depth);
  auto& host = caches_->host_sets[key];
  if (runs_dry()) {
    if (!counts_host_kernels()) location = Location::device;
    // About as many sites of each parity.
    const std::size_t all = region_bytes(region, Location::device, depth) / sizeof(int),
                      mine = (all + static_cast<std::size_t>(parities()) - 1) /
                             static_cast<std::size_t>(parities());
    if (host.count == 0) {
      host.counted = CountedMemory("masks of sites",
                                   static_cast<std::size_t>((stored + 63) / 64) * sizeof(std::uint64_t));
      host.count = static_cast<int>(mine);
      const MemoryName name("lists of sites");
      if (location == Location::device) caches_->device_sets[key].list = Buffer(location, mine * sizeof(int));
    }
    sites.count = host.count;
    if (location == Location::device) sites.span = host.count;
    return sites;
  }
  if (host.masks.empty()) {
    const int words = (stored + 63) / 64;
    host.masks.assign(static_cast<std::size_t>(words), 0);
    int count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
    for (int w = 0; w < words; ++w) {
      std::uint64_t word = 0;
      for (int i = 0; i < 64 && w * 64 + i < stored; ++i)
        if (belongs(general_, region, depth, general_.coordinates(parity, w * 64 + i)))
          word |= std::uint64_t{1} << i, ++count;
      host.masks[static_cast<std::size_t>(w)] = word;
    }
    host.count = count;
  }
  sites.count = host.count;
  if (location == Location::host) {
    sites.masks = host.masks.data();
    return sites;
  }
  auto& device = caches_->device_sets[key];
  if (!device.list && host.count > 0) {
    std::vector<int> list;
    list.reserve(static_cast<std::size_t>(host.count));
    for (int s = 0; s < stored; ++s)
      if ((host.masks[static_cast<std::size_t>(s / 64)] >> (s % 64)) & 1u) list.push_back(s);
    device.list = Buffer(Location::device, list.size() * sizeof(int));
    copy_bytes(device.list.data(), Location::device, list.data(), Location::host, list.size() * sizeof(int));
  }
  sites.list = device.list.as<int>();
  sites.span = host.count;
  return sites;
}

FusedView Geometry::fused_order(int parity, const FusedShape& fused, int depth) const {
  require(halo_depth_ == 0 && any_partitioned(), "an exchange of faces without a split lattice");
  std::lock_guard lock(caches_->mutex);
  for (const auto& [known_parity, known_depth, known, order] : caches_->fused_orders)
    if (known_parity == parity && known_depth == depth && known == fused) return order.view();
  caches_->fused_orders.emplace_back(parity, depth, fused,
                                     FusedOrder(shape(), parity, fused, Location::device, depth));
  return std::get<FusedOrder>(caches_->fused_orders.back()).view();
}

const HostNeighborTable& Geometry::host_neighbors(int width, int distance) const {
  std::lock_guard lock(caches_->mutex);
  auto& entry = caches_->neighbors[{width, distance}];
  if (!entry) entry = std::make_unique<HostNeighborTable>(general_, width, distance);
  return *entry;
}

}  // namespace plaq
