#include "observables/quark/wave_sums.hpp"

#include "core/algebra/complex.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "kernels/quark/plane_wave.hpp"

namespace plaq {

std::vector<std::complex<double>> wave_sums(const SharedLattice& lattice, const Field& density,
                                            const Momentum4& n) {
  const MomentumProjection project(*lattice.grid, lattice.geometry, {{n[0], n[1], n[2]}}, lattice.queue);
  const Correlators of_t = project(density, {0, 0, 0, 0});
  const int slices = lattice.geometry->global()[3];
  std::vector<std::complex<double>> sums(of_t.size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    for (int t = 0; t < slices; ++t) {
      const Complex<double> wave = plane_wave(-std::int64_t{n[3]}, t, slices);
      sums[i] += std::complex<double>(wave.re, wave.im) * of_t[i].front()[static_cast<std::size_t>(t)];
    }
  return sums;
}

}  // namespace plaq
