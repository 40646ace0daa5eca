// View of the lattice for kernels: neighbours of a site, and paths of several steps.
#pragma once

#include <algorithm>
#include <type_traits>

#include "core/lattice/geometry.hpp"
#include "core/launch/arch.hpp"
#if !defined(__CUDACC__)
#include "core/lattice/host_neighbors.hpp"
#endif

namespace plaq {

// Shape: LatticeShape where extents are even and stored as a checkerboard, which costs least; GeneralShape
// for every lattice.
template <class Target, class T, class Shape = LatticeShape>
class LatticeView;

template <class Shape>
const Shape& shape_of(const Geometry& geometry) {
  if constexpr (std::is_same_v<Shape, GeneralShape>) {
    return geometry.general_shape();
  } else {
    return geometry.shape();
  }
}

template <class T, class Shape>
class LatticeView<Device, T, Shape> {
 public:
  LatticeView() = default;
  // `far`: with the sites three steps away, which on a device takes nothing.
  explicit LatticeView(const Geometry& geometry, [[maybe_unused]] bool far = false)
      : shape_(shape_of<Shape>(geometry)) {}

  // A site with its coordinates, from which steps are taken.
  struct Point {
    Coordinates c;
    int parity;
    int index;
  };
  PLAQ_HD Point point(int parity, DeviceSite site) const {
    return {shape_.coordinates(parity, site.index), parity, site.index};
  }
  PLAQ_HD DeviceNeighbor neighbor(const Point& p, int mu, bool forward) const {
    Coordinates n = p.c;
    const int last = forward ? shape_.extent[mu] - 1 : 0;
    const bool edge = p.c.x[mu] == last;
    n.x[mu] = edge ? (forward ? 0 : shape_.extent[mu] - 1) : p.c.x[mu] + (forward ? 1 : -1);
    return {shape_.index(n), edge};
  }
  // The site three steps away. `edge`: it is beyond this rank's edge; where the extent is 2, which takes two
  // wraps, only if it wraps once.
  PLAQ_HD DeviceNeighbor third_neighbor(const Point& p, int mu, bool forward) const {
    const int extent = shape_.extent[mu];
    int x = p.c.x[mu] + (forward ? 3 : -3);
    bool edge = false;
#pragma unroll
    for (int wrap = 0; wrap < 2; ++wrap) {
      const bool out = forward ? x >= extent : x < 0;
      if (out) x += forward ? -extent : extent;
      edge = edge != out;
    }
    Coordinates n = p.c;
    n.x[mu] = x;
    return {shape_.index(n), edge};
  }
  // True if the coordinates before mu add up to an odd number; on a lattice without halo.
  PLAQ_HD bool odd_before(const Point& p, int mu) const {
    int sum = 0;
    for (int d = 0; d < mu; ++d) sum += p.c.x[d];
    return sum & 1;
  }
  // One step of a path: wraps inside this rank's stored lattice.
  PLAQ_HD Point step(Point p, int mu, bool forward) const {
    const int end = shape_.extent[mu] - 1;
#pragma unroll
    for (int d = 0; d < 4;
         ++d) {  // so that the coordinates stay in registers when mu is not known before run time
      const int moved = forward ? (p.c.x[d] == end ? 0 : p.c.x[d] + 1) : (p.c.x[d] == 0 ? end : p.c.x[d] - 1);
      if (d == mu) p.c.x[d] = moved;
    }
    p.parity = shape_.neighbor_parity(p.parity);
    p.index = shape_.index(p.c);
    return p;
  }
  static PLAQ_HD int index(const Point& p) { return p.index; }
  // For the neighbour across this rank's edge: its number on the face.
  PLAQ_HD int face_index(const Point& p, int mu) const { return shape_.face_index(mu, p.c); }
  // For the site three steps away, beyond this rank's edge: its number among layers of `stride` sites, of
  // which it is in the layer `first` or one of the next two: those ahead from the nearest to the farthest,
  // those behind from the farthest to the nearest.
  PLAQ_HD int third_face_index(const Point& p, int mu, bool forward, int stride, int first) const {
    const int layer = first + (forward ? p.c.x[mu] + 3 - shape_.extent[mu] : p.c.x[mu]);
    return layer * stride + shape_.face_index(mu, p.c);
  }
  // The site of `parity` with number `face` on the slice x_mu = slice; index -1 if the face has fewer sites.
  PLAQ_HD DeviceSite face_sites(int parity, int mu, int slice, DeviceSite face) const {
    if (!shape_.has_face_site(parity, mu, slice, face.index)) return {-1};
    return {shape_.index(shape_.face_coordinates(parity, mu, slice, face.index))};
  }
  PLAQ_HD const Shape& shape() const { return shape_; }

 private:
  Shape shape_;
};

#if !defined(__CUDACC__)

template <class T, class Shape>
class LatticeView<Host, T, Shape> {
 public:
  static constexpr int width = Arch<Host, T>::width;

  LatticeView() = default;
  // `far`: with the sites three steps away.
  explicit LatticeView(const Geometry& geometry, bool far = false)
      : shape_(shape_of<Shape>(geometry)),
        neighbors_(&geometry.host_neighbors(width)),
        third_neighbors_(far ? &geometry.host_neighbors(width, 3) : nullptr) {}

  // Lane 0 of a group, or after a step the lanes one by one.
  struct Point {
    int parity;
    LaneSite<width> site;
    LaneList<width> list;  // where `stepped`
    LaneRun runs[most_lane_runs];
    int run_count;
    bool stepped;
  };
  Point point(int parity, LaneSite<width> site) const {
    Point p;
    p.parity = parity;
    p.site = site;
    p.runs[0] = {site.index, 0};
    p.run_count = 1;
    p.stepped = false;
    return p;
  }
  LaneNeighbor<width> neighbor(const Point& p, int mu, bool forward) const {
    return neighbor(*neighbors_, p, directed(mu, forward));
  }
  LaneNeighbor<width> third_neighbor(const Point& p, int mu, bool forward) const {
    return neighbor(*third_neighbors_, p, directed(mu, forward));
  }
  LaneMask odd_before(const Point& p, int mu) const {
    return neighbors_->odd_before(p.parity, p.site.index, mu);
  }
  Point step(const Point& p, int mu, bool forward) const {
    const int* table = neighbors_->lanes(p.parity, 0, directed(mu, forward));
    Point q;
    q.parity = shape_.neighbor_parity(p.parity);
    q.site = p.site;
    q.stepped = true;
    for (int l = 0; l < width; ++l) q.list.lane[l] = table[p.stepped ? p.list.lane[l] : p.site.index + l];
    q.list.mask = p.site.mask;
    if (p.stepped) {
      q.run_count = split_into_runs(q.list.lane, width, neighbors_->padded_sites(), q.runs);
    } else {
      const auto& group = neighbors_->group(p.parity, p.site.index, directed(mu, forward));
      std::copy_n(neighbors_->runs(group), group.runs, q.runs);
      q.run_count = group.runs;
    }
    return q;
  }
  // Refers to the point.
  static LaneNeighbor<width> index(const Point& p) { return {p.runs, p.run_count, p.list.lane, 0}; }
  LaneList<width> face_index(const Point& p, int mu) const {
    LaneList<width> faces;
    faces.mask = p.site.mask;
    for (int l = 0; l < width; ++l) {
      const int s = p.site.index + l;
      faces.lane[l] =
          s < shape_.parity_sites(p.parity) ? shape_.face_index(mu, shape_.coordinates(p.parity, s)) : 0;
    }
    return faces;
  }
  LaneList<width> third_face_index(const Point& p, int mu, bool forward, int stride, int first) const {
    LaneList<width> faces;
    faces.mask = p.site.mask;
    for (int l = 0; l < width; ++l) {
      faces.lane[l] = 0;
      const int s = p.site.index + l;
      if (s >= shape_.parity_sites(p.parity)) continue;
      const Coordinates c = shape_.coordinates(p.parity, s);
      const int layer = forward ? c.x[mu] + 3 - shape_.extent[mu] : c.x[mu];
      if (layer >= 0 && layer < 3) faces.lane[l] = (first + layer) * stride + shape_.face_index(mu, c);
    }
    return faces;
  }
  LaneList<width> face_sites(int parity, int mu, int slice, LaneSite<width> face) const {
    LaneList<width> sites;
    sites.mask = 0;
    for (int l = 0; l < width; ++l) {
      const bool exists = ((face.mask >> l) & 1u) && shape_.has_face_site(parity, mu, slice, face.index + l);
      sites.lane[l] = exists ? shape_.index(shape_.face_coordinates(parity, mu, slice, face.index + l)) : 0;
      if (exists) sites.mask |= LaneMask{1} << l;
    }
    return sites;
  }
  const Shape& shape() const { return shape_; }

 private:
  static LaneNeighbor<width> neighbor(const HostNeighborTable& table, const Point& p, int d) {
    const auto& group = table.group(p.parity, p.site.index, d);
    return {table.runs(group), group.runs, table.lanes(p.parity, p.site.index, d), group.edge};
  }

  Shape shape_;
  const HostNeighborTable* neighbors_ = nullptr;
  const HostNeighborTable* third_neighbors_ = nullptr;
};

#endif

}  // namespace plaq
