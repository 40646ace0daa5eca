#include "tests/reference/domain_wall.hpp"

#include <cmath>
#include <functional>

#include "tests/reference/gamma.hpp"

namespace plaq::reference {
namespace {

using Map = std::function<SpinorField(const SpinorField&)>;

// Diagonal of D_w.
double diagonal(const DomainWallParameters& p) { return -p.m0 + 1 + 3 * p.nu / p.xi; }

// (1 + sign gamma5)/2
SpinorField projected(int sign, const SpinorField& in) {
  const SpinMatrix p = Complex(0.5) * (SpinMatrix::unit() + Complex(sign) * gamma5());
  return times(p, in);
}

// (L in)_s, or with L^T.
SpinorField shifted(const DomainWallParameters& p, const SpinorField& in, bool transposed) {
  RealDense plus = shift_l(p, 1), minus = shift_l(p, -1);
  if (transposed) return times(plus.transposed(), minus.transposed(), in);
  return times(plus, minus, in);
}

// a_s D psi_s + b psi_s, slice by slice.
SpinorField on_slices(const DomainWallParameters& p, const Map& d, const std::vector<double>& a, double b,
                      const SpinorField& in) {
  std::vector<SpinorField> slices;
  for (int s = 0; s < p.Ls(); ++s) {
    const SpinorField psi = slice(p, in, s);
    slices.emplace_back(psi.size());
    add(slices.back(), a[s], d(psi));
    add(slices.back(), b, psi);
  }
  return joined(slices);
}

}  // namespace

SpinorField slice(const DomainWallParameters& p, const SpinorField& five, int s) {
  const auto volume = static_cast<std::ptrdiff_t>(five.size() / p.omega.size());
  return {five.begin() + s * volume, five.begin() + (s + 1) * volume};
}

SpinorField joined(const std::vector<SpinorField>& slices) {
  SpinorField five;
  for (const auto& s : slices) five.insert(five.end(), s.begin(), s.end());
  return five;
}

SpinorField domain_wall(const DomainWallParameters& p, const GaugeField& gauge, const SpinorField& in) {
  const Map dw = [&](const SpinorField& psi) { return wilson(p.wilson(), gauge, psi); };
  SpinorField out = on_slices(p, dw, p.omega, 1, in);
  add(out, 1, on_slices(p, dw, p.sigma, -1, shifted(p, in, false)));
  return out;
}

SpinorField domain_wall_dagger(const DomainWallParameters& p, const GaugeField& gauge,
                               const SpinorField& in) {
  const Map dw = [&](const SpinorField& psi) { return wilson_dagger(p.wilson(), gauge, psi); };
  SpinorField out = on_slices(p, dw, p.omega, 1, in);
  add(out, 1, shifted(p, on_slices(p, dw, p.sigma, -1, in), true));
  return out;
}

RealDense shift_l(const DomainWallParameters& p, int sign) {
  const int n = p.Ls();
  RealDense plus(n);
  for (int s = 1; s < n; ++s) plus(s, s - 1) = 1;
  plus(0, n - 1) += -p.mass;
  return sign > 0 ? plus : plus.transposed();
}

RealDense matrix_y(const DomainWallParameters& p, int sign) {
  return RealDense::diagonal(p.omega) + RealDense::diagonal(p.sigma) * shift_l(p, sign);
}

RealDense matrix_x(const DomainWallParameters& p, int sign) {
  return diagonal(p) * matrix_y(p, sign) + RealDense::unit(p.Ls()) - shift_l(p, sign);
}

// omega^(power)
RealDense omega_to(const DomainWallParameters& p, double power) {
  std::vector<double> all;
  for (const double w : p.omega) all.push_back(std::pow(w, power));
  return RealDense::diagonal(all);
}

RealDense matrix_m5(const DomainWallParameters& p, int sign) {
  const RealDense one = RealDense::unit(p.Ls()), l = shift_l(p, sign), w = omega_to(p, -0.5),
                  c = RealDense::diagonal(p.sigma) * omega_to(p, -1);
  return (diagonal(p) * one + w * ((one - l) * ((one + c * l).inverse() * w))).inverse();
}

RealDense matrix_s1(const DomainWallParameters& p, int sign) {
  return matrix_m5(p, sign) * omega_to(p, -0.5);
}

RealDense matrix_s2(const DomainWallParameters& p, int sign) {
  return matrix_y(p, sign).inverse() * omega_to(p, 0.5);
}

SpinorField times(const RealDense& plus, const RealDense& minus, const SpinorField& in) {
  const int n = plus.size(), volume = static_cast<int>(in.size()) / n;
  const SpinMatrix g5 = gamma5();
  SpinorField out(in.size());
  for (int s = 0; s < n; ++s)
    for (int t = 0; t < n; ++t)
      for (int spin = 0; spin < 4; ++spin) {
        const double element = (g5(spin, spin).real() > 0 ? plus : minus)(s, t);
        if (element == 0.0) continue;
        for (int x = 0; x < volume; ++x)
          for (int color = 0; color < 3; ++color)
            out[s * volume + x][spin][color] += element * in[t * volume + x][spin][color];
      }
  return out;
}

// b on the walls, without factors of D_w.
SpinorField on_walls(const DomainWallParameters& p, const SpinorField& b) {
  std::vector<SpinorField> walls(p.omega.size(), SpinorField(b.size()));
  add(walls.front(), 1, projected(1, b));
  add(walls.back(), 1, projected(-1, b));
  return joined(walls);
}

SpinorField domain_wall_source(const DomainWallParameters& p, const GaugeField& gauge, const SpinorField& b) {
  std::vector<double> minus_sigma;
  for (const double sigma : p.sigma) minus_sigma.push_back(-sigma);
  return on_slices(
      p, [&](const SpinorField& psi) { return wilson(p.wilson(), gauge, psi); }, minus_sigma, 1,
      on_walls(p, b));
}

SpinorField domain_wall_current_field(const DomainWallParameters& p, const SpinorField& psi,
                                      const SpinorField& b) {
  const RealDense sigma = RealDense::diagonal(p.sigma);
  SpinorField sum = times(matrix_y(p, 1), matrix_y(p, -1), psi);
  add(sum, 1, times(sigma, sigma, on_walls(p, b)));
  std::vector<double> roots;
  for (std::size_t s = 0; s < p.omega.size(); ++s) roots.push_back(1 / std::sqrt(p.omega[s] + p.sigma[s]));
  return times(RealDense::diagonal(roots), RealDense::diagonal(roots), sum);
}

// P_- psi_s + P_+ psi_t
SpinorField quark_between(const DomainWallParameters& p, const SpinorField& psi, int s, int t) {
  SpinorField q = projected(-1, slice(p, psi, s));
  add(q, 1, projected(1, slice(p, psi, t)));
  return q;
}
SpinorField domain_wall_quark(const DomainWallParameters& p, const SpinorField& psi) {
  return quark_between(p, psi, 0, p.Ls() - 1);
}
SpinorField domain_wall_midpoint(const DomainWallParameters& p, const SpinorField& psi) {
  return quark_between(p, psi, p.Ls() / 2, p.Ls() / 2 - 1);
}

ComplexDense gamma5_times(ComplexDense m) {
  const SpinMatrix g5 = gamma5();
  for (int row = 0; row < m.size(); ++row)
    for (int column = 0; column < m.size(); ++column) m(row, column) *= g5(row / 3 % 4, row / 3 % 4);
  return m;
}

ComplexDense overlap_sign(const DomainWallParameters& p, const GaugeField& gauge) {
  const int size = 12 * gauge.lattice.volume();
  ComplexDense dw(size);
  for (int column = 0; column < size; ++column) {
    const auto image =
        wilson(p.wilson(), gauge, point_source(gauge.lattice, column / 12, column / 3 % 4, column % 3));
    for (int row = 0; row < size; ++row) dw(row, column) = image[row / 12][row / 3 % 4][row % 3];
  }
  const ComplexDense one = ComplexDense::unit(size);
  const auto difference = [&](std::size_t k) { return p.omega[k] - p.sigma[k]; };
  const auto kernel = [&](std::size_t k) {  // H_s / (omega_s + sigma_s)
    return gamma5_times(dw * (2.0 * one + difference(k) * dw).inverse());
  };
  bool commute = true;
  for (std::size_t k = 1; k < p.omega.size(); ++k)
    commute = commute && std::abs(difference(k) - difference(0)) < 1e-14;
  if (commute) {  // (A - B) (A + B)^-1 inverts no 1 + H_s
    const ComplexDense h = kernel(0);
    ComplexDense above = one, below = one;
    for (std::size_t k = 0; k < p.omega.size(); ++k) {
      const ComplexDense weighted = (p.omega[k] + p.sigma[k]) * h;
      above = above * (one + weighted);
      below = below * (one - weighted);
    }
    return (above - below) * (above + below).inverse();
  }
  ComplexDense t = one;
  for (std::size_t k = 0; k < p.omega.size(); ++k) {
    const ComplexDense h = (p.omega[k] + p.sigma[k]) * kernel(k);
    t = ((one - h) * (one + h).inverse()) * t;
  }
  return (one - t) * (one + t).inverse();
}

ComplexDense overlap_propagator(const DomainWallParameters& p, const ComplexDense& sign) {
  const ComplexDense one = ComplexDense::unit(sign.size());
  const double m = p.mass;
  const ComplexDense overlap = ((1 + m) / 2) * one + ((1 - m) / 2) * gamma5_times(sign);
  return (1 / (1 - m)) * (overlap.inverse() - one);
}

SpinorField times(const ComplexDense& matrix, const SpinorField& in) {
  SpinorField out(in.size());
  for (int row = 0; row < matrix.size(); ++row)
    for (int column = 0; column < matrix.size(); ++column)
      out[row / 12][row / 3 % 4][row % 3] +=
          matrix(row, column) * in[column / 12][column / 3 % 4][column % 3];
  return out;
}

}  // namespace plaq::reference
