// Machine as a kernel sees it: the type that it computes with, and its names of sites.
//   Device: Real is a scalar, a site is one thread's checkerboard index.
//   Host:   Real is Lanes, a site is a group of consecutive checkerboard indices with a mask of those meant.
#pragma once

#include <cstdint>

#include "core/algebra/complex.hpp"
#include "core/launch/target.hpp"
#if !defined(__CUDACC__)
#include "core/lattice/host_neighbors.hpp"
#endif

namespace plaq {

struct DeviceSite {
  int index;
};
// A neighbour: its checkerboard index (parity is the other one), and whether the step crossed this rank's
// edge.
struct DeviceNeighbor {
  int index;
  bool edge;
};
// Neighbor in four bytes, for a SharedArray.
struct DeviceNeighborWord {
  int word;  // -1 - index where the step crossed the edge
  DeviceNeighborWord() = default;
  PLAQ_HD DeviceNeighborWord(const DeviceNeighbor& n) : word(n.edge ? -1 - n.index : n.index) {}
  PLAQ_HD operator DeviceNeighbor() const { return {word < 0 ? -1 - word : word, word < 0}; }
};

template <class Target, class T>
struct Arch;

template <class T>
struct Arch<Device, T> {
  using Target = Device;
  using Scalar = T;
  using Real = T;
  using RealDouble = double;
  using Steps = int;             // numbers of Fixed16 in units of their scale ...
  using StepSum = std::int64_t;  // ... and exact sums of their products
  using Site = DeviceSite;
  using Neighbor = DeviceNeighbor;
  using SharedNeighbor = DeviceNeighborWord;
  using Mask = bool;
  static constexpr int width = 1;
};

#if !defined(__CUDACC__)

template <int W>
struct LaneSite {
  int index;      // of lane 0, a multiple of W; lane l is index + l
  LaneMask mask;  // the lanes that are meant; stores touch no others
};
template <int W>
struct LaneNeighbor {
  const LaneRun* runs;  // runs of consecutive indices that make up the lanes
  int run_count;        // 0: take the lanes one by one
  const int* lane;      // index lane by lane, always there
  LaneMask edge;
};
// Sites named one by one.
template <int W>
struct LaneList {
  int lane[W];
  LaneMask mask;
};

template <class T>
struct Arch<Host, T> {
  static constexpr int width = host_vector_bytes / static_cast<int>(sizeof(T));
  using Target = Host;
  using Scalar = T;
  using Real = Lanes<T, width>;
  using RealDouble = Lanes<double, width>;
  using Steps = Real;
  using StepSum = RealDouble;
  using Site = LaneSite<width>;
  using Neighbor = LaneNeighbor<width>;
  using SharedNeighbor = Neighbor;
  using Mask = LaneMask;
};

#endif

}  // namespace plaq
