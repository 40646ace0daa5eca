// Smearing of links and of quark fields.
#pragma once

#include <memory>

#include "kernels/gauge/link_smearing.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/spinor_field.hpp"
#include "quarks/smearing/quark_smearing.hpp"

namespace plaq {

/// A gauge field with smeared links. Throws Error(usage) if the smearing is impossible, or amplifies the
/// highest momenta and is not allowed to.
GaugeField smeared(const GaugeField& gauge, const LinkSmearing& smearing);

/// Gauge-covariant Gaussian smearing of sources or of the sinks of propagators, all columns at once, in
/// double precision and four dimensions. It reads the links of the gauge field that it was made with, and
/// follows their changes (Field::touch()).
class QuarkSmearer {
 public:
  /// A smearing on the links of a gauge field. Throws Error(usage) if the settings are impossible.
  QuarkSmearer(const GaugeField& gauge, const QuarkSmearingSettings& settings);
  ~QuarkSmearer();
  /// Smeared quarks. Collective. Throws Error(usage) if the quarks are known to have other signs around the
  /// lattice in space than the smearing.
  SpinorField operator()(const SpinorField& quark);

  const Lattice& lattice() const;                 ///< lattice of the links
  const QuarkSmearingSettings& settings() const;  ///< settings as given
  /// For the classes of plaq: the smearing of quarks of so many spins, on the links as they are now.
  QuarkSmearing& of(int spins);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};
/// Quarks that a QuarkSmearer has smeared once.
SpinorField smeared(const GaugeField& gauge, const SpinorField& quark, const QuarkSmearingSettings& settings);
Propagator smeared(const GaugeField& gauge, const Propagator& quark, const QuarkSmearingSettings& settings);

}  // namespace plaq
