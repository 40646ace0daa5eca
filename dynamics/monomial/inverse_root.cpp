#include "dynamics/monomial/inverse_root.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/log.hpp"

namespace plaq {

InverseRoot::InverseRoot(std::shared_ptr<WilsonQuark> quark, const InverseRootSettings& settings)
    : quark_(std::move(quark)), settings_(settings) {
  require(settings.factors >= 1, "a function has at least one factor");
  require(settings.power > 0 && settings.power < 1, "a root x^(-p) with p between 0 and 1");
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
          fmt::format("the eigenvalues of Q^2 are from {:.3g} to {:.3g} for kappa = {:.8g}, and the "
                      "rational function is good from {:.3g} to {:.3g}; take a wider range",
                      low, high, 1 / (2 * (quark_->parameters().mass + 4)), range_.low, range_.high));
    const bool first = factors_.empty();
    const double wide_low = 0.5 * low, wide_high = 1.1 * high;
    try {
      approximate_on(first ? SpectralRange{wide_low, wide_high}
                           : SpectralRange{std::min(range_.low, wide_low), std::max(range_.high, wide_high)});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::job_file) throw;
      throw MdFailure(error.what());
    }
  }
  links_version_ = VersionOf(links);
}

void InverseRoot::go_on_from(SpectralRange range) {
  if (!settings_.range) approximate_on(range);
  links_version_ = VersionOf();
}

void InverseRoot::forget() {
  if (!settings_.range) factors_.clear();
  links_version_ = VersionOf();
}

// The poles are divided evenly, and the first factors have one more where that does not go.
void InverseRoot::approximate_on(SpectralRange range) {
  const RationalFunction r =
      approximate_within(PowerProduct(-settings_.power), range, settings_.tolerance).function;
  const int parts = settings_.factors;
  if (r.degree() < parts)
    throw Error(ErrorKind::job_file,
                fmt::format("x^{} from {:.3g} to {:.3g} with an error of {:.2g} needs {} poles, fewer than "
                            "the {} factors that they are divided into: take fewer factors",
                            -settings_.power, range.low, range.high, settings_.tolerance, r.degree(), parts));
  std::vector<int> sizes(static_cast<std::size_t>(parts), r.degree() / parts);
  for (int k = 0; k < r.degree() % parts; ++k) ++sizes[static_cast<std::size_t>(k)];
  factors_ = r.split(sizes);
  range_ = range;
}

}  // namespace plaq
