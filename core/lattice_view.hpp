// How a kernel walks the lattice: neighbours of its own site, and paths of several steps.
#pragma once

#include <algorithm>

#include "core/arch.hpp"
#include "core/geometry.hpp"
#if !defined(__CUDACC__)
#include "core/host_neighbors.hpp"
#endif

namespace plaq {

template <class Target, class T>
class LatticeView;

template <class T>
class LatticeView<Device, T> {
 public:
  LatticeView() = default;
  explicit LatticeView(const Geometry& geometry) : shape_(geometry.shape()) {}

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
  // One step of a path: wraps inside this rank's stored lattice.
  PLAQ_HD Point step(Point p, int mu, bool forward) const {
    const int end = shape_.extent[mu] - 1;
#pragma unroll
    for (int d = 0; d < 4;
         ++d) {  // so that the coordinates stay in registers when mu is not known before run time
      const int moved = forward ? (p.c.x[d] == end ? 0 : p.c.x[d] + 1) : (p.c.x[d] == 0 ? end : p.c.x[d] - 1);
      if (d == mu) p.c.x[d] = moved;
    }
    p.parity ^= 1;
    p.index = shape_.index(p.c);
    return p;
  }
  static PLAQ_HD int index(const Point& p) { return p.index; }
  // For the neighbour across this rank's edge: its number on the face.
  PLAQ_HD int face_index(const Point& p, int mu) const { return shape_.face_index(mu, p.c); }
  // The site of `parity` with number `face` on the slice x_mu = slice; index -1 if the face has fewer sites.
  PLAQ_HD DeviceSite face_sites(int parity, int mu, int slice, DeviceSite face) const {
    if (face.index >= shape_.face_sites(mu)) return {-1};
    return {shape_.index(shape_.face_coordinates(parity, mu, slice, face.index))};
  }
  PLAQ_HD const LatticeShape& shape() const { return shape_; }

 private:
  LatticeShape shape_;
};

#if !defined(__CUDACC__)

template <class T>
class LatticeView<Host, T> {
 public:
  static constexpr int width = Arch<Host, T>::width;

  LatticeView() = default;
  explicit LatticeView(const Geometry& geometry)
      : shape_(geometry.shape()), neighbors_(&geometry.host_neighbors(width)) {}

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
    const int d = directed(mu, forward);
    const auto& group = neighbors_->group(p.parity, p.site.index, d);
    return {neighbors_->runs(group), group.runs, neighbors_->lanes(p.parity, p.site.index, d), group.edge};
  }
  Point step(const Point& p, int mu, bool forward) const {
    const int* table = neighbors_->lanes(p.parity, 0, directed(mu, forward));
    Point q;
    q.parity = p.parity ^ 1;
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
      faces.lane[l] = s < shape_.half_volume ? shape_.face_index(mu, shape_.coordinates(p.parity, s)) : 0;
    }
    return faces;
  }
  LaneList<width> face_sites(int parity, int mu, int slice, LaneSite<width> face) const {
    LaneList<width> sites;
    sites.mask = 0;
    for (int l = 0; l < width; ++l) {
      const bool exists = ((face.mask >> l) & 1u) && face.index + l < shape_.face_sites(mu);
      sites.lane[l] = exists ? shape_.index(shape_.face_coordinates(parity, mu, slice, face.index + l)) : 0;
      if (exists) sites.mask |= LaneMask{1} << l;
    }
    return sites;
  }
  const LatticeShape& shape() const { return shape_; }

 private:
  LatticeShape shape_;
  const HostNeighborTable* neighbors_ = nullptr;
};

#endif

}  // namespace plaq
