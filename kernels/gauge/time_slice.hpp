// Launches over lines in time: their first sites.
#pragma once

#include "core/field/field_views.hpp"
#include "core/lattice/domain.hpp"

namespace plaq {

// The owned sites of one parity in the first owned slice in time.
template <class Target>
Domain first_slice(const Geometry& geometry, int parity) {
  Domain domain = make_domain(geometry, Region::all, parity, location_of<Target>);
  if (domain.list != nullptr) {  // in order, hence slice by slice
    domain.end = static_cast<int>(geometry.local_volume() / geometry.local()[3] / 2);
  } else {
    const int slice = geometry.shape().face_sites(3);
    domain.begin = geometry.shape().halo[3] * slice;
    domain.end = domain.begin + slice;
  }
  return domain;
}

}  // namespace plaq
