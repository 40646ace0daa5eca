#include "quarks/distillation/mode_phases.hpp"

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/quark/slice_products.hpp"

namespace plaq {

void fix_phases(Field& modes, const ProcessGrid& grid, const Queue& queue) {
  const Geometry& geometry = modes.geometry();
  FieldSpec spec = modes.spec();
  spec.subfields = 1;
  Field corner(modes.geometry_ptr(), spec);  // 1 in color 0 of spin 0 at (0, 0, 0, t)
  {
    spec.location = Location::host;
    Field host(modes.geometry_ptr(), spec);
    const LatticeShape& shape = geometry.shape();
    on_numbers([&] {
      for (int parity = 0; parity < 2; ++parity)
        for (int site = 0; site < host.layout().sites; ++site) {
          const Coordinates c = shape.coordinates(parity, site);
          bool here = true;
          for (int mu = 0; mu < 3; ++mu) here &= shape.global_coordinate(c, mu) == 0;
          for (int r = 0; r < 24; ++r) set_real(host, 0, parity, site, r, here && r == 0 ? 1.0 : 0.0);
        }
    });
    copy(corner, host);
  }
  const int slices = geometry.global()[3], times = geometry.local()[3], first = geometry.offset()[3];
  Field one(modes.geometry_ptr(), corner.spec()), turned(modes.geometry_ptr(), corner.spec());
  const SliceMatrices dots = slice_dots(grid, all_vectors(corner), all_vectors(modes), queue);
  require(dots.size() == static_cast<std::size_t>(slices) * 16 * static_cast<std::size_t>(modes.subfields()),
          "products of other slices than those of the modes");
  const SliceMatrixShape of_dots{4, 4 * modes.subfields()}, of_phases{4, 4};
  constexpr double least = 1e-10;
  for (int i = 0; i < modes.subfields(); ++i) {
    SliceMatrices phases(of_phases.size(times));
    for (int t = 0; t < times; ++t)
      for (int s = 0; s < 4; ++s) {
        const std::complex<double> z = dots[of_dots(first + t, 0, 4 * i + s)];
        phases[of_phases(t, s, s)] = std::abs(z) > least ? std::conj(z) / std::abs(z) : 1.0;
      }
    copy_subfield(one, 0, modes, i);
    slice_axpys(all_vectors(one), phases, 0, all_vectors(turned), {}, queue);
    copy_subfield(modes, i, turned, 0);
  }
}

}  // namespace plaq
