// From gauge fields to what launches over their links take.
#pragma once

#include "core/field/field_views.hpp"
#include "core/lattice/domain.hpp"
#include "kernels/site/staple.hpp"

namespace plaq {

template <class Target, class T>
GaugeLattice<Target, T> gauge_lattice(const Field& gauge) {
  return {LatticeView<Target, T>(gauge.geometry()), gauge_view<Target, T>(gauge)};
}

// The sites that own links, with an inner index for each of `links`; `beyond`: LatticeDomain.
template <class Target>
LatticeDomain owned_links(const Field& gauge, int links = 4, std::uint32_t beyond = 0) {
  return whole_lattice(gauge.geometry(), location_of<Target>, links, beyond);
}

}  // namespace plaq
