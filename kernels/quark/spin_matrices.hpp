// Matrices of spins with colors summed over, at each site, of which traces tr[Gamma
// D] with any gamma matrix are made:
//   of a quark loop   D_ab(x) = sum_k sum_i phi_k,a^i(x) conj(eta_k,b^i(x)),  M phi_k = eta_k:
//                     tr[Gamma D] = sum_k eta_k^dagger Gamma phi_k, which for noise that is 1 in
//                       the mean is tr[Gamma M^-1(x, x)]
//   of a propagator   D_ab(x) = sum_i S_ab^ii(x), the trace over colors
// Color vectors have one number in place of a matrix. MomentumProjection sums them over space.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "kernels/site/gamma_matrix.hpp"

namespace plaq {

class SpinMatrices {
 public:
  // `spins`: 4, or 1 of color vectors; `geometry` is without halo.
  SpinMatrices(const GeometryPtr& geometry, int spins, const Queue& queue);
  static int densities(int spins) { return spins * spins; }

  // Queued. Fields: both parities, double precision, at the queue's location, without halo. D = 0, to which
  // subfields begin .. end - 1 of solutions and sources are added in their
  // order: the same bits for any parts.
  void clear() { is_zero_ = true; }
  void add(const Field& phi, const Field& eta, int begin, int end);
  // D of a propagator of spinors, 12 columns, of any precision.
  void set_trace(const Field& propagator);

  // Subfield 4 * a + b, or one: of what was added, which is something.
  const Field& density() const;

 private:
  int spins_;
  Queue queue_;
  Field density_;
  bool is_zero_ = true;
};

// tr[Gamma D] of what a projection of such matrices gives, [4 * a + b][momentum][t]: [momentum][t].
std::vector<std::vector<std::complex<double>>> trace_with(const GammaMatrix& gamma,
                                                          const Correlators& matrix);

// The launches behind these, in double precision: spinors with 16 densities, or color vectors with one;
// subfields begin .. end - 1 (kernels/site/spin_matrix.hpp).
struct SpinMatrixCall {
  const Field *phi = nullptr, *eta = nullptr;
  Field* density = nullptr;
  int begin = 0, end = 0;
  bool overwrite = false;
};
template <class Target>
void launch_add_spin_matrix(const SpinMatrixCall& call, const Queue& queue);

// Densities of a propagator of spinors; `density`: 1x1, 16 subfields, overwritten.
template <class Target>
void launch_color_trace(const Field& propagator, Field& density, const Queue& queue);

// Densities 16 * j + 4 * a + b = sum_i conj(eta_a^i) phi_j,b^i of one column of eta and all columns j of
// phi; both of spinors in double precision. `density`: 1x1, 16 subfields a column of phi, overwritten.
struct OpenSpinCall {
  const Field *eta = nullptr, *phi = nullptr;
  Field* density = nullptr;
  int column = 0;  // subfield of eta
};
template <class Target>
void launch_open_spins(const OpenSpinCall& call, const Queue& queue);

}  // namespace plaq
