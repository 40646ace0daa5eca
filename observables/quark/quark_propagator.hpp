// The quark propagator of Landau gauge in momentum space, from propagators of point sources:
//   S(p) = sum_x exp(-i p (x - x_source)) S(x, x_source)  (Skullerud, Williams,
//     Phys. Rev. D 63 (2001) 054508).
// With S = -i k-slash v + s in the mean, S^-1 = i k-slash A + B has A = v / (k^2 v^2 + s^2) and
// B = s / (k^2 v^2 + s^2): of means over configurations, which analysis makes.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/spin_matrices.hpp"
#include "observables/quark/quark_momenta.hpp"

namespace plaq {

/// Traces over spin and color of S(p), averaged over the momenta of a row, the vector
/// turned to the momentum of the row.
struct QuarkPropagatorPoint {
  std::complex<double> scalar = 0;               // (1/12) tr S(p)
  std::array<std::complex<double>, 4> vector{};  // (1/12) tr gamma_mu S(p)
};

class QuarkPropagator {
 public:
  /// `momenta` must outlive this object.
  QuarkPropagator(const SharedLattice& lattice, const QuarkMomenta& momenta);

  /// The points of all rows, of the quark field of a point source at `position`. Collective.
  std::vector<QuarkPropagatorPoint> operator()(const Field& quark, const Extents& position);

 private:
  void add_orbit(std::vector<QuarkPropagatorPoint>& points, const MomentumOrbit& orbit,
                 const Extents& position) const;

  SharedLattice lattice_;
  const QuarkMomenta& momenta_;
  SpinMatrices matrices_;
};

}  // namespace plaq
