// The launches behind kernels/dirac/force/wilson_force.hpp for one machine, in double precision. Fields live
// on one extended geometry, but for the inverse of the clover term.
#pragma once

#include <span>

#include "core/field/field.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq {

template <class Target>
struct WilsonForceLaunch {
  // `pairs`: X_i in subfield i, Y_i in the same place of the second half. As many as there are weights count.
  static void hops(Field& force, const Field& links, const Field& pairs, std::span<const double> weights,
                   const WilsonParameters& parameters, const Queue& queue);
  static void insert_pairs(Field& z, const Field& pairs, std::span<const double> weights,
                           const CloverCoefficients& clover, const Queue& queue);
  // `blocks` become the W of exponential clover quarks; `exponent`: A/d. Both without halo.
  static void exponential_pairs(Field& blocks, const Field& exponent, const Field& pairs,
                                std::span<const double> weights, int halvings, const Queue& queue);
  // W = (flavours/2) `inverse`
  static void insert_determinant(Field& z, const Field& inverse, int parity, double flavours,
                                 const CloverCoefficients& clover, const Queue& queue);
  static void leaves(Field& force, const Field& links, const Field& z, const Queue& queue);
};

}  // namespace plaq
