#include "jobs/dirac/action_parameters.hpp"

#include "core/system/error.hpp"

namespace plaq::jobs {

FieldSpec Action::quark_spec(int batch, Location location) const {
  FieldSpec spec = spinor_spec(Subset::full, batch, Precision::double_precision, location);
  spec.spins = spins();
  return spec;
}

FieldSpec Action::full_spec(int batch, Location location) const {
  FieldSpec spec = quark_spec(batch * slices(), location);
  spec.slices = slices();
  return spec;
}

SpectralBounds Action::measure_bounds(const Background&) const {
  require(false, "spectral bounds of quarks that need none");
  return {};
}

ActionParameters Action::within(const SpectralBounds&) const {
  require(false, "spectral bounds for quarks that need none");
  return {};
}

}  // namespace plaq::jobs
