// Two-point functions of the local staggered mesons from a propagator of three columns: Golterman, Nucl.
// Phys. B 273 (1986) 663; Gupta, Guralnik, Kilcup, Sharpe, Phys. Rev. D 43 (1991) 2003. The names are those
// of MILC's spectrum: pseudoscalar, scalar, vector, pseudovector.
//
//   C(p, t) = sum_x exp(-i p r) phi(r) sum_ab S1_ab(x) S2_ab(x)^*,   r = x - x_source,
//
// S_ab(x) = (M^-1)_ab(x, source), M = m + D/2 (kernels/dirac/staggered/staggered_parameters.hpp), which is
// 2 (2 m + D)^-1; where S1 = S2, sum_ab |S_ab|^2. The quark that runs back is eps(r) S2(x)^dagger,
// eps = (-1)^(x+y+z+t), since D is anti-Hermitian and joins sites of different parity: chibar(x) eps(r)
// phi(r) chi(x) is the operator at both ends. No volume factor, no sign of
// the boundary (two quarks cross it).
//
//   channel            phi                  operator: spin x taste     partner
//   pion_ps            1                    gamma5 x xi5, Goldstone    (0+-, exotic)
//   pion_sc            (-1)^(x+y+z)         gamma_t gamma5 x same      a0: 1 x 1
//   rho_vt_x, _y, _z   (-1)^x_k             gamma_k x same             b1: gamma_i gamma_j x same
//   rho_pv_x, _y, _z   (-1)^(x_i + x_j)     gamma_k gamma_t x same     a1: gamma_k gamma5 x same
//   rho_vt, rho_pv     sums of the three; i, j, k are x, y, z in any order
//
// Each has, beside the state of its name and its excitations, the partner of other parity, whose signs
// alternate in time (Golterman, Smit, Nucl. Phys. B 255 (1985) 328):
//   C(t) = sum_n A_n [e^(-m_n t) + e^(-m_n (T-t))] - (-1)^t sum_n B_n [e^(-m'_n t) + e^(-m'_n (T-t))],
// T even. The sum over x of |S|^2 alone is pion_ps, which bounds all with one sign a site.
//
// phi counts from the source, so that translating links and source together changes nothing: under a shift
// by one site the phases eta_mu change, as by chi -> +-chi, which |S|^2 does not see. The momenta are
// those of MomentumProjection at p + pi in the directions of phi: extents in space must be even, as those of
// a Geometry always are.
#pragma once

#include <string>
#include <vector>

#include "kernels/quark/momentum_projection.hpp"

namespace plaq {

// 1 in the directions k whose (-1)^x_k is a factor.
using Corner = std::array<int, 3>;

struct StaggeredChannel {
  std::string name;
  std::vector<Corner> corners;  // phi is the sum of their signs
};

std::vector<StaggeredChannel> staggered_channels();
// Throws Error(internal) where there is none of that name: jobs offer the names above.
StaggeredChannel staggered_channel(const std::string& name);

class StaggeredMesonContraction {
 public:
  // The grid must outlive this object.
  StaggeredMesonContraction(const ProcessGrid& grid, GeometryPtr geometry,
                            std::vector<StaggeredChannel> channels, const std::vector<Momentum>& momenta,
                            const Queue& queue);

  // Momenta onto which its one density is projected.
  static int projected(const std::vector<StaggeredChannel>& channels, int momenta);

  const std::vector<StaggeredChannel>& channels() const { return channels_; }

  // [channel][momentum][t], t from the source's slice. Propagators: three columns of color vectors on both
  // parities, at the queue's location, double or single (summed in double). `source`: its site; of a
  // wall, the origin of phi and p. Collective, waits; the same bits on any process grid.
  Correlators operator()(const Field& s1, const Field& s2, const Extents& source);
  Correlators operator()(const Field& s, const Extents& source) { return (*this)(s, s, source); }

 private:
  std::vector<StaggeredChannel> channels_;
  std::size_t momenta_;
  std::vector<Corner> corners_;  // all that occur; momentum p at corner i is number i * momenta_ + p
  MomentumProjection project_;
  Field density_;
};

}  // namespace plaq
