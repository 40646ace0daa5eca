// Actions of quarks: which Dirac matrix M a solver inverts.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace plaq {

/// An action with its parameters, before there is a gauge field. Made by the functions below.
class Action;
using ActionPtr = std::shared_ptr<const Action>;

/// Sign of quarks around the lattice in x, y, z, t.
using BoundarySigns = std::array<int, 4>;
inline constexpr BoundarySigns antiperiodic_in_time{1, 1, 1, -1};

/// Wilson quarks, Clark et al. 2010, eq. (1): M = m + 1 + 3 nu/xi - (1/2)
/// [hop_t + (nu/xi) hop_s], m = 1/(2 kappa) - 4.
struct WilsonSettings {
  std::optional<double> mass = {}, kappa = {};  // one of them; the mass in lattice units
  BoundarySigns boundary = antiperiodic_in_time;
  double xi = 1, nu = 1;  // bare anisotropy a_s/a_t, and coefficient of the hops in space
};
/// Wilson quarks with a clover term, M - (1/2) sum_{mu<nu} c_mu,nu sigma_mu,nu F_mu,nu. c_sw is for xi = 1;
/// in its place c_r is for planes in space, whose coefficient is c_r/xi, and c_t for planes with time.
struct CloverSettings {
  std::optional<double> mass = {}, kappa = {};
  std::optional<double> c_sw = {}, c_r = {}, c_t = {};
  BoundarySigns boundary = antiperiodic_in_time;
  double xi = 1, nu = 1;
};
/// Staggered quarks, M = mass + D/2 (MILC's mass), D = sum_mu eta_mu (U_mu hop - h.c.).
struct StaggeredSettings {
  double mass = 0;
  BoundarySigns boundary = antiperiodic_in_time;
};
/// Staggered quarks on asqtad links made of thin ones, with the tadpole factor u0.
struct AsqtadSettings {
  double mass = 0;
  double u0 = 1;
  BoundarySigns boundary = antiperiodic_in_time;
};
/// HISQ quarks on links made of thin ones. The Naik term has the coefficient -(1 + epsilon)/24.
struct HisqSettings {
  double mass = 0;
  double epsilon = 0;
  BoundarySigns boundary = antiperiodic_in_time;
};
/// Domain-wall quarks, Chiu et al. 2010: weights omega_s and sigma_s of each slice.
enum class DomainWall { shamir, borici, moebius, optimal, general };
struct DomainWallSettings {
  DomainWall variant =
      DomainWall::shamir;  // omega, sigma: shamir 1, 0; borici 1, 1; moebius b5, c5; optimal Zolotarev's
  int n_s = 8;             // extent Ls of the fifth dimension
  double m0 = 1.8;         // height of the wall, 0 < m0 < 2
  double mass = 0;         // coefficient of the boundary term in the fifth dimension
  double b5 = 1, c5 = 0;   // moebius
  std::vector<double> omega = {}, sigma = {};  // general: one number a slice
  std::optional<std::array<double, 2>> bounds =
      std::nullopt;  // optimal: of |H_w|; none: measured on each gauge field
  BoundarySigns boundary = antiperiodic_in_time;
  double xi = 1, nu = 1;  // anisotropy of the kernel D_w
};

/// Each throws Error(usage) if parameters are missing, contradict each other or are out of range.
ActionPtr wilson(const WilsonSettings& settings);
ActionPtr clover(const CloverSettings& settings);
ActionPtr staggered(const StaggeredSettings& settings);
ActionPtr asqtad(const AsqtadSettings& settings);
ActionPtr hisq(const HisqSettings& settings);
ActionPtr domain_wall(const DomainWallSettings& settings);

/// Spins of the quark fields of an action, 4 or 1, and columns of its propagators, 12 or 3.
int spins_of(const Action& action);
int columns_of(const Action& action);

}  // namespace plaq
