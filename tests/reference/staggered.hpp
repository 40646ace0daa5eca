// Staggered fermions: M = m + D/2,
//   (D chi)(x) = sum_mu eta_mu(x) [ U_mu(x) chi(x+mu) - U_mu(x-mu)^dagger chi(x-mu)
//                                 + c W_mu(x) chi(x+3mu) - c W_mu(x-3mu)^dagger chi(x-3mu) ],
//   eta_x = 1, eta_y = (-1)^x, eta_z = (-1)^(x+y), eta_t = (-1)^(x+y+z).
// One-link: c = 0. Each time that a hop goes around the lattice in direction mu, either way, it is multiplied
// by boundary[mu]; one of three steps may do so more than once on a small lattice.
#pragma once

#include <array>
#include <vector>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

using ColorField = std::vector<std::array<Complex, 3>>;  // [site][color]

ColorField random_colors(const Lattice& lattice, Generator& generator);  // normal numbers
// y <- y + a x
void add(ColorField& y, Complex a, const ColorField& x);
Complex dot(const ColorField& a, const ColorField& b);
ColorField times(const GaugeTransformation& g, const ColorField& in);

struct StaggeredParameters {
  double mass = 0.0;
  std::array<int, 4> boundary{1, 1, 1, -1};
  double naik = 0.0;  // c
};
struct StaggeredLinks {
  GaugeField near;  // U, any matrices
  GaugeField far;   // W
};

GaugeField random_matrices(const Lattice& lattice, Generator& generator);  // normal numbers
// U'_mu(x) = g(x) U_mu(x) g(x+mu)^dagger, W'_mu(x) = g(x) W_mu(x) g(x+3mu)^dagger
StaggeredLinks transformed(const StaggeredLinks& links, const GaugeTransformation& g);

int eta(const Lattice& lattice, int site, int mu);

ColorField staggered_hop(const StaggeredParameters& parameters, const StaggeredLinks& links,
                         const ColorField& in);
// The adjoint, taken from the formula block by block: (D^dagger)_{x,x'} = (D_{x',x})^dagger.
ColorField staggered_hop_dagger(const StaggeredParameters& parameters, const StaggeredLinks& links,
                                const ColorField& in);
ColorField staggered(const StaggeredParameters& parameters, const StaggeredLinks& links, const ColorField& in,
                     bool adjoint = false);

// On unit links D exp(i p x) chi = sum_mu 2 i eta_mu(x) s_mu exp(i p x) chi with
//   s_mu = sin p_mu + c sin 3 p_mu,
// and D D multiplies a plane wave by -4 sum_mu s_mu^2, on each parity.
std::array<double, 4> staggered_momentum(const StaggeredParameters& parameters, const Lattice& lattice,
                                         const Coordinates& n);
std::array<double, 4> staggered_sines(const StaggeredParameters& parameters, const std::array<double, 4>& p);

}  // namespace plaq::reference
