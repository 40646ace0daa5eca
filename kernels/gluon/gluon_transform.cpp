#include "kernels/gluon/gluon_transform.hpp"

#include <complex>

#include "core/launch/dispatch.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "kernels/quark/plane_wave.hpp"

namespace plaq {
namespace {

using Number = std::complex<double>;
constexpr std::size_t pairs = 4;  // of the eight components of A_mu

Number wave(std::int64_t n, int r, int extent) {
  const auto z = plane_wave(n, r, extent);
  return {z.re, z.im};
}
double square(const Number& z) { return z.real() * z.real() + z.imag() * z.imag(); }

// phat_mu exp(-i p_mu/2).
Number divergence_factor(int n, int extent) {
  return lattice_momentum(n, extent) * std::conj(wave(n, 1, 2 * extent));
}

}  // namespace

FieldSpec GluonTransform::components_spec(Location location) {
  return MomentumProjection::density_spec(4 * static_cast<int>(pairs), location);
}

GluonTransform::GluonTransform(const ProcessGrid& grid, const Field& gauge, const Queue& queue)
    : grid_(&grid), queue_(queue), components_(gauge.geometry_ptr(), components_spec(queue.location())) {
  require(gauge.geometry().halo_depth() == 0 && gauge.precision() == Precision::double_precision &&
              gauge.location() == queue.location(),
          "gluon fields are made of links in double precision, without halo");
  dispatch(queue.location(), gauge.precision(), [&](auto kind) {
    launch_gluon_components<typename decltype(kind)::target>(gauge, components_, queue_);
  });
}

Correlators GluonTransform::transform(const MomentumOrbit& orbit) const {
  return MomentumProjection(*grid_, components_.geometry_ptr(), orbit.members, queue_)(components_,
                                                                                       {0, 0, 0, 0});
}

std::vector<GluonPoint> GluonTransform::points(const MomentumOrbit& orbit, int time_momenta) const {
  const Correlators a = transform(orbit);
  const Extents& extents = components_.geometry().global();
  const int slices = extents[3];
  require(time_momenta <= slices / 2 + 1, "momenta beyond the Brillouin zone");
  std::vector<GluonPoint> points(static_cast<std::size_t>(time_momenta));
  for (int n = 0; n < time_momenta; ++n) {
    GluonPoint& point = points[static_cast<std::size_t>(n)];
    const int signs = n == 0 || 2 * n == slices ? 1 : 2;
    for (int s = 0; s < signs; ++s)
      for (std::size_t p = 0; p < orbit.members.size(); ++p) {
        const int n_t = s == 0 ? n : -n;
        const Momentum& m = orbit.members[p];
        const std::array<int, 4> of = {m[0], m[1], m[2], n_t};
        for (std::size_t k = 0; k < pairs; ++k) {
          Number divergence = 0;
          for (std::size_t mu = 0; mu < 4; ++mu) {
            Number sum = 0;
            for (int t = 0; t < slices; ++t)
              sum += wave(-n_t, t, slices) * a[pairs * mu + k][p][static_cast<std::size_t>(t)];
            point.square += square(sum);
            divergence += divergence_factor(of[mu], extents[mu]) * sum;
          }
          point.longitudinal += square(divergence);
        }
      }
    const double count = static_cast<double>(orbit.members.size()) * signs;
    point.square /= count;
    point.longitudinal /= count;
  }
  return points;
}

SlicePoint GluonTransform::slices(const MomentumOrbit& orbit) const {
  const Correlators a = transform(orbit);
  const Extents& extents = components_.geometry().global();
  SlicePoint point;
  for (std::size_t p = 0; p < orbit.members.size(); ++p)
    for (std::size_t t = 0; t < static_cast<std::size_t>(extents[3]); ++t)
      for (std::size_t k = 0; k < pairs; ++k) {
        Number divergence = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          const Number& of = a[pairs * i + k][p][t];
          point.spatial += square(of);
          divergence += divergence_factor(orbit.members[p][i], extents[i]) * of;
        }
        point.longitudinal += square(divergence);
        point.temporal += square(a[pairs * 3 + k][p][t]);
      }
  const double count = static_cast<double>(orbit.members.size()) * extents[3];
  point.spatial /= count;
  point.longitudinal /= count;
  point.temporal /= count;
  return point;
}

}  // namespace plaq
