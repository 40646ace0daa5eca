#include "tests/reference/hisq_force.hpp"

#include <cmath>
#include <cstdlib>

#include "tests/reference/smearing.hpp"

namespace plaq::reference {
namespace {

using Real = long double;
using Wide = std::complex<Real>;
using WideMatrix = Matrix<3, Wide>;

constexpr FatCoefficients first_level{1.0 / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, 0};

FatCoefficients second_level(double epsilon) {
  return {1 + epsilon / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, -1.0 / 8};
}

// Adds the gradient of Re tr(z P), P the product along a path from `site`.
void cut_path(const GaugeField& gauge, int site, const Path& path, const ColorMatrix& z, LinkMatrices& sum) {
  const std::size_t steps = path.size();
  std::vector<int> start(steps);  // of each step's link
  std::vector<ColorMatrix> before(steps), after(steps);
  ColorMatrix product = z;
  for (std::size_t k = 0; k < steps; ++k) {
    before[k] = product;
    const int mu = std::abs(path[k]) - 1;
    if (path[k] < 0) site = gauge.lattice.backward(site, mu);
    start[k] = site;
    product = product * (path[k] > 0 ? gauge.link[site][mu] : dagger(gauge.link[site][mu]));
    if (path[k] > 0) site = gauge.lattice.forward(site, mu);
  }
  product = ColorMatrix::unit();
  for (std::size_t k = steps; k-- > 0;) {
    const int mu = std::abs(path[k]) - 1;
    after[k] = product;
    const ColorMatrix& link = gauge.link[start[k]][mu];
    product = (path[k] > 0 ? link : dagger(link)) * product;
    const ColorMatrix open = after[k] * before[k];
    auto& at = sum[start[k]][mu];
    at = at + (path[k] > 0 ? open : dagger(open));
  }
}

WideMatrix wide(const ColorMatrix& a) {
  WideMatrix w;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) w(i, j) = Wide(a(i, j).real(), a(i, j).imag());
  return w;
}

WideMatrix inverse(const WideMatrix& a) {
  WideMatrix inv;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
      inv(j, i) = (a(k, m) * a(l, n) - a(k, n) * a(l, m)) / determinant(a);
    }
  return inv;
}

// The square root of a positive matrix: Denman and Beavers, Appl. Math. Comput. 2 (1976) 63.
WideMatrix root(const WideMatrix& a) {
  WideMatrix y = a, z = WideMatrix::unit();
  for (int step = 0; step < 60; ++step) {
    const WideMatrix next = Wide(0.5L) * (y + inverse(z));
    z = Wide(0.5L) * (z + inverse(y));
    y = next;
  }
  return y;
}

// X of H X + X H = P: nine linear equations, by elimination.
WideMatrix solved(const WideMatrix& h, const WideMatrix& p) {
  std::array<std::array<Wide, 10>, 9> row{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      auto& equation = row[3 * i + j];
      for (int k = 0; k < 3; ++k) {
        equation[3 * k + j] += h(i, k);
        equation[3 * i + k] += h(k, j);
      }
      equation[9] = p(i, j);
    }
  for (int c = 0; c < 9; ++c) {
    int pivot = c;
    for (int r = c + 1; r < 9; ++r)
      if (std::abs(row[r][c]) > std::abs(row[pivot][c])) pivot = r;
    std::swap(row[c], row[pivot]);
    for (int r = 0; r < 9; ++r) {
      if (r == c) continue;
      const Wide factor = row[r][c] / row[c][c];
      for (int k = c; k < 10; ++k) row[r][k] -= factor * row[c][k];
    }
  }
  WideMatrix x;
  for (int i = 0; i < 9; ++i) x(i / 3, i % 3) = row[i][9] / row[i][i];
  return x;
}

// All eigenvalues of a Hermitian matrix are above `bound`: leading minors are positive.
bool all_above(WideMatrix a, double bound) {
  for (int i = 0; i < 3; ++i) a(i, i) -= Real(bound);
  return a(0, 0).real() > 0 && (a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0)).real() > 0 &&
         determinant(a).real() > 0;
}

double traces(const GaugeField& links, const LinkMatrices& a) {
  double sum = 0;
  for (std::size_t x = 0; x < a.size(); ++x)
    for (int mu = 0; mu < 4; ++mu) sum += trace(links.link[x][mu] * a[x][mu]).real();
  return sum;
}

}  // namespace

LinkMatrices fat_link_gradient(const GaugeField& gauge, const FatCoefficients& c, const LinkMatrices& sigma) {
  LinkMatrices sum(gauge.link.size());
  for (int mu = 0; mu < 4; ++mu)
    for (const FatPath& one : fat_paths(mu, c))
      for (int x = 0; x < gauge.lattice.volume(); ++x)
        cut_path(gauge, x, one.path, Complex(one.coefficient) * sigma[x][mu], sum);
  return sum;
}

LinkMatrices three_link_gradient(const GaugeField& gauge, const LinkMatrices& sigma) {
  LinkMatrices sum(gauge.link.size());
  for (int mu = 0; mu < 4; ++mu)
    for (int x = 0; x < gauge.lattice.volume(); ++x)
      cut_path(gauge, x, {mu + 1, mu + 1, mu + 1}, sigma[x][mu], sum);
  return sum;
}

ColorMatrix unitary_factor_gradient(const ColorMatrix& v, const ColorMatrix& sigma, double filter,
                                    bool& filtered) {
  const WideMatrix w = wide(polar_u3(v)), s = wide(sigma);
  WideMatrix square = dagger(wide(v)) * wide(v);
  filtered = filter > 0 && !all_above(square, filter);
  if (filtered)
    for (int i = 0; i < 3; ++i) square(i, i) += Real(filter);
  const WideMatrix p = Wide(0.5L) * (s * w - dagger(s * w));
  const WideMatrix gradient = Wide(2) * (solved(root(square), p) * dagger(w));
  ColorMatrix found;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      found(i, j) = {static_cast<double>(gradient(i, j).real()), static_cast<double>(gradient(i, j).imag())};
  return found;
}

double hisq_function(const GaugeField& gauge, const std::vector<HisqTerm>& fat, const LinkMatrices& b) {
  const GaugeField w = hisq_unitary_links(gauge);
  double sum = traces(three_link_products(w), b);
  for (const HisqTerm& term : fat) sum += traces(fat_links(w, second_level(term.epsilon)), term.a);
  return sum;
}

HisqForce hisq_force(const GaugeField& gauge, const std::vector<HisqTerm>& fat, const LinkMatrices& b,
                     double filter) {
  const GaugeField v = fat_links(gauge, first_level), w = hisq_unitary_links(gauge);
  LinkMatrices sigma = three_link_gradient(w, b);
  for (const HisqTerm& term : fat) {
    const LinkMatrices more = fat_link_gradient(w, second_level(term.epsilon), term.a);
    for (std::size_t x = 0; x < sigma.size(); ++x)
      for (int mu = 0; mu < 4; ++mu) sigma[x][mu] = sigma[x][mu] + more[x][mu];
  }
  HisqForce result;
  for (std::size_t x = 0; x < sigma.size(); ++x)
    for (int mu = 0; mu < 4; ++mu) {
      bool filtered = false;
      sigma[x][mu] = unitary_factor_gradient(v.link[x][mu], sigma[x][mu], filter, filtered);
      if (filtered) ++result.filtered;
    }
  sigma = fat_link_gradient(gauge, first_level, sigma);
  for (std::size_t x = 0; x < sigma.size(); ++x)
    for (int mu = 0; mu < 4; ++mu) sigma[x][mu] = gauge.link[x][mu] * sigma[x][mu];
  result.force = force_of(sigma);
  return result;
}

}  // namespace plaq::reference
