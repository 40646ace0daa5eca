// Launches of products of two quark bilinears with open spins (kernels/site/four_quark.hpp), in double
// precision, on fields of both parities without halo at one location. All are queued, and not collective.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "kernels/site/gamma_matrix.hpp"

namespace plaq {

// V_ij = sum_ac conj(eta_i,a^c) (gamma5 Gamma phi_j)_a^c times the sign of gamma5 for i: 144 densities
// 12 * i + j of two propagators of spinors.
struct OpenBilinearCall {
  const Field *eta = nullptr, *phi = nullptr;
  Field* density = nullptr;  // 1x1, 144 subfields, overwritten
  GammaMatrix middle;        // gamma5 Gamma
};
template <class Target>
void launch_open_bilinear(const OpenBilinearCall& call, const Queue& queue);

// Products of V with itself, colors joined in each or crossed, into 256 densities.
struct FourQuarkCall {
  const Field* bilinear = nullptr;
  Field* density = nullptr;  // 1x1, 256 subfields
  bool crossed = false;
  bool overwrite = false;  // in place of adding to what is there
};
template <class Target>
void launch_four_quark(const FourQuarkCall& call, const Queue& queue);

}  // namespace plaq
