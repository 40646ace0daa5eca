// Two-point function of the local staggered baryon from propagators of three columns: Golterman, Smit, Nucl.
// Phys. B 255 (1985) 328; the nucleon of MILC's spectrum. Of one quark it is
//
//   C(p, t) = sum over x with r_x, r_y, r_z even of exp(-i p r) (-1)^(t (x_0 + y_0 + z_0)) 6 det S(x),
//
// r = x - x_source, S_ab(x) = (M^-1)_ab(x, source) as in staggered_mesons.hpp, and 6 det S = eps_abc
// eps_a'b'c' S_aa' S_bb' S_cc': the operator eps_abc chi_a chi_b chi_c of three quarks at one corner of each
// spatial cube of 2^3 sites, at both ends. It has the nucleon with other tastes of spin 1/2 and 3/2, as every
// local operator has. Quarks u, d and s have eps_abc eps_a'b'c' S1_aa' S2_bb' S3_cc' in place of 6 det S, of
// the operator eps_abc u_a d_b s_c. The sign in t is there for sources whose coordinates in space add up to
// an odd number: with phases eta_t = (-1)^(x+y+z), it makes C the same when links and source are moved
// together. No volume factor.
//
// The state of the nucleon's parity decays as it is, its partner of negative parity with signs that
// alternate. With b the sign of the quarks' boundary in time, taken out as in baryons.hpp,
// C(T - t) = b (-1)^t C(t) on the average:
//   C(t) = sum_n A_n [e^(-m_n t) + b (-1)^t e^(-m_n (T-t))] - (-1)^t sum_n B_n
//     [e^(-m'_n t) + b (-1)^t e^(-m'_n (T-t))].
#pragma once

#include "kernels/quark/momentum_projection.hpp"

namespace plaq {

class StaggeredBaryonContraction {
 public:
  // The grid must outlive this object.
  StaggeredBaryonContraction(const ProcessGrid& grid, GeometryPtr geometry, std::vector<Momentum> momenta,
                             const Queue& queue);

  // [one channel][momentum][t], t from the source's slice. Propagator as for StaggeredMesonContraction;
  // `source`: its site, of a corner wall the corner. `time_boundary` as for ProtonContraction. Collective,
  // waits; the same bits on any process grid.
  Correlators operator()(const Field& s, const Extents& source, int time_boundary) {
    return (*this)(s, s, s, source, time_boundary);
  }
  // C of three quarks with one boundary. Where all are one object, it is the function above.
  Correlators operator()(const Field& s1, const Field& s2, const Field& s3, const Extents& source,
                         int time_boundary);

 private:
  MomentumProjection project_;
  Field density_;
};

}  // namespace plaq
