// Smearing of links and of quark fields.
#pragma once

#include "kernels/gauge/link_smearing.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/spinor_field.hpp"
#include "quarks/smearing/quark_smearing.hpp"

namespace plaq {

/// A gauge field with smeared links. Throws Error(usage) if the smearing is impossible, or amplifies the highest momenta and
/// is not allowed to.
GaugeField smeared(const GaugeField& gauge, const LinkSmearing& smearing);

/// Gauge-covariant Gaussian smearing of a source or of the sink of a propagator, all columns at once, in double precision and four dimensions. Throws
/// Error(usage) if the quarks are known to have other signs around the lattice in space than the smearing.
SpinorField smeared(const GaugeField& gauge, const SpinorField& quark, const QuarkSmearingSettings& settings);
Propagator smeared(const GaugeField& gauge, const Propagator& quark, const QuarkSmearingSettings& settings);

}  // namespace plaq
