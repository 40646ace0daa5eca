// Products of powers, the functions that rational functions approximate: f(x) = prod_k (x + m_k^2)^(p_k).
#pragma once

#include <string>
#include <vector>

namespace plaq {

/// (x + mass2)^power, for example power -1/4 for one staggered quark of mass m, mass2 = m^2.
struct PowerFactor {
  double power = 0;  // p_k
  double mass2 = 0;  // m_k^2, in units of x
};

/// f(x) = prod_k (x + m_k^2)^(p_k).
class PowerProduct {
 public:
  /// Throws Error(job_file) unless there is a factor, all powers are finite and not 0, and all mass2 are
  /// finite and not negative.
  explicit PowerProduct(std::vector<PowerFactor> factors);
  /// x^power. Throws Error(job_file) unless `power` is finite and not 0.
  explicit PowerProduct(double power) : PowerProduct(std::vector{PowerFactor{power, 0}}) {}

  const std::vector<PowerFactor>& factors() const { return factors_; }
  double operator()(double x) const;  // f(x), x > 0
  PowerProduct inverse() const;       // 1/f
  /// For messages: "x^0.25", "(x + 1.296e-05)^0.25 (x + 0.16)^-0.375".
  std::string text() const;

 private:
  std::vector<PowerFactor> factors_;
};

}  // namespace plaq
