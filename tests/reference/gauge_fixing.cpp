#include "tests/reference/gauge_fixing.hpp"

#include <cmath>

namespace plaq::reference {
namespace {

using Block = std::array<std::array<Complex, 2>, 2>;

int directions(FixedGauge kind) { return kind == FixedGauge::coulomb ? 3 : 4; }

// U_mu(x) and U_mu(x-mu)^dagger: what g(x) multiplies from the left.
std::vector<ColorMatrix> outgoing(const GaugeField& gauge, FixedGauge kind, int site) {
  std::vector<ColorMatrix> w;
  for (int mu = 0; mu < directions(kind); ++mu) {
    w.push_back(gauge.link[site][mu]);
    w.push_back(dagger(gauge.link[gauge.lattice.backward(site, mu)][mu]));
  }
  return w;
}

struct Abelian {
  Complex c = 0;
  double d = 0;
};
Abelian abelian(const std::vector<ColorMatrix>& all, int i, int j) {
  Abelian sum;
  for (const auto& w : all) {
    sum.c += std::conj(w(i, i)) * w(j, i) - std::conj(w(i, j)) * w(j, j);
    sum.d += 0.5 * (std::norm(w(i, i)) + std::norm(w(j, j)) - std::norm(w(i, j)) - std::norm(w(j, i)));
  }
  return sum;
}

// The h that makes the functional largest in rows i, j.
Block best(const std::vector<ColorMatrix>& all, FixedGauge kind, int i, int j) {
  if (kind == FixedGauge::maximally_abelian) {
    const Abelian a = abelian(all, i, j);
    const double e = -a.c.imag(), f = a.c.real(), length = std::sqrt(a.d * a.d + e * e + f * f);
    double g0 = a.d + length, g1 = e, g2 = f;
    const double norm = std::sqrt(g0 * g0 + g1 * g1 + g2 * g2);
    g0 /= norm, g1 /= norm, g2 /= norm;
    return {{{Complex(g0), Complex(g2, g1)}, {Complex(-g2, g1), Complex(g0)}}};
  }
  ColorMatrix k;
  for (const auto& w : all) k = k + w;
  const Complex alpha = 0.5 * (k(i, i) + std::conj(k(j, j))), beta = 0.5 * (k(i, j) - std::conj(k(j, i)));
  const double norm = std::sqrt(std::norm(alpha) + std::norm(beta));
  return {{{std::conj(alpha) / norm, -beta / norm}, {std::conj(beta) / norm, alpha / norm}}};
}

Block updated(const Block& h, double omega, bool reflect) {
  Block r{};
  if (reflect) {
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) r[i][j] = h[i][0] * h[0][j] + h[i][1] * h[1][j];
    return r;
  }
  const double a0 = 0.5 * (h[0][0] + h[1][1]).real(), across = 1 - a0 * a0;
  const double b = (omega * a0 * a0 + across) / (a0 * a0 + across),
               c = 1 / std::sqrt(a0 * a0 + b * b * across);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      r[i][j] = b * c * (h[i][j] - (i == j ? a0 : 0.0)) + (i == j ? c * a0 : 0.0);
  return r;
}

}  // namespace

FixingQuality fixing_quality(const GaugeField& gauge, FixedGauge kind) {
  const Lattice& lattice = gauge.lattice;
  const int slices = lattice.extents[3], count = directions(kind);
  const double slice_volume = lattice.volume() / slices;
  FixingQuality q;
  q.slice_functional.resize(slices);
  q.slice_theta.resize(slices);
  const auto field = [&](int site, int mu) {  // A_mu
    const auto& u = gauge.link[site][mu];
    ColorMatrix a = Complex(0, -0.5) * (u - dagger(u));
    const Complex third = trace(a) / 3.0;
    for (int i = 0; i < 3; ++i) a(i, i) -= third;
    return a;
  };
  for (int site = 0; site < lattice.volume(); ++site) {
    const auto t = lattice.coordinates(site)[3];
    double f = 0, violation = 0;
    for (int mu = 0; mu < count; ++mu) {
      const auto& u = gauge.link[site][mu];
      const int before = lattice.backward(site, mu);
      // Half of each link for each of its ends, so that slices have what is theirs.
      for (const auto& v : {u, gauge.link[before][mu]})
        for (int i = 0; i < 3; ++i)
          f += 0.5 * (kind == FixedGauge::maximally_abelian ? std::norm(v(i, i)) : v(i, i).real());
    }
    if (kind == FixedGauge::maximally_abelian) {
      const auto all = outgoing(gauge, kind, site);
      for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}})
        violation += std::norm(abelian(all, i, j).c);
    } else {
      ColorMatrix delta;
      for (int mu = 0; mu < count; ++mu)
        delta = delta + field(site, mu) - field(lattice.backward(site, mu), mu);
      violation = trace(delta * dagger(delta)).real();
    }
    q.slice_functional[t] += f / (3 * count * slice_volume);
    q.slice_theta[t] += violation / (3 * slice_volume);
  }
  for (int t = 0; t < slices; ++t) {
    q.functional += q.slice_functional[t] / slices;
    q.theta += q.slice_theta[t] / slices;
  }
  return q;
}

void fixing_sweep(GaugeField& gauge, FixedGauge kind, double omega, bool reflect) {
  fixing_sweep(gauge, kind, omega, [reflect](int, int) { return reflect; });
}

void fixing_sweep(GaugeField& gauge, FixedGauge kind, double omega,
                  const std::function<bool(int, int)>& reflect) {
  const Lattice& lattice = gauge.lattice;
  for (int parity = 0; parity < 2; ++parity)
    for (int site = 0; site < lattice.volume(); ++site) {
      if (lattice.parity(site) != parity) continue;
      for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
        const Block h =
            updated(best(outgoing(gauge, kind, site), kind, i, j), omega, reflect(site, i + j - 1));
        ColorMatrix g = ColorMatrix::unit();
        g(i, i) = h[0][0], g(i, j) = h[0][1], g(j, i) = h[1][0], g(j, j) = h[1][1];
        for (int mu = 0; mu < 4; ++mu) {  // all links turn, whichever are looked at
          auto& here = gauge.link[site][mu];
          here = g * here;
          auto& before = gauge.link[lattice.backward(site, mu)][mu];
          before = before * dagger(g);
        }
      }
    }
}

}  // namespace plaq::reference
