// Fourier transforms of fields.
#pragma once

#include <array>
#include <complex>
#include <cstddef>

#include "plaq/color_matrix_field.hpp"
#include "plaq/host_field.hpp"
#include "plaq/spinor_field.hpp"

namespace plaq {

/// Direction and sign of a Fourier transform.
struct FourierSettings {
  bool backward = false;                                      ///< from momenta to sites, exp(i p x) / V
  std::array<bool, 4> directions = {true, true, true, true};  ///< those of x, y, z, t that are transformed
};

/// Fourier transform of each number of a field,
///   f(p) = sum over x of exp(-i p x) f(x),
/// where p_mu = 2 pi n_mu / L_mu in each transformed direction mu. f(p) is at the site with coordinates
/// n_mu = 0 to L_mu - 1, so that n_mu > L_mu / 2 means the momentum n_mu - L_mu. Other directions keep
/// their coordinates. `backward` gives
///   f(x) = (1/V) sum over p of exp(i p x) f(p),
/// where V is the product of the transformed L_mu. Phases are relative to the site (0, 0, 0, 0), and no
/// boundary sign is taken out. Each value of a site is transformed for itself, in double precision.
///
/// Directions follow each other in the order x, y, z, t, each by a fast transform (Cochran et al., Proc. IEEE
/// 55 (1967) 1664). The bits do not depend on the process grid or on the location. Throws Error(usage) if a
/// rank has more than 2^30 numbers. Collective.
template <class T>
HostField<T> fourier_transform(HostField<T> field, const FourierSettings& settings = {});
/// Columns and slices of a quark field are transformed one after the other, where the field is and in its
/// precision. The note of the result is empty.
SpinorField fourier_transform(const SpinorField& field, const FourierSettings& settings = {});
ColorMatrixField fourier_transform(const ColorMatrixField& field, const FourierSettings& settings = {});

namespace detail {
/// Transforms [count][site][numbers] of double or float in place.
template <class T>
void transform_sites(const Lattice& lattice, std::complex<T>* values, std::size_t count, std::size_t numbers,
                     const FourierSettings& settings);
}  // namespace detail

template <class T>
HostField<T> fourier_transform(HostField<T> field, const FourierSettings& settings) {
  detail::transform_sites(field.lattice(), field.data(), static_cast<std::size_t>(field.count()),
                          sizeof(T) / sizeof(std::complex<double>), settings);
  return field;
}

}  // namespace plaq
