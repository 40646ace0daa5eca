#include "dynamics/monomial/inverse_root.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/log.hpp"

namespace plaq {

InverseRoot::InverseRoot(std::shared_ptr<SeaQuark> quark, const InverseRootSettings& settings)
    : quark_(std::move(quark)), settings_(settings) {
  require(settings.factors >= 1, "a function has at least one factor");
  require(!settings.targets.empty(), "rational functions near at least one function");
  if (settings.range) approximate_on(*settings.range);
}

void InverseRoot::measure(const Field& links) {
  if (links_version_.is_of(links)) return;
  quark_->update(links);
  measured_ = quark_->spectral_range();
  const auto [low, high] = measured_;
  if (factors_.empty() || low < range_.low || high > range_.high) {
    if (settings_.range)
      throw MdFailure(
          fmt::format("the eigenvalues of {} are from {:.3g} to {:.3g} for {}, and the rational function is "
                      "good from {:.3g} to {:.3g}; take a wider range",
                      quark_->operator_text(), low, high, quark_->mass_text(), range_.low, range_.high));
    const bool first = factors_.empty();
    const double wide_low = std::max(0.5 * low, quark_->least_eigenvalue()), wide_high = 1.1 * high;
    try {
      approximate_on(first ? SpectralRange{wide_low, wide_high}
                           : SpectralRange{std::min(range_.low, wide_low), std::max(range_.high, wide_high)});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::job_file && error.kind() != ErrorKind::not_converged) throw;
      throw MdFailure(error.what());
    }
  }
  links_version_ = VersionOf(links);
}

// r_k^(-1/2) is a product of powers itself.
const RationalFunction& InverseRoot::root_of_inverse(int k) {
  const auto found = roots_of_inverses_.find(k);
  if (found != roots_of_inverses_.end()) return found->second;
  const RationalFunction& r = factor(k);
  std::vector<PowerFactor> powers;
  for (const double mu2 : r.mu2()) powers.push_back({0.5, mu2});
  for (const double nu2 : r.nu2()) powers.push_back({-0.5, nu2});
  constexpr double error = 1e-12;
  const RationalFunction s = approximate_within(PowerProduct(std::move(powers)), range_, error).function;
  const RationalFunction scaled(s.amplitude() / std::sqrt(r.amplitude()), s.nu2(), s.mu2());
  return roots_of_inverses_.emplace(k, scaled).first->second;
}

void InverseRoot::go_on_from(SpectralRange range) {
  if (!settings_.range) approximate_on(range);
  links_version_ = VersionOf();
}

void InverseRoot::forget() {
  if (!settings_.range) factors_.clear();
  links_version_ = VersionOf();
}

void InverseRoot::approximate_on(SpectralRange range) {
  factors_.clear();
  roots_of_inverses_.clear();
  for (const PowerProduct& target : settings_.targets) add_factors(target, range);
  range_ = range;
}

// The poles are divided evenly, and the first factors have one more where that does not go.
void InverseRoot::add_factors(const PowerProduct& target, SpectralRange range) {
  const RationalFunction r = approximate_within(target, range, settings_.tolerance).function;
  const int parts = settings_.factors;
  if (r.degree() < parts)
    throw Error(ErrorKind::job_file,
                fmt::format("{} from {:.3g} to {:.3g} with an error of {:.2g} needs {} poles, fewer than "
                            "the {} factors that they are divided into: take fewer factors",
                            target.text(), range.low, range.high, settings_.tolerance, r.degree(), parts));
  std::vector<int> sizes(static_cast<std::size_t>(parts), r.degree() / parts);
  for (int k = 0; k < r.degree() % parts; ++k) ++sizes[static_cast<std::size_t>(k)];
  for (RationalFunction& factor : r.split(sizes)) factors_.push_back(std::move(factor));
}

}  // namespace plaq
