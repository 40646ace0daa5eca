#include "observables/quark/vertices.hpp"

#include "core/algebra/complex.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/dry_run.hpp"
#include "kernels/quark/sources.hpp"
#include "kernels/quark/spin_matrices.hpp"
#include "observables/quark/quark_loop_settings.hpp"
#include "observables/quark/wave_sums.hpp"

namespace plaq {
namespace {

constexpr std::size_t columns_of_propagator = 12, spins = 4, colors_of_quark = 3;

// Sign of gamma5 for a component 3 * spin + color.
double chirality(std::size_t component) { return component < columns_of_propagator / 2 ? 1 : -1; }

std::complex<double> power(int of_i) {
  const Complex<double> z = power_of_i(of_i);
  return {z.re, z.im};
}

}  // namespace

QuarkVertices::QuarkVertices(const SharedLattice& lattice, const std::array<int, 4>& boundary)
    : lattice_(lattice), half_(half_momenta(boundary)) {}

// sum_x exp(-i p x) sum_i conj(eta_a^i) phi_j,b^i.
QuarkVertices::Products QuarkVertices::products(const Field& eta, int column, const Field& phi,
                                                const Momentum4& difference) const {
  Field density(lattice_.geometry,
                MomentumProjection::density_spec(static_cast<int>(spins * spins) * phi.subfields(),
                                                 lattice_.location()));
  dispatch(density.location(), Precision::double_precision, [&](auto kind) {
    launch_open_spins<typename decltype(kind)::target>({&eta, &phi, &density, column}, lattice_.queue);
  });
  return wave_sums(lattice_, density, difference);
}

// The source's three columns of spin 0 have the phases: eta_c has exp(i p x) in spin 0 and color c.
OpenSpinColor QuarkVertices::propagator(const Field& quark, const Momentum4& n) const {
  const Phase phase("quark propagator in momentum space");
  const MemoryName name("momentum projection of a quark");
  const Field psi = as_double_propagator(quark, *lattice_.geometry, lattice_.location());
  FieldSpec spec = psi.spec();
  spec.subfields = static_cast<int>(colors_of_quark);
  Field wave(lattice_.geometry, spec);
  momentum_source(wave, n, 0, half_);
  OpenSpinColor s;
  for (std::size_t color = 0; color < colors_of_quark; ++color) {
    const Products sums = products(wave, static_cast<int>(color), psi, {0, 0, 0, 0});
    for (std::size_t column = 0; column < columns_of_propagator; ++column)
      for (std::size_t spin = 0; spin < spins; ++spin)
        s.at(3 * spin + color, column) = sums[spins * spins * column + spin] / volume();
  }
  return s;
}

std::vector<OpenSpinColor> QuarkVertices::operator()(const Field& in, const Momentum4& n_in, const Field& out,
                                                     const Momentum4& n_out) const {
  const Phase phase("quark vertices");
  const MemoryName name("vertices of quarks");
  const Field from = as_double_propagator(in, *lattice_.geometry, lattice_.location()),
              to = as_double_propagator(out, *lattice_.geometry, lattice_.location());
  Momentum4 difference{};
  for (std::size_t mu = 0; mu < 4; ++mu) difference[mu] = n_in[mu] - n_out[mu];
  const auto& currents = all_loop_currents();
  std::vector<OpenSpinColor> vertices(currents.size());
  for (std::size_t row = 0; row < columns_of_propagator; ++row) {
    const Products sums = products(to, static_cast<int>(row), from, difference);
    for (std::size_t k = 0; k < currents.size(); ++k) {
      const GammaMatrix middle = gamma5() * currents[k].gamma;
      for (std::size_t column = 0; column < columns_of_propagator; ++column) {
        std::complex<double> sum = 0;
        for (std::size_t a = 0; a < spins; ++a)
          sum += power(middle.phase[a]) *
                 sums[spins * spins * column + spins * a + (a ^ static_cast<std::size_t>(middle.flip))];
        vertices[k].at(row, column) = chirality(row) * sum / volume();
      }
    }
  }
  return vertices;
}

}  // namespace plaq
