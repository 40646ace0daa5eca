// The launches of Gaussian smearing for one machine and precision.
#pragma once

#include "comms/halo.hpp"
#include "core/field.hpp"

namespace plaq {

// out = a in + b (the six hops of the covariant Laplacian of in), both parities, all right-hand sides.
struct LaplacianCall {
  const Field* links = nullptr;
  const Field* in = nullptr;
  Field* out = nullptr;
  const Halo* halo = nullptr;  // batch: right-hand side + slots * parity
  double a = 1, b = 0;
};

template <class Target, class T>
void launch_laplacian(const LaplacianCall& call, Region region, const Queue& queue);
// Fills halo's send buffers for that call.
template <class Target, class T>
void launch_laplacian_pack(const LaplacianCall& call, const Queue& queue);

}  // namespace plaq
