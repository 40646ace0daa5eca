// The launches of gauge fixing for one machine, one storage of links and one precision of g.
#pragma once

#include "comms/halo.hpp"
#include "core/field.hpp"
#include "core/sum_buffer.hpp"
#include "gaugefix/annealing.hpp"
#include "gaugefix/group_overrelaxation.hpp"
#include "gaugefix/relaxation.hpp"

namespace plaq {

enum class GaugeFunctional { trace, abelian };  // of Landau and Coulomb gauge; of maximally Abelian gauge

struct SweepCall {
  const Field* links = nullptr;
  Field* g = nullptr;  // both parities, a slot a copy, 12 reals (gaugefix/matrix_view.hpp)
  // A slot a copy, as many reals as a link; of the precision of the sums. None: nothing is partitioned.
  const Halo* halo = nullptr;
  GaugeFunctional functional = GaugeFunctional::trace;
  int directions = 4;
  int parity = 0;  // of the sites whose g changes, or that are summed
};

// L: links, of 18 or 12 reals, and the sums over a site's neighbours; T: g and its update.
template <class Target, class L, class T, class Update>
void launch_update(const SweepCall& call, const Update& update, Region region, const Queue& queue);
// On a device, packing, exchange and update of all sites as one launch (core/joint_launch_device.hpp); links
// of 12 reals.
template <class L, class T, class Update>
void launch_update_joint(const SweepCall& call, const Update& update, const PeerFlags& flags,
                         const Queue& queue);
// Faces of g on the sites of 1 - call.parity, with our links, computed in A and of that precision.
template <class Target, class L, class T, class A>
void launch_gauge_pack(const SweepCall& call, const Queue& queue);
// Of each copy and slice in time, after the faces in T are there, in T: sums[2 (copy * slices + t)] and the
// next are added to (gaugefix/site_sweep.hpp).
template <class Target, class L, class T>
void launch_quality(const SweepCall& call, SumBuffer& sums, const Queue& queue);

template <class Target, class T>
void launch_projection(Field& g, const Queue& queue);
template <class Target, class T>
void launch_random_start(Field& g, std::uint64_t seed, const Queue& queue);
// full: 18 reals in double, one slot.
template <class Target, class T>
void launch_expansion(Field& full, const Field& g, int copy, const Queue& queue);
template <class Target, class T>
void launch_contraction(Field& g, int copy, const Field& full, const Queue& queue);

}  // namespace plaq
