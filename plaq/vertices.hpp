// Vertices of quark bilinears between quarks of given momenta.
#pragma once

#include <array>
#include <map>
#include <string>

#include "observables/quark/vertex_values.hpp"
#include "plaq/spinor_field.hpp"

namespace plaq {

/// S(p) = (1/V) sum_x exp(-i p x) psi(x), rows and columns 3 * spin + color, of a quark field with
/// M psi = exp(i p x) from volume_momentum_source(). Throws Error(usage) if the quark has no spin, is not
/// in double precision, is of another source or of an unknown boundary, or if the momentum is outside the
/// Brillouin zone. Collective; the bits do not depend on the process grid, as of quark_vertices().
/// @param quark  quark field of twelve columns
/// @param n  momentum of its source, by the integers of p = 2 pi n / L, where the quark is antiperiodic of
///           2 pi (n + 1/2) / L
OpenSpinColor momentum_propagator(const Propagator& quark, const std::array<int, 4>& n);

/// Vertices G_Gamma(p_out, p_in) = (1/V) sum_x exp(-i (p_in - p_out) x) gamma5 psi_out(x)^dagger gamma5 Gamma
/// psi_in(x) of all 16 bilinears by the names of all_loop_currents(): "scalar", "vector_x", ... With means
/// over gauge fields in Landau gauge, Lambda = S(p_out)^-1 G S(p_in)^-1 is the amputated vertex of RI/MOM
/// (Martinelli et al., hep-lat/9411010) and RI/SMOM (Sturm et al., 0901.2599); on unit links it is Gamma. M
/// must be gamma5-hermitian. The gauge is not checked here: see expect_fixed(). Throws Error(usage) as
/// momentum_propagator(), and if the quarks are of different gauge fields or boundaries, or have a twist.
/// @param in  quark field of the quark that comes in
/// @param n_in  momentum of its source
/// @param out  quark field of the quark that leaves; it may be the same
/// @param n_out  momentum of its source
std::map<std::string, OpenSpinColor> quark_vertices(const Propagator& in, const std::array<int, 4>& n_in,
                                                    const Propagator& out, const std::array<int, 4>& n_out);

/// Vertices of four-quark operators (sbar Gamma d)(sbar Gamma d) of the same quarks, summed over the Gamma of
/// "scalar", "pseudoscalar", "vector", "axial" and "tensor":
///   (1/V) sum_x exp(-2i (p_in - p_out) x) sum_Gamma V_ab V_cd,
///   V = gamma5 psi_out^dagger gamma5 Gamma psi_in,
/// with the colors of each V joined or those of both crossed. Means of them in Landau gauge renormalise B_K
/// and the like by RI/MOM and RI/SMOM (python/plaq/analysis/four_quark.py). Errors are those of
/// quark_vertices().
/// @param in  quark field of both quarks that come in
/// @param n_in  momentum of its source
/// @param out  quark field of both quarks that leave; it may be the same
/// @param n_out  momentum of its source
std::map<std::string, FourQuarkSpins> four_quark_vertices(const Propagator& in,
                                                          const std::array<int, 4>& n_in,
                                                          const Propagator& out,
                                                          const std::array<int, 4>& n_out);

}  // namespace plaq
