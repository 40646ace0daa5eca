#include "core/geometry.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "core/error.hpp"
#include "core/host_neighbors.hpp"
#include "core/joint_order.hpp"
#include "core/layout.hpp"
#include "core/memory.hpp"

namespace plaq {

struct Geometry::Caches {
  struct HostSet {
    std::vector<std::uint64_t> masks;
    int count = 0;
  };
  struct DeviceSet {
    Buffer list;
    int count = 0;
  };
  std::mutex mutex;
  std::map<std::pair<int, int>, std::unique_ptr<HostNeighborTable>> neighbors;  // by width and distance
  std::map<std::tuple<Region, int, int>, HostSet> host_sets;                    // by region, parity, depth
  std::map<std::tuple<Region, int, int>, DeviceSet> device_sets;
  std::vector<std::tuple<int, int, JointShape, JointOrder>> joint_orders;  // with parity and depth
  std::map<int, std::shared_ptr<const Geometry>> extended;                 // by depth
};

namespace {

bool belongs(const LatticeShape& shape, Region region, int depth, const Coordinates& c) {
  for (int mu = 0; mu < 4; ++mu)
    if (c.x[mu] < shape.halo[mu] || c.x[mu] > shape.extent[mu] - 1 - shape.halo[mu]) return false;
  return region == Region::all || (region == Region::boundary) == shape.at_split_edge(c, depth);
}

}  // namespace

std::string to_string(const Extents& e) {
  return std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]) + "x" +
         std::to_string(e[3]);
}

Geometry::Geometry(const Decomposition& d, int halo_depth)
    : decomposition_(d), halo_depth_(halo_depth), caches_(std::make_unique<Caches>()) {
  static constexpr const char* names[4] = {"x", "y", "z", "t"};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const int ranks = d.ranks[mu], global = d.global[mu];
    require(ranks >= 1 && d.position[mu] >= 0 && d.position[mu] < ranks,
            "rank position outside the process grid");
    if (global < 2 || global % ranks != 0 || (global / ranks) % 2 != 0)
      throw Error(ErrorKind::job_file, std::string("lattice ") + to_string(d.global) +
                                           " does not split over process grid " + to_string(d.ranks) +
                                           ": in " + names[mu] + " each rank would hold " +
                                           std::to_string(global) + "/" + std::to_string(ranks) +
                                           " slices; an even number of at least 2 is needed");
    local_[mu] = global / ranks;
    if (ranks > 1 || ((d.forced >> mu) & 1u)) shape_.partitioned |= 1u << mu;
  }
  std::int64_t stored = 1;
  shape_.at_global_edge = 0;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const int m = static_cast<int>(mu);
    const bool split = shape_.is_partitioned(m);
    shape_.halo[mu] = split ? halo_depth : 0;
    shape_.halo_parity ^= shape_.halo[mu] & 1;
    shape_.extent[mu] = local_[mu] + 2 * shape_.halo[mu];
    shape_.global_extent[mu] = d.global[mu];
    shape_.global_offset[mu] = d.position[mu] * local_[mu];
    if (d.position[mu] == d.ranks[mu] - 1) shape_.at_global_edge |= 1u << directed(m, true);
    if (d.position[mu] == 0) shape_.at_global_edge |= 1u << directed(m, false);
    stored *= shape_.extent[mu];
  }
  if (stored > (std::int64_t{1} << 31) - 1024)
    throw Error(ErrorKind::job_file, "lattice " + to_string(d.global) + " on process grid " +
                                         to_string(d.ranks) + ": " + std::to_string(stored) +
                                         " sites a rank are more than 2^31; use more ranks");
  shape_.half_x = shape_.extent[0] / 2;
  shape_.half_volume = static_cast<int>(stored / 2);
  shape_.by_half_x = Divisor(static_cast<std::uint32_t>(shape_.half_x));
  shape_.by_y = Divisor(static_cast<std::uint32_t>(shape_.extent[1]));
  shape_.by_z = Divisor(static_cast<std::uint32_t>(shape_.extent[2]));
}

Geometry::~Geometry() = default;

std::shared_ptr<const Geometry> Geometry::create(const Decomposition& decomposition) {
  return std::shared_ptr<const Geometry>(new Geometry(decomposition, 0));
}

std::shared_ptr<const Geometry> Geometry::extended(int depth) const {
  require(halo_depth_ == 0, "an extended geometry cannot be extended again");
  if (depth == 0 || !any_partitioned()) return shared_from_this();
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (partitioned(static_cast<int>(mu)) && local_[mu] < depth)
      throw Error(ErrorKind::job_file, "a halo of depth " + std::to_string(depth) +
                                           " needs at least as many slices a rank; " + to_string(local_) +
                                           " has fewer");
  }
  std::lock_guard lock(caches_->mutex);
  auto& entry = caches_->extended[depth];
  if (!entry) entry = std::shared_ptr<const Geometry>(new Geometry(decomposition_, depth));
  return entry;
}

Extents Geometry::offset() const {
  return {shape_.global_offset[0], shape_.global_offset[1], shape_.global_offset[2], shape_.global_offset[3]};
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
    return 2 * sizeof(std::uint64_t) * static_cast<std::size_t>((shape_.half_volume + 63) / 64);
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
  sites.span = shape_.half_volume;
  if (!listed(region)) {
    if (region == Region::boundary) sites.span = 0;
    sites.count = sites.span;
    return sites;
  }
  std::lock_guard lock(caches_->mutex);
  const auto key = std::make_tuple(region, parity, depth);
  auto& host = caches_->host_sets[key];
  if (host.masks.empty()) {
    const int words = (shape_.half_volume + 63) / 64;
    host.masks.assign(static_cast<std::size_t>(words), 0);
    int count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
    for (int w = 0; w < words; ++w) {
      std::uint64_t word = 0;
      for (int i = 0; i < 64 && w * 64 + i < shape_.half_volume; ++i)
        if (belongs(shape_, region, depth, shape_.coordinates(parity, w * 64 + i)))
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
    for (int s = 0; s < shape_.half_volume; ++s)
      if ((host.masks[static_cast<std::size_t>(s / 64)] >> (s % 64)) & 1u) list.push_back(s);
    device.list = Buffer(Location::device, list.size() * sizeof(int));
    copy_bytes(device.list.data(), Location::device, list.data(), Location::host, list.size() * sizeof(int));
  }
  sites.list = device.list.as<int>();
  sites.span = host.count;
  return sites;
}

JointView Geometry::joint_order(int parity, const JointShape& joint, int depth) const {
  require(halo_depth_ == 0 && any_partitioned(), "an exchange of faces without a split lattice");
  std::lock_guard lock(caches_->mutex);
  for (const auto& [known_parity, known_depth, known, order] : caches_->joint_orders)
    if (known_parity == parity && known_depth == depth && known == joint) return order.view();
  caches_->joint_orders.emplace_back(parity, depth, joint,
                                     JointOrder(shape_, parity, joint, Location::device, depth));
  return std::get<JointOrder>(caches_->joint_orders.back()).view();
}

const HostNeighborTable& Geometry::host_neighbors(int width, int distance) const {
  std::lock_guard lock(caches_->mutex);
  auto& entry = caches_->neighbors[{width, distance}];
  if (!entry) entry = std::make_unique<HostNeighborTable>(shape_, width, distance);
  return *entry;
}

}  // namespace plaq
