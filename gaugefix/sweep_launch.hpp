// The launches of gauge fixing for one machine, one storage of links and one precision of g.
#pragma once

#include "comms/halo.hpp"
#include "core/field.hpp"
#include "core/sum_buffer.hpp"
#include "gaugefix/annealing.hpp"
#include "gaugefix/relaxation.hpp"

namespace plaq {

enum class GaugeFunctional { trace, abelian };  // of Landau and Coulomb gauge; of maximally Abelian gauge

struct SweepCall {
  const Field* links = nullptr;
  Field* g = nullptr;          // both parities, a slot a copy
  const Halo* halo = nullptr;  // a slot a copy
  GaugeFunctional functional = GaugeFunctional::trace;
  int directions = 4;
  int parity = 0;  // of the sites whose g changes, or that are summed
};

// L: links; T: g and arithmetic. Links have 18 or 12 reals.
template <class Target, class L, class T>
void launch_relaxation(const SweepCall& call, const RelaxationStep& step, Region region, const Queue& queue);
template <class Target, class L, class T>
void launch_heatbath(const SweepCall& call, const HeatbathStep& step, Region region, const Queue& queue);
// Faces of g on the sites of 1 - call.parity, with our links.
template <class Target, class L, class T>
void launch_gauge_pack(const SweepCall& call, const Queue& queue);
// Of each copy and slice in time, after the faces are there: sums[2 (copy * slices + t)] and the next are
// added to (gaugefix/site_sweep.hpp).
template <class Target, class L, class T>
void launch_quality(const SweepCall& call, SumBuffer& sums, const Queue& queue);

template <class Target, class T>
void launch_projection(Field& g, const Queue& queue);
template <class Target, class T>
void launch_random_start(Field& g, std::uint64_t seed, const Queue& queue);

}  // namespace plaq
