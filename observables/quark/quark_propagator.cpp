#include "observables/quark/quark_propagator.hpp"

#include "core/system/dry_run.hpp"
#include "kernels/quark/plane_wave.hpp"

namespace plaq {
namespace {

using Number = std::complex<double>;

// exp(i 2 pi (n + half/2) r / L).
std::complex<double> wave_of(int n, int half, int r, int extent) {
  const auto z = plane_wave(2 * static_cast<std::int64_t>(n) + half, r, 2 * extent);
  return {z.re, z.im};
}

}  // namespace

QuarkPropagator::QuarkPropagator(const SharedLattice& lattice, const QuarkMomenta& momenta)
    : lattice_(lattice), momenta_(momenta), matrices_(lattice.geometry, 4, lattice.queue) {}

std::vector<QuarkPropagatorPoint> QuarkPropagator::operator()(const Field& quark, const Extents& position) {
  const Phase phase("quark propagator in momentum space");
  matrices_.set_trace(quark);
  std::vector<QuarkPropagatorPoint> points;
  for (const MomentumOrbit& orbit : momenta_.orbits()) add_orbit(points, orbit, position);
  return points;
}

// Rows of one orbit in space. Sums over t are made here, in the order of t:
// the same bits on any process grid.
void QuarkPropagator::add_orbit(std::vector<QuarkPropagatorPoint>& points, const MomentumOrbit& orbit,
                                const Extents& position) const {
  const std::array<int, 4>& half = momenta_.half();
  const Extents& extents = momenta_.extents();
  const int slices = extents[3];
  // Antiperiodic phases count from the origin of the lattice, where the boundary's sign is not seen.
  Extents origin = position;
  for (std::size_t mu = 0; mu < 3; ++mu)
    if (half[mu] != 0) origin[mu] = 0;
  const MomentumProjection project(*lattice_.grid, lattice_.geometry, orbit.members, lattice_.queue,
                                   {half[0], half[1], half[2]});
  const Correlators matrix = project(matrices_.density(), origin);
  const auto scalar = trace_with(unit_gamma(), matrix);
  std::array<std::vector<std::vector<Number>>, 4> vector;
  for (int mu = 0; mu < 4; ++mu) vector[static_cast<std::size_t>(mu)] = trace_with(gamma(mu), matrix);
  for (int n_t = 0; n_t < momenta_.time_momenta(); ++n_t) {
    QuarkPropagatorPoint point;
    const Momentum4 of_row = {orbit.n[0], orbit.n[1], orbit.n[2], n_t};
    const std::vector<int> signs = momenta_.in_time(n_t);
    for (std::size_t m = 0; m < orbit.members.size(); ++m) {
      Number to_source = 1;
      for (std::size_t mu = 0; mu < 3; ++mu)
        if (half[mu] != 0) to_source *= wave_of(orbit.members[m][mu], 1, position[mu], extents[mu]);
      for (const int n : signs) {
        const auto in_time = [&](const std::vector<Number>& of_t) {
          Number sum = 0;
          for (int t = 0; t < slices; ++t) {
            const double sign = half[3] != 0 && position[3] + t >= slices ? -1 : 1;
            sum += sign * wave_of(-n - half[3], half[3], t, slices) * of_t[static_cast<std::size_t>(t)];
          }
          return to_source * sum;
        };
        point.scalar += in_time(scalar[m]);
        const Momentum4 at = {orbit.members[m][0], orbit.members[m][1], orbit.members[m][2], n};
        std::array<Number, 4> here{};
        for (std::size_t mu = 0; mu < 4; ++mu)
          here[mu] = static_cast<double>(momenta_.sign(at[mu], mu)) * in_time(vector[mu][m]);
        // A direction of the row has those of this momentum that are as long, on equal axes.
        for (std::size_t mu = 0; mu < 4; ++mu) {
          Number sum = 0;
          double count = 0;
          for (std::size_t nu = 0; nu < 4; ++nu) {
            const int length = at[nu] < 0 ? -at[nu] - half[nu] : at[nu];
            const bool alike = (mu == 3) == (nu == 3) && extents[mu] == extents[nu] && half[mu] == half[nu] &&
                               length == of_row[mu];
            if (!alike) continue;
            sum += here[nu];
            count += 1;
          }
          point.vector[mu] += sum / count;
        }
      }
    }
    const double norm = 1 / (12.0 * static_cast<double>(orbit.members.size() * signs.size()));
    point.scalar *= norm;
    for (Number& z : point.vector) z *= norm;
    points.push_back(point);
  }
}

}  // namespace plaq
