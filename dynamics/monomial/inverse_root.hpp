// Rational functions r near x^(-1/2), other roots, or products of powers, on the spectrum of the operator A
// of sea quarks (dynamics/quark/sea_quark.hpp). The spectrum is measured before each trajectory.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/field/version_of.hpp"
#include "dynamics/quark/sea_quark.hpp"
#include "dynamics/rational/rational_approximation.hpp"

namespace plaq {

struct InverseRootSettings {
  double tolerance = 1e-7;  ///< largest |r(x)/f(x) - 1| on the range
  int factors = 1;          ///< r is a product of so many functions, the first one with the smallest poles
  /// The range. Without it the range is that of the first measurement, with the smallest eigenvalue times 1/2
  /// and the largest one times 1.1, and it is extended in the same way where a later spectrum leaves it. It
  /// does not begin below the least eigenvalue that A has on any links.
  std::optional<SpectralRange> range = {};
  /// f of each r, such as x^(-1/2). Several ones are the steps of a ladder: (x + c)^(-p) of heavy quarks, and
  /// ratios of the quarks to them, x^(-p) (x + c)^p.
  std::vector<PowerProduct> targets{PowerProduct(-0.5)};
};

/// All functions are collective, and give the same bits on any process grid.
class InverseRoot {
 public:
  /// Throws Error(job_file) if there is a range, and no such function on it.
  InverseRoot(std::shared_ptr<SeaQuark> quark, const InverseRootSettings& settings);

  const std::shared_ptr<SeaQuark>& quark() const { return quark_; }

  /// Measures the spectrum at these links, once, and extends the range. Throws MdFailure if the spectrum
  /// leaves a fixed range, or if there is no such function for it.
  void measure(const Field& links);
  /// Factor k, from the last call of measure(): `factors` of the first r, then those of the second one.
  const RationalFunction& factor(int k) const { return factors_.at(static_cast<std::size_t>(k)); }
  /// A function near r_k^(-1/2) of this factor, with an error at the level of that of solves: 1e-12. It draws
  /// pseudofermions of quarks without a root of 1/r_k(A) of their own.
  const RationalFunction& root_of_inverse(int k);

  /// Smallest and largest eigenvalue of A at the links of the last measurement, less and plus their error
  /// bounds; 0 before it.
  SpectralRange measured() const { return measured_; }
  /// The range of r; 0 before the first measurement.
  SpectralRange range() const { return range_; }
  /// The range of an earlier trajectory, from which a chain goes on.
  void go_on_from(SpectralRange range);
  /// Forgets the range unless it is fixed, so that the next measurement chooses it.
  void forget();

 private:
  void approximate_on(SpectralRange range);
  void add_factors(const PowerProduct& target, SpectralRange range);

  std::shared_ptr<SeaQuark> quark_;
  InverseRootSettings settings_;
  SpectralRange range_, measured_;
  std::vector<RationalFunction> factors_;
  std::map<int, RationalFunction> roots_of_inverses_;  // those that were asked for
  VersionOf links_version_;
};

}  // namespace plaq
