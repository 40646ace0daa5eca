#include "tests/reference/quark_force.hpp"

#include "tests/reference/gamma.hpp"
#include "tests/reference/matrix_exponential.hpp"
#include "tests/reference/smearing.hpp"

namespace plaq::reference {
namespace {

ColorMatrix spin_trace(const Spinor& a, const Spinor& b) {  // sum over spins of a b^dagger
  ColorMatrix m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int s = 0; s < 4; ++s) m(i, j) += a[s][i] * std::conj(b[s][j]);
  return m;
}

Spinor times(const SpinMatrix& m, const Spinor& v) {
  Spinor r{};
  for (int s = 0; s < 4; ++s)
    for (int t = 0; t < 4; ++t)
      for (int c = 0; c < 3; ++c) r[s][c] += m(s, t) * v[t][c];
  return r;
}

void add_to(ColorMatrix& sum, Complex factor, const ColorMatrix& m) { sum = sum + factor * m; }

}  // namespace

LinkMatrices hop_variation(const WilsonParameters& p, const GaugeField& gauge, const SpinorField& x,
                           const SpinorField& y) {
  const Lattice& lattice = gauge.lattice;
  LinkMatrices n(gauge.link.size());
  for (int site = 0; site < lattice.volume(); ++site)
    for (int mu = 0; mu < 4; ++mu) {
      const int ahead = lattice.forward(site, mu);
      const double weight =
          (mu == 3 ? 1.0 : p.nu / p.xi) * (lattice.wraps_forward(site, mu) ? p.boundary[mu] : 1);
      const SpinMatrix minus = SpinMatrix::unit() - gamma(mu), plus = SpinMatrix::unit() + gamma(mu);
      const ColorMatrix& u = gauge.link[site][mu];
      // -2 Re Y(x)^dagger (-weight/2) (1 - gamma) T U X(x+mu)
      add_to(n[site][mu], weight, u * spin_trace(x[ahead], times(minus, y[site])));
      // -2 Re Y(x+mu)^dagger (-weight/2) (1 + gamma) (-U^dagger T) X(x), cyclically tr(T ...)
      add_to(n[site][mu], -weight, spin_trace(x[site], times(plus, y[ahead])) * dagger(u));
    }
  return n;
}

LinkMatrices clover_variation(const CloverParameters& parameters, const GaugeField& gauge,
                              const CloverMatrices& of_diagonal) {
  const Lattice& lattice = gauge.lattice;
  CloverMatrices w = of_diagonal;
  if (parameters.exponential) {
    CloverParameters linear = parameters;
    linear.exponential = false;
    linear.twisted_mass = 0;
    const auto a = clover_matrices(linear, gauge);
    for (std::size_t x = 0; x < w.size(); ++x)
      w[x] = exponential_derivative(Complex(1 / parameters.diagonal()) * a[x], w[x]);
  }
  LinkMatrices n(gauge.link.size());
  for (int x = 0; x < lattice.volume(); ++x)
    for (int nu = 1; nu < 4; ++nu)
      for (int mu = 0; mu < nu; ++mu) {
        const SpinMatrix s = sigma(mu, nu);
        ColorMatrix b;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            for (int r = 0; r < 4; ++r)
              for (int t = 0; t < 4; ++t) b(i, j) += s(r, t) * w[x](3 * t + i, 3 * r + j);
        // -2 Re tr(dA W) = c Re tr(dF B), F = -(i/8) (Q - Q^dagger)
        const double c = nu == 3 ? parameters.temporal : parameters.spatial;
        const ColorMatrix z = Complex(0, -c / 8) * (b + dagger(b));
        const int back_mu = mu - 4, back_nu = nu - 4;
        for (const Path& leaf : {Path{mu, nu, back_mu, back_nu}, Path{nu, back_mu, back_nu, mu},
                                 Path{back_mu, back_nu, mu, nu}, Path{back_nu, mu, nu, back_mu}})
          cut_open(gauge, x, leaf, z, n);
      }
  return n;
}

// Each link is in the blocks D(x, x+mu) and D(x+mu, x), one of which is in D_eo.
LinkMatrices staggered_variation(const StaggeredParameters& p, const GaugeField& gauge, const ColorField& z) {
  const Lattice& lattice = gauge.lattice;
  const auto outer = [&](int a, int b) {
    ColorMatrix m;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m(i, j) = z[a][i] * std::conj(z[b][j]);
    return m;
  };
  LinkMatrices n(gauge.link.size());
  for (int site = 0; site < lattice.volume(); ++site)
    for (int mu = 0; mu < 4; ++mu) {
      const int ahead = lattice.forward(site, mu);
      const double sign = lattice.wraps_forward(site, mu) ? p.boundary[mu] : 1;
      const ColorMatrix& u = gauge.link[site][mu];
      if (lattice.parity(site) == 0)  // Z(x)^dagger eta T U Z(x+mu)
        add_to(n[site][mu], 0.5 * sign * eta(lattice, site, mu), u * outer(ahead, site));
      else  // Z(x+mu)^dagger (-eta) (-U^dagger T) Z(x)
        add_to(n[site][mu], 0.5 * sign * eta(lattice, ahead, mu), outer(site, ahead) * dagger(u));
    }
  return n;
}

CloverMatrices outer_products(const SpinorField& x, const SpinorField& y) {
  CloverMatrices w(x.size());
  for (std::size_t site = 0; site < x.size(); ++site)
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) w[site](i, j) = x[site][i / 3][i % 3] * std::conj(y[site][j / 3][j % 3]);
  return w;
}

LinkMatrices force_of(const LinkMatrices& n) {
  LinkMatrices f = n;
  for (auto& links : f)
    for (ColorMatrix& m : links) m = Complex(-0.5) * traceless_antihermitian(m);
  return f;
}

double derivative_along(const LinkMatrices& t, const LinkMatrices& f) {
  double sum = 0;
  for (std::size_t x = 0; x < t.size(); ++x)
    for (int mu = 0; mu < 4; ++mu) sum -= 2 * trace(t[x][mu] * f[x][mu]).real();
  return sum;
}

GaugeField moved_along(const GaugeField& gauge, const LinkMatrices& t, double e) {
  GaugeField moved = gauge;
  for (std::size_t x = 0; x < t.size(); ++x)
    for (int mu = 0; mu < 4; ++mu) moved.link[x][mu] = exponential(Complex(e) * t[x][mu]) * gauge.link[x][mu];
  return moved;
}

LinkMatrices random_direction(const Lattice& lattice, Generator& generator) {
  LinkMatrices t(static_cast<std::size_t>(lattice.volume()));
  for (auto& links : t)
    for (ColorMatrix& m : links) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m(i, j) = normal(generator);
      m = traceless_antihermitian(m);
    }
  return t;
}

}  // namespace plaq::reference
