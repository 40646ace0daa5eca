#include "kernels/gauge/link_copies.hpp"

#include <cmath>
#include <numbers>

#include "comms/halo/extended_halo.hpp"
#include "comms/start/shared_lattice.hpp"
#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/gauge/boundary_signs.hpp"

namespace plaq {
namespace {

// Links on the host that leave the lattice, times the sign of their direction.
void multiply_signs(Field& links, const std::array<int, 4>& signs) {
  const GeneralShape& shape = links.geometry().general_shape();
  for (int mu = 0; mu < 4; ++mu) {
    const auto i = static_cast<std::size_t>(mu);
    if (signs[i] == 1) continue;
    const int last = links.geometry().global()[i] - 1;
    for (int parity = 0; parity < shape.parities(); ++parity) {
#pragma omp parallel for schedule(static)
      for (int site = 0; site < shape.parity_sites(parity); ++site) {
        if (shape.global_coordinate(shape.coordinates(parity, site), mu) != last) continue;
        for (int real = 0; real < links.spec().reals(); ++real)
          set_real(links, mu, parity, site, real, signs[i] * get_real(links, mu, parity, site, real));
      }
    }
  }
}

}  // namespace

Field with_boundary_signs(const Field& links, const SpaceSigns& signs) {
  return with_boundary_signs(links, std::array{signs[0], signs[1], signs[2], 1});
}

Field with_boundary_signs(const Field& links, const std::array<int, 4>& signs) {
  for (std::size_t mu = 0; mu < 4; ++mu)
    require(signs[mu] == 1 || signs[mu] == -1 || (mu == 3 && signs[mu] == 0),
            "a boundary sign that is neither 1 nor -1");
  require(links.geometry().halo_depth() == 0, "boundary signs are for a gauge field without halo");
  if (signs == std::array{1, 1, 1, 1}) return links;
  FieldSpec spec = links.spec();
  spec.location = Location::host;
  Field signed_links(links.geometry_ptr(), spec);
  on_numbers([&] {
    copy(signed_links, links);
    multiply_signs(signed_links, signs);
    signed_links.touch();
  });
  return signed_links;
}

Field with_momentum_phases(const Field& links, const std::array<double, 3>& n) {
  require(links.geometry().halo_depth() == 0 && links.spec().reals() == 18,
          "phases are for a gauge field of 18 reals without halo");
  if (n == std::array<double, 3>{}) return links;
  FieldSpec spec = links.spec();
  spec.location = Location::host;
  Field turned(links.geometry_ptr(), spec);
  on_numbers([&] {
    copy(turned, links);
    const GeneralShape& shape = links.geometry().general_shape();
    for (int mu = 0; mu < 3; ++mu) {
      const auto i = static_cast<std::size_t>(mu);
      const double angle = -2 * std::numbers::pi * n[i] / links.geometry().global()[i];
      const double re = std::cos(angle), im = std::sin(angle);
      for (int parity = 0; parity < shape.parities(); ++parity) {
#pragma omp parallel for schedule(static)
        for (int site = 0; site < shape.parity_sites(parity); ++site)
          for (int real = 0; real < 18; real += 2) {
            const double a = get_real(turned, mu, parity, site, real),
                         b = get_real(turned, mu, parity, site, real + 1);
            set_real(turned, mu, parity, site, real, re * a - im * b);
            set_real(turned, mu, parity, site, real + 1, re * b + im * a);
          }
      }
    }
    turned.touch();
  });
  return turned;
}

Field links_with_halo(const SharedLattice& lattice, const Field& links) {
  const GeometryPtr extended = lattice.geometry->extended(1);
  Field with_halo(extended, links.spec());
  copy(with_halo, links);
  ExtendedHalo(*lattice.grid, extended, links.spec(), lattice.transport).exchange(with_halo, lattice.queue);
  return with_halo;
}

Field links_without_halo(const SharedLattice& lattice, const Field& links) {
  Field plain(lattice.geometry, gauge_spec(Precision::double_precision, lattice.location()));
  copy(plain, links);
  return plain;
}

}  // namespace plaq
