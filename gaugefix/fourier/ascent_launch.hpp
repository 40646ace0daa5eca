// The launches of accelerated gauge fixing (gaugefix/fourier/ascent_kernels.hpp) for one machine, one storage
// of links and one precision of g.
#pragma once

#include "gaugefix/fourier/algebra_rows.hpp"
#include "gaugefix/sweep/sweep_launch.hpp"

namespace plaq {

struct StepWeights;

struct AscentCall {
  RowsLayout rows;
  int slices = 1;  // problems of a gauge copy on this rank: in Coulomb gauge its time slices
  ComplexPair *r = nullptr, *before = nullptr, *z = nullptr, *d = nullptr;
  // Halo of the faces of z, and the faces of g that SweepCall::halo received last for the sites of each
  // parity, by mu (copies of one parity, then of the other one).
  const Halo* halo = nullptr;
  void* ghost_g[4] = {nullptr, nullptr, nullptr, nullptr};
};
// Sums of a problem: 2 F, <r, r>, <r, d>, of the gradient; <r, z>, <before, z>, q(z, z), of the curvature.
inline constexpr int sums_of_gradient = 3, sums_of_curvature = 3;

template <class Target, class L, class T>
struct AscentLaunch {
  // r, and sums of the problems from number 0 on; of the sites of sweep.parity, or of both where `both`.
  static void gradient(const SweepCall& sweep, const AscentCall& call, bool both, SumBuffer& sums,
                       const Queue& queue);
  // Sums of the problems from number `first` on, of all sites.
  static void curvature(const SweepCall& sweep, const AscentCall& call, SumBuffer& sums, int first,
                        const Queue& queue);
};

template <class Target, class T>
struct AscentStepLaunch {
  // d and g; `weights` of each problem at the queue's location.
  static void step(Field& g, const AscentCall& call, const StepWeights* weights, const Queue& queue);
  // Faces of z into call.halo.
  static void algebra_pack(const Field& g, const AscentCall& call, const Queue& queue);
};

}  // namespace plaq
