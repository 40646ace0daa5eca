// Neighbours: fields shifted by a site, with or without the links between, and products of links along paths.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "plaq/color_matrix_field.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/spinor_field.hpp"

namespace plaq {

/// One hop: mu = 0..3 for x, y, z, t, forward or backward.
struct Hop {
  int mu = 0;           ///< direction, 0 to 3
  bool forward = true;  ///< to x + mu, else to x - mu
};
inline Hop forward(int mu) { return {mu, true}; }    ///< hop to x + mu
inline Hop backward(int mu) { return {mu, false}; }  ///< hop to x - mu

/// Field f with f(x) = in(x + mu) for a forward hop and in(x - mu) for a backward one, around the lattice
/// without a boundary sign. Throws Error(usage) if there is no such direction. Quark fields keep their note
/// but for the position of the source, from which correlators would count. This holds for all functions here.
SpinorField shift(const SpinorField& in, Hop hop);
ColorMatrixField shift(const ColorMatrixField& in, Hop hop);
GaugeField shift(const GaugeField& in, Hop hop);

/// f(x) = U_mu(x) in(x + mu), or U_mu(x - mu)^dagger in(x - mu).
SpinorField covariant_shift(const GaugeField& gauge, const SpinorField& in, Hop hop);
ColorMatrixField covariant_shift(const GaugeField& gauge, const ColorMatrixField& in, Hop hop);
/// (1/2) [U_mu(x) in(x + mu) - U_mu(x - mu)^dagger in(x - mu)].
SpinorField covariant_derivative(const GaugeField& gauge, const SpinorField& in, int mu);
/// The mean of the products E_1 E_2 ... in over all orders of the directions, different letters of "xyzt",
///   (E_mu f)(x) = (1/2) [U_mu(x) f(x + mu) + U_mu(x - mu)^dagger f(x - mu)],
/// by which bilinears of staggered quarks have different spin and taste.
SpinorField symmetric_shift(const GaugeField& gauge, const SpinorField& in, std::string_view directions);

/// Product of links along a path from x: the first hop of the path is the leftmost factor. No hop gives 1.
ColorMatrixField path_product(const GaugeField& gauge, std::span<const Hop> path);

}  // namespace plaq
