#include "plaq/actions.hpp"

#include <cmath>
#include <string>

#include "core/system/error.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse(const std::string& action, const std::string& what) {
  throw Error(ErrorKind::usage, action + "(): " + what);
}

// `open_time`: 0 in time, Dirichlet boundaries, is allowed.
void expect_boundary(const std::string& action, const BoundarySigns& boundary, bool open_time = false) {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (boundary[mu] != 1 && boundary[mu] != -1 && !(open_time && mu == 3 && boundary[mu] == 0))
      refuse(action, open_time ? "each sign of boundary must be 1 or -1, or 0 in time"
                               : "each sign of boundary must be 1 or -1");
}

template <class Settings>
double mass_of(const std::string& action, const Settings& s) {
  expect_boundary(action, s.boundary, true);
  if (s.mass.has_value() == s.kappa.has_value()) refuse(action, "give either mass or kappa");
  if (s.kappa && !(*s.kappa > 0 && std::isfinite(*s.kappa))) refuse(action, "kappa must be positive");
  if (s.mass && !std::isfinite(*s.mass)) refuse(action, "mass is not a finite number");
  if (!(s.xi > 0 && s.nu > 0 && std::isfinite(s.xi) && std::isfinite(s.nu)))
    refuse(action, "xi and nu must be positive");
  if (!std::isfinite(s.twisted_mass)) refuse(action, "twisted_mass is not a finite number");
  return s.mass ? *s.mass : WilsonParameters::mass_of_kappa(*s.kappa);
}

StaggeredParameters staggered_parameters(const std::string& action, double mass,
                                         const BoundarySigns& boundary) {
  expect_boundary(action, boundary);
  if (!(mass > 0 && std::isfinite(mass))) refuse(action, "mass must be greater than 0");
  StaggeredParameters p;
  p.mass = mass;
  p.boundary = boundary;
  return p;
}

}  // namespace

ActionPtr wilson(const WilsonSettings& s) {
  return wilson_action({mass_of("wilson", s), s.xi, s.nu, s.boundary, {}, s.twisted_mass});
}

ActionPtr clover(const CloverSettings& s) {
  const double mass = mass_of("clover", s);
  if (s.c_sw && (s.c_r || s.c_t)) refuse("clover", "give c_sw, or c_r and c_t");
  if (!s.c_sw && !(s.c_r && s.c_t))
    refuse("clover", "c_sw is missing, or c_r and c_t of an anisotropic lattice");
  if (s.c_sw && s.xi != 1) refuse("clover", "c_sw is for xi = 1; give c_r and c_t");
  for (const auto& c : {s.c_sw, s.c_r, s.c_t})
    if (c && !std::isfinite(*c)) refuse("clover", "a coefficient of the clover term is not a finite number");
  CloverCoefficients term =
      s.c_sw ? CloverCoefficients::isotropic(*s.c_sw) : CloverCoefficients{*s.c_r / s.xi, *s.c_t};
  term.exponential = s.exponential;
  return wilson_action({mass, s.xi, s.nu, s.boundary, term, s.twisted_mass});
}

ActionPtr staggered(const StaggeredSettings& s) {
  return staggered_action(staggered_parameters("staggered", s.mass, s.boundary));
}

ActionPtr asqtad(const AsqtadSettings& s) {
  if (!(s.u0 > 0 && std::isfinite(s.u0))) refuse("asqtad", "u0 must be positive");
  return asqtad_action({staggered_parameters("asqtad", s.mass, s.boundary), s.u0});
}

ActionPtr hisq(const HisqSettings& s) {
  if (!std::isfinite(s.epsilon)) refuse("hisq", "epsilon is not a finite number");
  return hisq_action({staggered_parameters("hisq", s.mass, s.boundary), s.epsilon});
}

ActionPtr domain_wall(const DomainWallSettings& s) {
  expect_boundary("domain_wall", s.boundary);
  const bool weights = !s.omega.empty() || !s.sigma.empty();
  if (weights != (s.variant == DomainWall::general))
    refuse("domain_wall", "give omega and sigma together, with variant = DomainWall::general");
  DomainWallChoice choice;
  choice.kind = static_cast<WallKind>(s.variant);
  choice.n_s = weights ? static_cast<int>(s.omega.size()) : s.n_s;
  choice.m0 = s.m0;
  choice.mass = s.mass;
  choice.b5 = s.b5;
  choice.c5 = s.c5;
  choice.omega = s.omega;
  choice.sigma = s.sigma;
  if (s.bounds) choice.bounds = SpectralBounds{(*s.bounds)[0], (*s.bounds)[1]};
  choice.boundary = s.boundary;
  choice.xi = s.xi;
  choice.nu = s.nu;
  try {
    choice.parameters(any_bounds).check_even_odd();
  } catch (const Error& error) {
    refuse("domain_wall", error.what());
  }
  return domain_wall_action(choice);
}

int spins_of(const Action& action) { return action.spins(); }
int columns_of(const Action& action) { return action.columns(); }

}  // namespace plaq
