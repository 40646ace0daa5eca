// The launches of gauge fixing for one machine, one storage of links and one precision of g.
#pragma once

#include "comms/halo/halo.hpp"
#include "core/field/field.hpp"
#include "core/sums/sum_buffer.hpp"
#include "gaugefix/sweep/annealing.hpp"
#include "gaugefix/sweep/group_overrelaxation.hpp"
#include "gaugefix/sweep/relaxation.hpp"

namespace plaq {

enum class GaugeFunctional { trace, abelian };  // of Landau and Coulomb gauge; of maximally Abelian gauge

struct SweepCall {
  const Field* links = nullptr;
  Field* g = nullptr;  // both parities, a subfield a copy, 12 reals (gaugefix/sweep/su3_view.hpp)
  // A subfield a copy, 12 reals; of the precision of the sums. None: nothing is partitioned.
  const Halo* halo = nullptr;
  GaugeFunctional functional = GaugeFunctional::trace;
  int directions = 4;
  int parity = 0;  // of the sites whose g changes, or that are summed
};

template <class Target, class L, class T, class Update>
struct SweepLaunch {
  // L: links, of 12 reals, and the sums over a site's neighbours; T: g and its update.
  static void sites(const SweepCall& call, const Update& update, Region region, const Queue& queue);
  // On a device, packing, exchange and update of all sites as one launch
  // (core/launch/fused_launch_device.hpp).
  static void fused(const SweepCall& call, const Update& update, const PeerFlags& flags, const Queue& queue);
};
template <class Target, class L, class T, class A>
struct GaugePackLaunch {
  // Faces of g on the sites of 1 - call.parity, with our links, computed in A and of that precision.
  static void run(const SweepCall& call, const Queue& queue);
};
template <class Target, class L, class T>
struct QualityLaunch {
  // Sweeps after the faces in T are there, in T. Adds to sums[2 (copy * slices + t)] and the next, for each
  // copy and slice in time (gaugefix/sweep/site_sweep.hpp).
  static void run(const SweepCall& call, SumBuffer& sums, const Queue& queue);
};

template <class Target, class T>
struct TransformationLaunch {
  static void project(Field& g, const Queue& queue);
  static void random_start(Field& g, std::uint64_t seed, const Queue& queue);
  // full: 18 reals in double, one subfield.
  static void expand(Field& full, const Field& g, int copy, const Queue& queue);
  static void contract(Field& g, int copy, const Field& full, const Queue& queue);
};

}  // namespace plaq
