// Bilinears of staggered quarks with a spin and a taste, by name (Golterman, Nucl. Phys. B 273 (1986) 663).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace plaq {

/// The bilinear chibar (Gamma x Xi) chi, Gamma = gamma_x^a gamma_y^b gamma_z^c gamma_t^d with exponents 0 or
/// 1 of the spin, and Xi likewise of the taste:
///   O(x) = chibar(x) phi(x) (E chi)(x),  phi(x) = (-1)^(n x),
///   n_mu = |Gamma| + Gamma_mu + sum_(nu<mu) d_nu mod 2,  |Gamma| the sum of the exponents of the spin.
/// E is the symmetric shift (kernels/field/symmetric_shift.hpp) in the directions d in which Gamma and Xi
/// differ. phi is the sign of tr[Omega(x)^dagger Gamma Omega(x + d) Xi^dagger], Omega(x) = gamma_x^x
/// gamma_y^y gamma_z^z gamma_t^t, but for a constant.
struct SpinTaste {
  std::array<int, 4> spin{}, taste{};  ///< exponents of gamma_x, gamma_y, gamma_z, gamma_t

  /// Directions of the shift, a bit 1 << mu each.
  unsigned shift() const;
  /// n as above.
  std::array<int, 4> phase() const;
  /// 1 if Gamma anticommutes with gamma_t, as that of pion and rho, else -1.
  int sign() const;
  /// Its name, SPIN-TASTE, in MILC's letters: "G5-G5X". Spins and tastes are G1, GX, GY, GZ, GT, GXY, GYZ,
  /// GZX, GXT, GYT, GZT, G5X, G5Y, G5Z, G5T and G5.
  std::string name() const;
};

/// Letters of the directions of a shift: "xyt".
std::string directions_of(unsigned shift);

/// A meson: the sum of correlators of bilinears.
struct TasteChannel {
  std::string name;
  std::vector<SpinTaste> terms;
};

/// Names of the multiplets of pion and rho, sums over the directions i = x, y, z, in MILC's notation: 0 is
/// the direction of time, s the taste singlet.
///   pion_5   G5-G5    pion_i5  G5-G5i    pion_ij  G5T-Gjk   pion_i   G5T-Gi
///   pion_05  G5T-G5T  pion_i0  G5-GiT    pion_0   G5-GT     pion_s   G5T-G1
///   rho_i    Gi-Gi    rho_is   Gi-G1     rho_i0   GiT-GiT   rho_0    GiT-GT
std::vector<std::string> taste_multiplets();
/// The meson of a name: a multiplet, or one of all 256 pairs SPIN-TASTE. None: there is no such name.
std::optional<TasteChannel> taste_channel(const std::string& name);

}  // namespace plaq
