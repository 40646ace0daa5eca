// Fields of the Lie algebra, as forces and momenta are, between plaq and matrices of the reference.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/momenta.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/reference/quark_force.hpp"

namespace plaq::test {

inline constexpr int rows_of_algebra[3][2] = {{0, 1}, {0, 2}, {1, 2}};

// Elements of the Lie algebra as a field on a geometry, over the sites that it owns.
inline Field to_algebra_field(const reference::LinkMatrices& x, const GeometryPtr& geometry,
                              const GeometryPtr& there, Location location) {
  Field host(geometry, algebra_spec(Precision::double_precision, Location::host));
  for_stored_sites(*geometry, [&](int parity, int s, int site) {
    for (int mu = 0; mu < 4; ++mu) {
      const auto& m = x[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)];
      set_real(host, mu, parity, s, 0, m(0, 0).imag());
      set_real(host, mu, parity, s, 1, m(1, 1).imag());
      for (int k = 0; k < 3; ++k) {
        const auto& [row, column] = rows_of_algebra[k];
        set_real(host, mu, parity, s, 2 + 2 * k, m(row, column).real());
        set_real(host, mu, parity, s, 3 + 2 * k, m(row, column).imag());
      }
    }
  });
  Field field(there, algebra_spec(Precision::double_precision, location));
  copy(field, host);
  return field;
}

inline reference::ColorMatrix algebra_matrix(const Field& host, int mu, int parity, int site) {
  const auto real = [&](int k) { return get_real(host, mu, parity, site, k); };
  reference::ColorMatrix x;
  x(0, 0) = {0, real(0)};
  x(1, 1) = {0, real(1)};
  x(2, 2) = {0, -real(0) - real(1)};
  for (int k = 0; k < 3; ++k) {
    const auto& [row, column] = rows_of_algebra[k];
    const auto z = reference::Complex(real(2 + 2 * k), real(3 + 2 * k));
    x(row, column) = z;
    x(column, row) = -std::conj(z);
  }
  return x;
}

// Largest difference from matrices over the sites of a geometry without halo; not a number where one is.
inline double algebra_distance(const Field& field, const GeometryPtr& geometry,
                               const reference::LinkMatrices& expected) {
  Field host(geometry, algebra_spec(Precision::double_precision, Location::host));
  copy(host, field);
  double most = 0;
  for_stored_sites(*geometry, [&](int parity, int s, int site) {
    for (int mu = 0; mu < 4; ++mu) {
      const auto& x = expected[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)];
      const double off = reference::max_difference(algebra_matrix(host, mu, parity, s), x);
      if (!(off <= most) && most == most) most = off;
    }
  });
  return most;
}

// Bits of all components of a force: its size, and links that have moved along it.
inline std::vector<std::uint64_t> force_bits(const Field& force, const reference::GaugeField& gauge,
                                             const ProcessGrid& grid, const GeometryPtr& geometry) {
  const Queue queue(force.location());
  Field plain(geometry, force.spec());
  copy(plain, force);
  Field links = to_plaq(gauge, geometry, Precision::double_precision, force.location());
  drift(links, plain, 0.1, queue);
  queue.synchronize();
  return {std::bit_cast<std::uint64_t>(kinetic_energy(grid, force, queue)), fingerprint(links, grid)};
}

}  // namespace plaq::test
