#include "dynamics/rational/rational_function.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/system/error.hpp"

namespace plaq {
namespace {

bool positive_numbers(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x > 0 && std::isfinite(x); });
}

// a_i = A (nu_i^2 - mu_i^2) prod_{j != i} (nu_j^2 - mu_i^2)/(mu_j^2 - mu_i^2): differences of stored numbers,
// so that both forms are the same function to rounding.
double residue(double amplitude, const std::vector<double>& nu2, const std::vector<double>& mu2,
               std::size_t i) {
  long double a = amplitude;
  for (std::size_t j = 0; j < mu2.size(); ++j) {
    const long double above = static_cast<long double>(nu2[j]) - mu2[i];
    a *= j == i ? above : above / (static_cast<long double>(mu2[j]) - mu2[i]);
  }
  return static_cast<double>(a);
}

}  // namespace

RationalFunction::RationalFunction(double amplitude, std::vector<double> nu2, std::vector<double> mu2)
    : amplitude_(amplitude), nu2_(std::move(nu2)), mu2_(std::move(mu2)) {
  require(nu2_.size() == mu2_.size(), "a rational function has as many zeros as poles");
  require(positive_numbers({amplitude_}) && positive_numbers(nu2_) && positive_numbers(mu2_),
          "a rational function has a positive amplitude, and zeros and poles at negative x");
  std::sort(nu2_.begin(), nu2_.end());
  std::sort(mu2_.begin(), mu2_.end());
  require(std::adjacent_find(mu2_.begin(), mu2_.end()) == mu2_.end(), "a rational function has simple poles");
  for (std::size_t i = 0; i < mu2_.size(); ++i) residues_.push_back(residue(amplitude_, nu2_, mu2_, i));
}

double RationalFunction::operator()(double x) const {
  double r = amplitude_;
  for (std::size_t i = 0; i < mu2_.size(); ++i) r *= (x + nu2_[i]) / (x + mu2_[i]);
  return r;
}

double RationalFunction::sum_over_poles(double x) const {
  double r = amplitude_;
  for (std::size_t i = mu2_.size(); i-- > 0;) r += residues_[i] / (x + mu2_[i]);
  return r;
}

RationalFunction RationalFunction::inverse() const { return {1 / amplitude_, mu2_, nu2_}; }

std::vector<RationalFunction> RationalFunction::split(const std::vector<int>& sizes) const {
  std::vector<RationalFunction> factors;
  std::ptrdiff_t first = 0;
  for (const int size : sizes) {
    require(size > 0 && first + size <= degree(), "factors of a rational function share all of its pairs");
    const auto part = [&](const std::vector<double>& all) {
      return std::vector<double>(all.begin() + first, all.begin() + first + size);
    };
    factors.emplace_back(factors.empty() ? amplitude_ : 1.0, part(nu2_), part(mu2_));
    first += size;
  }
  require(first == degree(), "factors of a rational function share all of its pairs");
  return factors;
}

}  // namespace plaq
