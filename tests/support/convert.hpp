// Between plaq's fields (this rank's part) and the reference's whole-lattice ones. Every rank holds the whole
// reference field.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "tests/reference/gauge.hpp"
#include "tests/reference/spinor.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/test.hpp"

namespace plaq::test {

inline reference::Lattice lattice_of(const Geometry& g) { return {g.global()}; }

inline std::complex<double> component(const reference::SpinorField& f, int site, int spin, int color) {
  return f[static_cast<std::size_t>(site)][static_cast<std::size_t>(spin)][static_cast<std::size_t>(color)];
}

// Calls visit(parity, checkerboard index, global lexicographic index) for each stored site.
template <class Visit>
void for_stored_sites(const Geometry& geometry, Visit&& visit) {
  const auto& shape = geometry.shape();
  for (int parity = 0; parity < 2; ++parity)
    for (int s = 0; s < shape.half_volume; ++s)
      visit(parity, s, static_cast<int>(shape.global_index(shape.coordinates(parity, s))));
}

// A gauge field at `location`; the halo of an extended geometry is filled too.
inline Field to_plaq(const reference::GaugeField& gauge, GeometryPtr geometry, Precision precision,
                     Location location) {
  Field host(geometry, gauge_spec(precision, Location::host));
  for_stored_sites(*geometry, [&](int parity, int s, int site) {
    for (int mu = 0; mu < 4; ++mu)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const auto u = gauge.link[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)](i, j);
          set_real(host, mu, parity, s, 2 * (3 * i + j), u.real());
          set_real(host, mu, parity, s, 2 * (3 * i + j) + 1, u.imag());
        }
  });
  if (location == Location::host) return host;
  Field device(geometry, gauge_spec(precision, location));
  copy(device, host);
  return device;
}

// A batch of spinors; in half precision each site is rounded from double as copy() does it.
inline Field to_plaq(const std::vector<reference::SpinorField>& batch, GeometryPtr geometry, Subset subset,
                     Precision precision, Location location) {
  const int subfields = static_cast<int>(batch.size());
  const bool half = precision == Precision::half_precision;
  Field host(geometry,
             spinor_spec(subset, subfields, half ? Precision::double_precision : precision, Location::host));
  for_stored_sites(*geometry, [&](int parity, int s, int site) {
    if (!host.holds(parity)) return;
    for (int subfield = 0; subfield < subfields; ++subfield)
      for (int spin = 0; spin < 4; ++spin)
        for (int color = 0; color < 3; ++color) {
          const auto z = component(batch[static_cast<std::size_t>(subfield)], site, spin, color);
          set_real(host, subfield, parity, s, 2 * (3 * spin + color), z.real());
          set_real(host, subfield, parity, s, 2 * (3 * spin + color) + 1, z.imag());
        }
  });
  if (location == Location::host && !half) return host;
  Field device(geometry, spinor_spec(subset, subfields, precision, location));
  copy(device, host);
  return device;
}

// The same field in host memory.
inline Field on_host(const Field& field) {
  FieldSpec spec = field.spec();
  spec.location = Location::host;
  Field host(field.geometry_ptr(), spec);
  copy(host, field);
  return host;
}

// Largest |field - expected| over this rank's sites that the field holds.
inline double max_difference(const Field& field, const std::vector<reference::SpinorField>& expected) {
  const Field host = on_host(field);
  double most = 0;
  for_stored_sites(field.geometry(), [&](int parity, int s, int site) {
    if (!host.holds(parity)) return;
    for (int subfield = 0; subfield < host.subfields(); ++subfield)
      for (int spin = 0; spin < 4; ++spin)
        for (int color = 0; color < 3; ++color) {
          const int r = 2 * (3 * spin + color);
          const std::complex<double> z(get_real(host, subfield, parity, s, r),
                                       get_real(host, subfield, parity, s, r + 1));
          const double d =
              std::abs(z - component(expected[static_cast<std::size_t>(subfield)], site, spin, color));
          most = d > most || d != d ? d : most;
        }
  });
  return most;
}

// An order-independent fingerprint of all bits of a field over the whole lattice: the same on any process
// grid.
inline std::uint64_t fingerprint(const Field& field, const ProcessGrid& grid) {
  const Field host = on_host(field);
  const auto& shape = field.geometry().shape();
  std::uint64_t sum = 0;
  for_stored_sites(field.geometry(), [&](int parity, int s, int site) {
    if (!host.holds(parity)) return;
    const Coordinates c = shape.coordinates(parity, s);
    for (int mu = 0; mu < 4; ++mu)
      if (c.x[mu] < shape.halo[mu] || c.x[mu] >= shape.extent[mu] - shape.halo[mu]) return;
    for (int subfield = 0; subfield < host.subfields(); ++subfield)
      for (int r = 0; r < host.reals_per_site(); ++r) {
        const double value = get_real(host, subfield, parity, s, r);
        std::uint64_t h = __builtin_bit_cast(std::uint64_t, value);
        h ^= (static_cast<std::uint64_t>(site) * 64 + static_cast<std::uint64_t>(r)) * 0x9e3779b97f4a7c15u +
             static_cast<std::uint64_t>(subfield) * 0xc2b2ae3d27d4eb4fu;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
        sum += h ^ (h >> 31);
      }
  });
  std::uint64_t total = 0;
  MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, grid.comm());
  return total;
}

}  // namespace plaq::test
