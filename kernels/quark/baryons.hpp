// The proton's two-point function from quark propagators, Gattringer, Lang 2010, chapter 6:
//   chi = eps_abc (u_a^T C gamma5 d_b) u_c,  C = gamma_t gamma_y,  chibar = chi^dagger gamma_t,
//   C(p, t) = sum_x exp(-i p (x - x_source)) tr[ P < chi(x) chibar(source) > ]
//     = sum_x exp(...) eps_abc eps_a'b'c' tr[D~^bb' (U^aa')^T] tr[P U^cc'] + tr[P U^cc' (D~^bb')^T U^aa'],
//   D~ = (C gamma5) D (C gamma5)^T,
// traces over spin, U and D the propagators of u and d, no volume factor. Channels: "proton" with
// P = (1 + gamma_t)/2, "proton_minus" with P = (1 - gamma_t)/2. Going up in time the first is the proton, and
// positive, the second its partner of negative parity, and negative. Coming back around the lattice they
// exchange roles: with antiperiodic quarks, C_minus(0, T - t) = -C_proton(0, t) on the average.
#pragma once

#include <string>

#include "kernels/quark/momentum_projection.hpp"

namespace plaq {

class ProtonContraction {
 public:
  // The grid must outlive this object.
  ProtonContraction(const ProcessGrid& grid, GeometryPtr geometry, std::vector<Momentum> momenta,
                    const Queue& queue);

  static std::vector<std::string> channels() { return {"proton", "proton_minus"}; }

  // [channel][momentum][t], t from the source's slice. Propagators as for MesonContraction. `time_boundary`:
  // the sign of the quarks' boundary condition in time. Three quarks carry it across the boundary: it is
  // taken out of the slices before the source (t >= T - source[3]), so that C depends on t alone and not on
  // where the source is. Collective, waits; the same bits on any process grid.
  Correlators operator()(const Field& up, const Field& down, const Extents& source, int time_boundary);
  Correlators operator()(const Field& s, const Extents& source, int time_boundary) {
    return (*this)(s, s, source, time_boundary);
  }

 private:
  MomentumProjection project_;
  Field density_;
};

}  // namespace plaq
