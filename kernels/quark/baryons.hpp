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

#include "core/system/error.hpp"
#include "kernels/quark/baryon_terms.hpp"
#include "kernels/quark/momentum.hpp"
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

// Two-point functions of any baryons (baryon_terms.hpp), X(p, t) = sum_x exp(-i p (x - x_source)) X(x), X the
// matrix of the spins of sink and source, of three propagators. The same signs and boundary as above.
class BaryonContraction {
 public:
  // `with_matrix`: also X itself. The grid must outlive this object.
  BaryonContraction(const ProcessGrid& grid, GeometryPtr geometry, std::vector<Baryon> baryons,
                    bool with_matrix, std::vector<Momentum> momenta, const Queue& queue);

  const std::vector<Baryon>& baryons() const { return baryons_; }
  // Channels of each baryon: tr[P X] with P = (1 + gamma_t)/2 and with P = (1 - gamma_t)/2, then with the
  // matrix X_ij, i the spin of the sink, as 2 + 4 i + j.
  int channels() const { return density_.subfields(); }

  // [baryon * channels() + channel][momentum][t], t from the source's slice. A,
  // B and C as for MesonContraction;
  // those that are one object are contracted as one. Collective, waits; the same bits on any process grid.
  Correlators operator()(const Field& a, const Field& b, const Field& c, const Extents& source,
                         int time_boundary);
  Correlators operator()(const Field& s, const Extents& source, int time_boundary) {
    return (*this)(s, s, s, source, time_boundary);
  }

 private:
  void add_density(const Baryon& baryon, const std::array<const Field*, 3>& quarks);

  std::vector<Baryon> baryons_;
  MomentumProjection project_;
  Field density_;
};

// Three quarks carry the sign of their boundary condition in time across it. 0: Dirichlet, nothing crosses.
inline void expect_boundary_sign(int time_boundary) {
  require(time_boundary >= -1 && time_boundary <= 1, "the sign of a boundary condition is none of 1, -1, 0");
}

// Takes it out of the slices before the source (t >= T - source_slice): correlators of baryons then depend on
// t alone and not on where the source is. With Dirichlet boundaries these slices are reached back in time.
inline void take_boundary_out(Correlators& correlators, int source_slice, int time_boundary) {
  if (time_boundary == 0) return;
  for (auto& channel : correlators)
    for (auto& correlator : channel)
      for (std::size_t t = correlator.size() - static_cast<std::size_t>(source_slice); t < correlator.size();
           ++t)
        correlator[t] *= time_boundary;
}

}  // namespace plaq
