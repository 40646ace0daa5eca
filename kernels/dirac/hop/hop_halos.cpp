#include "kernels/dirac/hop/hop_halos.hpp"

#include "core/system/error.hpp"

namespace plaq {

HaloSpec hop_halo_spec(int reals, Precision precision, int batch, Location location, bool short_faces) {
  HaloSpec spec{reals, batch, precision, location};
  const bool half = precision == Precision::half_precision;
  if (short_faces) {
    spec.precision = Precision::half_precision;
  } else if (half) {
    spec.precision = Precision::single_precision;  // faces travel in computing precision
  }
  spec.site_scale = half || short_faces;
  return spec;
}

void HopHalos::set_short_faces(bool wanted, Precision precision) {
  require(halos_.empty(), "faces change their precision after the first exchange");
  require(!wanted || precision != Precision::double_precision,
          "faces of 16-bit numbers are for operators in single or half precision");
  short_faces_ = wanted;
}

Halo& HopHalos::of(const GeometryPtr& geometry, const HaloSpec& spec) {
  auto& halo = halos_[spec.batch];
  if (!halo) halo = std::make_unique<Halo>(*grid_, geometry, spec, transport_);
  return *halo;
}

}  // namespace plaq
