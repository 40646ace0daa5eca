#include "tests/reference/flow.hpp"

#include <cmath>
#include <numbers>

#include "tests/reference/gauge_action.hpp"
#include "tests/reference/smearing.hpp"

namespace plaq::reference {
namespace {

using AlgebraField = std::vector<std::array<ColorMatrix, 4>>;

// TA(U V) of plaquettes and rectangles, loop by loop: six times the force of the action without 1/g^2.
AlgebraField improved_gradient(const GaugeField& gauge) {
  std::vector<WeightedLoops> action{{plaquettes(false), 5.0 / 3}, {plaquettes(true), 5.0 / 3}};
  for (int time = 0; time < 3; ++time) action.push_back({rectangles(time), -1.0 / 12});
  AlgebraField a = gauge_force(gauge, action);
  for (auto& links : a)
    for (ColorMatrix& m : links) m = Complex(6) * m;
  return a;
}

// (1 + nabla*_mu nabla_mu / 12) a_mu, nabla_mu f(x) = U_mu(x) f(x+mu) U_mu(x)^dagger - f(x).
AlgebraField zeuthen_average(const GaugeField& gauge, const AlgebraField& a) {
  AlgebraField result = a;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu) {
      const int ahead = gauge.lattice.forward(x, mu), behind = gauge.lattice.backward(x, mu);
      const ColorMatrix &u = gauge.link[x][mu], &back = gauge.link[behind][mu];
      const ColorMatrix second = u * a[ahead][mu] * dagger(u) + dagger(back) * a[behind][mu] * back;
      result[x][mu] = Complex(5.0 / 6) * a[x][mu] + Complex(1.0 / 12) * second;
    }
  return result;
}

// epsilon Z: minus the gradient of the action.
AlgebraField force(const GaugeField& gauge, double epsilon, FlowKind kind) {
  if (kind != FlowKind::wilson) {
    AlgebraField z = improved_gradient(gauge);
    if (kind == FlowKind::zeuthen) z = zeuthen_average(gauge, z);
    for (auto& links : z)
      for (ColorMatrix& m : links) m = Complex(-epsilon) * m;
    return z;
  }
  AlgebraField z(gauge.link.size());
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu)
      z[x][mu] = Complex(-epsilon) * traceless_antihermitian(gauge.link[x][mu] * staple_sum(gauge, x, mu));
  return z;
}

template <class Exponent>
GaugeField moved(const GaugeField& gauge, const Exponent& exponent) {
  GaugeField result = gauge;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu) result.link[x][mu] = exponential(exponent(x, mu)) * gauge.link[x][mu];
  return result;
}

ColorMatrix diagonal(double a, double b) {
  ColorMatrix u;
  u(0, 0) = std::polar(1.0, a);
  u(1, 1) = std::polar(1.0, b);
  u(2, 2) = std::polar(1.0, -a - b);
  return u;
}
ColorMatrix abelian(double phi) { return diagonal(phi, -phi); }

int sign_of(const std::array<int, 4>& order) {
  int sign = 1;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) {
      if (order[i] == order[j]) return 0;
      if (order[i] > order[j]) sign = -sign;
    }
  return sign;
}

}  // namespace

GaugeField flow_step(const GaugeField& w0, double epsilon, FlowKind kind) {
  const auto z0 = force(w0, epsilon, kind);
  const auto w1 = moved(w0, [&](int x, int mu) { return Complex(1.0 / 4) * z0[x][mu]; });
  const auto z1 = force(w1, epsilon, kind);
  const auto w2 =
      moved(w1, [&](int x, int mu) { return Complex(8.0 / 9) * z1[x][mu] - Complex(17.0 / 36) * z0[x][mu]; });
  const auto z2 = force(w2, epsilon, kind);
  return moved(w2, [&](int x, int mu) {
    return Complex(3.0 / 4) * z2[x][mu] - Complex(8.0 / 9) * z1[x][mu] + Complex(17.0 / 36) * z0[x][mu];
  });
}

GaugeField second_order_flow_step(const GaugeField& w0, double epsilon, FlowKind kind) {
  const auto z0 = force(w0, epsilon, kind);
  const auto w1 = moved(w0, [&](int x, int mu) { return Complex(1.0 / 4) * z0[x][mu]; });
  const auto z1 = force(w1, epsilon, kind);
  return moved(w0, [&](int x, int mu) { return Complex(2) * z1[x][mu] - z0[x][mu]; });
}

double plaquette_energy(const GaugeField& gauge) {
  long double sum = 0;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (int nu = 1; nu < 4; ++nu)
      for (int mu = 0; mu < nu; ++mu) sum += 2 * (3 - trace(plaquette(gauge, x, mu, nu)).real());
  return static_cast<double>(sum / gauge.lattice.volume());
}

ColorMatrix field_strength(const GaugeField& gauge, int x, int mu, int nu) {
  const Lattice& lattice = gauge.lattice;
  const auto& u = gauge.link;
  const int xm = lattice.forward(x, mu), xn = lattice.forward(x, nu);
  const int bm = lattice.backward(x, mu), bn = lattice.backward(x, nu);
  const int bm_n = lattice.forward(bm, nu), bmn = lattice.backward(bm, nu), m_bn = lattice.backward(xm, nu);
  const ColorMatrix q = u[x][mu] * u[xm][nu] * dagger(u[xn][mu]) * dagger(u[x][nu]) +
                        u[x][nu] * dagger(u[bm_n][mu]) * dagger(u[bm][nu]) * u[bm][mu] +
                        dagger(u[bm][mu]) * dagger(u[bmn][nu]) * u[bmn][mu] * u[bn][nu] +
                        dagger(u[bn][nu]) * u[bn][mu] * u[m_bn][nu] * dagger(u[x][mu]);
  const ColorMatrix f = Complex(1.0 / 8) * (q - dagger(q));
  return f - (trace(f) / 3.0) * ColorMatrix::unit();
}

double clover_energy(const GaugeField& gauge) {
  long double sum = 0;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu)
      for (int nu = 0; nu < 4; ++nu) {
        if (mu == nu) continue;
        const ColorMatrix f = field_strength(gauge, x, mu, nu);
        sum -= trace(f * f).real() / 2;
      }
  return static_cast<double>(sum / gauge.lattice.volume());
}

double topological_charge(const GaugeField& gauge) {
  const Complex i(0, 1);
  long double sum = 0;
  for (int x = 0; x < gauge.lattice.volume(); ++x) {
    ColorMatrix h[4][4];
    for (int mu = 0; mu < 4; ++mu)
      for (int nu = 0; nu < 4; ++nu)
        if (mu != nu) h[mu][nu] = -i * field_strength(gauge, x, mu, nu);
    for (int code = 0; code < 256; ++code) {
      const std::array<int, 4> order{code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
      if (const int sign = sign_of(order))
        sum += sign * trace(h[order[0]][order[1]] * h[order[2]][order[3]]).real();
    }
  }
  return static_cast<double>(sum / (32 * std::numbers::pi * std::numbers::pi));
}

GaugeField reflected(const GaugeField& gauge, int axis) {
  const Lattice& lattice = gauge.lattice;
  GaugeField result(lattice);
  for (int x = 0; x < lattice.volume(); ++x) {
    Coordinates c = lattice.coordinates(x);
    c[axis] = (lattice.extents[axis] - c[axis]) % lattice.extents[axis];
    const int image = lattice.index(c);
    for (int mu = 0; mu < 4; ++mu)
      result.link[x][mu] =
          mu == axis ? dagger(gauge.link[lattice.backward(image, mu)][mu]) : gauge.link[image][mu];
  }
  return result;
}

GaugeField constant_flux(const Lattice& lattice, int n_xy, int n_zt) {
  GaugeField gauge = unit_gauge(lattice);
  const std::array<int, 2> flux{n_xy, n_zt};
  for (int x = 0; x < lattice.volume(); ++x) {
    const Coordinates c = lattice.coordinates(x);
    for (int k = 0; k < 2; ++k) {  // links in direction b turn with a; at the seam those in a turn with b
      const int a = 2 * k, b = 2 * k + 1, last = lattice.extents[a] - 1;
      const double unit = 2 * std::numbers::pi * flux[k] / (lattice.extents[a] * lattice.extents[b]);
      gauge.link[x][b] = abelian(unit * c[a]);
      if (c[a] == last) gauge.link[x][a] = abelian(-unit * lattice.extents[a] * c[b]);
    }
  }
  return gauge;
}

GaugeField toron(const Lattice& lattice) {
  GaugeField gauge(lattice);
  for (auto& links : gauge.link)
    for (int mu = 0; mu < 4; ++mu) links[mu] = diagonal(0.3 + 0.7 * mu, -1.1 + 0.4 * mu);
  return gauge;
}

}  // namespace plaq::reference
