#include "tests/reference/domain_wall.hpp"

#include <functional>

#include "tests/reference/gamma.hpp"

namespace plaq::reference {
namespace {

using Map = std::function<SpinorField(const SpinorField&)>;

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

SpinorField each_slice(const DomainWallParameters& p, const SpinorField& in,
                       const std::function<SpinorField(int, const SpinorField&)>& f) {
  std::vector<SpinorField> out;
  for (int s = 0; s < p.slices(); ++s) out.push_back(f(s, slice(p, in, s)));
  return joined(out);
}

// a D_w psi + b psi
SpinorField linear(double a, const SpinorField& hopped, double b, const SpinorField& psi) {
  SpinorField out(psi.size());
  add(out, a, hopped);
  add(out, b, psi);
  return out;
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
  const auto dw = [&](const SpinorField& psi) { return wilson(p.wilson(), gauge, psi); };
  SpinorField out =
      each_slice(p, in, [&](int s, const SpinorField& psi) { return linear(p.omega[s], dw(psi), 1, psi); });
  add(out, 1, each_slice(p, shifted(p, in, false), [&](int s, const SpinorField& psi) {
        return linear(p.sigma[s], dw(psi), -1, psi);
      }));
  return out;
}

SpinorField domain_wall_dagger(const DomainWallParameters& p, const GaugeField& gauge,
                               const SpinorField& in) {
  const auto dw = [&](const SpinorField& psi) { return wilson_dagger(p.wilson(), gauge, psi); };
  SpinorField out =
      each_slice(p, in, [&](int s, const SpinorField& psi) { return linear(p.omega[s], dw(psi), 1, psi); });
  add(out, 1,
      shifted(p,
              each_slice(p, in,
                         [&](int s, const SpinorField& psi) { return linear(p.sigma[s], dw(psi), -1, psi); }),
              true));
  return out;
}

RealDense shift_l(const DomainWallParameters& p, int sign) {
  const int n = p.slices();
  RealDense plus(n);
  for (int s = 1; s < n; ++s) plus(s, s - 1) = 1;
  plus(0, n - 1) += -p.mass;
  return sign > 0 ? plus : plus.transposed();
}

RealDense matrix_y(const DomainWallParameters& p, int sign) {
  return RealDense::diagonal(p.omega) + RealDense::diagonal(p.sigma) * shift_l(p, sign);
}

RealDense matrix_x(const DomainWallParameters& p, int sign) {
  return (4 - p.m0) * matrix_y(p, sign) + RealDense::unit(p.slices()) - shift_l(p, sign);
}

RealDense matrix_m5(const DomainWallParameters& p, int sign) {
  std::vector<double> c, inverse_root;
  for (std::size_t s = 0; s < p.omega.size(); ++s) {
    c.push_back(p.sigma[s] / p.omega[s]);
    inverse_root.push_back(1 / std::sqrt(p.omega[s]));
  }
  const RealDense one = RealDense::unit(p.slices()), l = shift_l(p, sign),
                  w = RealDense::diagonal(inverse_root);
  return ((4 - p.m0) * one + w * ((one - l) * ((one + RealDense::diagonal(c) * l).inverse() * w))).inverse();
}

RealDense matrix_s1(const DomainWallParameters& p, int sign) {
  std::vector<double> inverse_root;
  for (const double w : p.omega) inverse_root.push_back(1 / std::sqrt(w));
  return matrix_m5(p, sign) * RealDense::diagonal(inverse_root);
}

RealDense matrix_s2(const DomainWallParameters& p, int sign) {
  std::vector<double> root;
  for (const double w : p.omega) root.push_back(std::sqrt(w));
  return matrix_y(p, sign).inverse() * RealDense::diagonal(root);
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

SpinorField domain_wall_source(const DomainWallParameters& p, const GaugeField& gauge, const SpinorField& b) {
  std::vector<SpinorField> walls(p.omega.size(), SpinorField(b.size()));
  add(walls.front(), 1, projected(1, b));
  add(walls.back(), 1, projected(-1, b));
  return each_slice(p, joined(walls), [&](int s, const SpinorField& psi) {
    return linear(-p.sigma[s], wilson(p.wilson(), gauge, psi), 1, psi);
  });
}

SpinorField domain_wall_quark(const DomainWallParameters& p, const SpinorField& psi) {
  SpinorField q = projected(-1, slice(p, psi, 0));
  add(q, 1, projected(1, slice(p, psi, p.slices() - 1)));
  return q;
}

SpinorField domain_wall_mid_quark(const DomainWallParameters& p, const SpinorField& psi) {
  SpinorField q = projected(-1, slice(p, psi, p.slices() / 2));
  add(q, 1, projected(1, slice(p, psi, p.slices() / 2 - 1)));
  return q;
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
