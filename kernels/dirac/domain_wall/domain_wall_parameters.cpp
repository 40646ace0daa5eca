#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "core/operator/active_set.hpp"
#include "core/system/error.hpp"
#include "kernels/dirac/domain_wall/fifth_dimension.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::job_file, "domain-wall operator: " + what);
}

DomainWallParameters checked(std::vector<double> omega, std::vector<double> sigma, double m0, double mass) {
  DomainWallParameters p;
  p.m0 = m0;
  p.mass = mass;
  p.omega = std::move(omega);
  p.sigma = std::move(sigma);
  p.check();
  return p;
}

// Weights that are typed in have as many digits as that: sums and differences of decimal numbers.
bool nearly(double a, double b, double size) {
  constexpr double rounding = 1e-10;
  return std::abs(a - b) <= rounding * size;
}

std::vector<double> alike(int n_s, double weight) {
  return std::vector<double>(n_s > 0 ? static_cast<std::size_t>(n_s) : 0, weight);
}

}  // namespace

DomainWallParameters DomainWallParameters::shamir(int n_s, double m0, double mass) {
  return checked(alike(n_s, 1), alike(n_s, 0), m0, mass);
}
DomainWallParameters DomainWallParameters::borici(int n_s, double m0, double mass) {
  return checked(alike(n_s, 1), alike(n_s, 1), m0, mass);
}
DomainWallParameters DomainWallParameters::moebius(int n_s, double m0, double mass, double b5, double c5) {
  return checked(alike(n_s, b5), alike(n_s, c5), m0, mass);
}
DomainWallParameters DomainWallParameters::optimal(std::vector<double> weights, double m0, double mass) {
  return checked(weights, weights, m0, mass);
}
DomainWallParameters DomainWallParameters::general(std::vector<double> omega, std::vector<double> sigma,
                                                   double m0, double mass) {
  return checked(std::move(omega), std::move(sigma), m0, mass);
}

WilsonParameters DomainWallParameters::wilson() const {
  WilsonParameters p;
  p.mass = -m0;
  p.boundary = boundary;
  p.xi = xi;
  p.nu = nu;
  return p;
}

void DomainWallParameters::check() const {
  if (omega.empty()) refuse("the fifth dimension has no slices; Ls must be at least 1");
  if (omega.size() > static_cast<std::size_t>(ActiveSet::capacity))
    refuse("Ls = " + std::to_string(omega.size()) + " slices, but at most " +
           std::to_string(ActiveSet::capacity) + " are possible");
  if (sigma.size() != omega.size())
    refuse(std::to_string(omega.size()) + " weights omega but " + std::to_string(sigma.size()) +
           " weights sigma; each slice has one of both");
  for (std::size_t s = 0; s < omega.size(); ++s) {
    if (!(omega[s] > 0) || !std::isfinite(omega[s]))
      refuse("omega of slice " + std::to_string(s + 1) + " is " + std::to_string(omega[s]) +
             "; it must be greater than 0");
    if (!std::isfinite(sigma[s])) refuse("sigma of slice " + std::to_string(s + 1) + " is not finite");
  }
  if (!(m0 > 0 && m0 < 2)) refuse("m0 = " + std::to_string(m0) + ", but 0 < m0 < 2 is wanted");
  if (!std::isfinite(mass)) refuse("the mass is not finite");
  if (!(xi > 0 && nu > 0) || !std::isfinite(xi) || !std::isfinite(nu))
    refuse("xi = " + std::to_string(xi) + " and nu = " + std::to_string(nu) +
           ", but both must be greater than 0");
}

bool DomainWallParameters::same_on_all_slices() const {
  const auto alike = [](const std::vector<double>& x) {
    return std::adjacent_find(x.begin(), x.end(), std::not_equal_to<>()) == x.end();
  };
  return alike(omega) && alike(sigma);
}

bool DomainWallParameters::is_shamir() const {
  return std::all_of(omega.begin(), omega.end(), [](double w) { return w == 1; }) &&
         std::all_of(sigma.begin(), sigma.end(), [](double w) { return w == 0; });
}

bool DomainWallParameters::same_read_backwards() const {
  for (std::size_t s = 0, n = omega.size(); s < n; ++s) {
    const std::size_t mirror = n - 1 - s;
    if (!nearly(omega[s], omega[mirror], omega[s]) ||
        !nearly(sigma[s], sigma[mirror], omega[s] + std::abs(sigma[s])))
      return false;
  }
  return true;
}

bool DomainWallParameters::gamma5_hermitian() const {
  bool commute = true;
  for (std::size_t s = 0; s < omega.size(); ++s)
    commute = commute && nearly(omega[s] - sigma[s], omega[0] - sigma[0],
                                std::max(omega[s] + std::abs(sigma[s]), omega[0] + std::abs(sigma[0])));
  return commute || same_read_backwards();
}

void DomainWallParameters::check_even_odd() const {
  for (const int chirality : {chiral_plus, chiral_minus}) {
    const FifthMatrices of(*this, chirality);
    const double m = chirality == chiral_plus ? mass : minus_mass.value_or(mass);
    const std::string where = " is singular for Ls = " + std::to_string(Ls()) + ", m = " + std::to_string(m) +
                              " and these weights, so that there is no even-odd form";
    if (of.y.singular()) refuse("omega + sigma L" + where + " (as for odd Ls, sigma = omega and m = 1)");
    if (of.x.singular()) refuse("(1 + 3 nu/xi - m0) (omega + sigma L) + 1 - L" + where);
  }
}

}  // namespace plaq
