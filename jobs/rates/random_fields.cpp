#include "jobs/rates/random_fields.hpp"

#include <cmath>

#include "core/algebra/random.hpp"
#include "core/algebra/su3.hpp"
#include "core/system/dry_run.hpp"

namespace plaq::jobs {
namespace {

template <class Fill>
void for_all_sites(Field& field, Fill&& fill) {
  if (runs_dry()) return;
  const LatticeShape& shape = field.geometry().shape();
  for (int parity = 0; parity < 2; ++parity) {
    if (!field.holds(parity)) continue;
#pragma omp parallel for schedule(static)
    for (int s = 0; s < shape.half_volume; ++s)
      fill(parity, s, static_cast<std::uint64_t>(shape.global_index(shape.coordinates(parity, s))));
  }
}

// Gram-Schmidt on two rows of random numbers.
Matrix3<double> random_link(const RandomStream& stream) {
  Matrix3<double> u;
  for (std::uint32_t i = 0; i < 6; ++i) {
    const GaussianPair g = stream.draw(i).gaussian();
    u.e[i / 3][i % 3] = {g.first, g.second};
  }
  auto normalize = [&](int row) {
    double sum = 0;
    for (auto& z : u.e[row]) sum += z.re * z.re + z.im * z.im;
    for (auto& z : u.e[row]) z = scale(1 / std::sqrt(sum), z);
  };
  normalize(0);
  Complex<double> overlap{0, 0};
  for (int j = 0; j < 3; ++j) overlap = conj_fma(u.e[0][j], u.e[1][j], overlap);
  for (int j = 0; j < 3; ++j) u.e[1][j] = fma(-overlap, u.e[0][j], u.e[1][j]);
  normalize(1);
  complete_third_row(u);
  return u;
}

}  // namespace

Field random_gauge(const GeometryPtr& geometry, std::uint64_t seed) {
  Field gauge(geometry, gauge_spec(Precision::double_precision, Location::host));
  for_all_sites(gauge, [&](int parity, int s, std::uint64_t site) {
    for (int mu = 0; mu < 4; ++mu) {
      const auto u = random_link({seed, site, 0, Purpose::test, static_cast<std::uint32_t>(mu)});
      for (int k = 0; k < 9; ++k) {
        set_real(gauge, mu, parity, s, 2 * k, u.e[k / 3][k % 3].re);
        set_real(gauge, mu, parity, s, 2 * k + 1, u.e[k / 3][k % 3].im);
      }
    }
  });
  return gauge;
}

Field random_vectors(const GeometryPtr& geometry, const FieldSpec& spec, std::uint64_t seed) {
  // A component alone cannot be set in half precision.
  const bool half = spec.precision == Precision::half_precision;
  FieldSpec there = spec;
  there.location = Location::host;
  if (half) there.precision = Precision::double_precision;
  Field host(geometry, there);
  const int components = spec.spins * spec.colors;
  for_all_sites(host, [&](int parity, int s, std::uint64_t site) {
    for (int subfield = 0; subfield < spec.subfields; ++subfield)
      for (int k = 0; k < components; ++k) {
        const Random4 r = RandomStream{seed, site, static_cast<std::uint32_t>(subfield), Purpose::test}.draw(
            static_cast<std::uint32_t>(k));
        set_real(host, subfield, parity, s, 2 * k, 2 * r.uniform(0) - 1);
        set_real(host, subfield, parity, s, 2 * k + 1, 2 * r.uniform(1) - 1);
      }
  });
  if (spec.location == Location::host && !half) return host;
  Field device(geometry, spec);
  copy(device, host);
  return device;
}

Field random_spinor(const GeometryPtr& geometry, Subset subset, int batch, Precision precision,
                    Location location, std::uint64_t seed) {
  return random_vectors(geometry, spinor_spec(subset, batch, precision, location), seed);
}

}  // namespace plaq::jobs
