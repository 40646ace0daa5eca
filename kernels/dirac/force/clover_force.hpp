// Contribution of the clover term to the force. For dS = -2 Re sum_x tr(dA W), W(x) a 12 x 12 matrix,
// A = -(1/2) sum_{mu<nu} c_mu,nu sigma_mu,nu F_mu,nu (kernels/dirac/clover/clover_term.hpp),
//   dS = Re sum_x sum_{mu<nu} tr(dQ_mu,nu(x) Z_mu,nu(x)),   Z = -(i c/8) (B + B^dagger),
//   B_ab = sum_st sigma_st W_(t a),(s b),
// Q the clover leaves. Z is antihermitian; its trace counts. W = k X Y^dagger of a pair of spinor fields, or
// (n/2) C^-1 for -n ln det C. For exponential clover quarks, C = d exp(A/d), the W of a pair becomes
//   the integral over s from 0 to 1 of exp(s A/d) W exp((1-s) A/d).
// For their -n ln |det(C + i mu gamma5)| it is (n/2d) C^2/(C^2 + mu^2) = (n/2d) [1 - mu^2/(C^2 + mu^2)],
// since functions of A commute; the 1 has no part in B, since tr sigma = 0.
#pragma once

#include "kernels/dirac/clover/chiral_exponential.hpp"
#include "kernels/dirac/clover/clover_term.hpp"
#include "kernels/dirac/force/hop_force.hpp"
#include "kernels/site/plaquette_side.hpp"

namespace plaq {

// A field of antihermitian matrices for each plane: 2 x 3 complex numbers, of which the first three hold d,
// subfields planes in the order of clover_planes().
inline constexpr int planes = 6;
template <class Target, class T>
class PlaneView {
 public:
  using Real = typename Arch<Target, T>::Real;
  using Array = SiteArray<Target, T, 12>;

  PlaneView() = default;
  explicit PlaneView(Array array) : array_(array) {}

  template <class Index>
  PLAQ_HD Antihermitian<Real> load(int plane, int parity, const Index& index) const {
    Real r[12];
    array_.load(2 * plane + parity, index, r);
    return unpacked(r);
  }
  template <class Site>
  PLAQ_HD void add(int plane, int parity, const Site& site, const Antihermitian<Real>& a) const {
    Real r[12];
    array_.load_mutable(2 * plane + parity, site, r);
    const auto old = unpacked(r);
    Real sum[12];
    for (int k = 0; k < 3; ++k) {
      sum[2 * k] = old.d[k] + a.d[k];
      sum[2 * k + 1] = Real(0);
      sum[6 + 2 * k] = old.o[k].re + a.o[k].re;
      sum[7 + 2 * k] = old.o[k].im + a.o[k].im;
    }
    array_.store(2 * plane + parity, site, sum);
  }

 private:
  static PLAQ_HD Antihermitian<Real> unpacked(const Real (&r)[12]) {
    return {{r[0], r[2], r[4]}, {{r[6], r[7]}, {r[8], r[9]}, {r[10], r[11]}}};
  }
  Array array_;
};

// sigma_mu,nu of a plane: row s holds i^power[s] in column s ^ flip.
struct SigmaPlane {
  int flip;
  int power[4];
};
template <class T>
struct SigmaPlanes {
  SigmaPlane plane[planes];
  T coefficient[planes];  // c
};
template <class T>
SigmaPlanes<T> sigma_planes(double spatial, double temporal) {
  SigmaPlanes<T> all;
  int count = 0;
  for (int nu = 1; nu < 4; ++nu)
    for (int mu = 0; mu < nu; ++mu) {
      const GammaMatrix product = gamma(mu) * gamma(nu);  // sigma = i gamma_mu gamma_nu
      auto& plane = all.plane[count];
      plane.flip = product.flip;
      for (std::size_t s = 0; s < 4; ++s) plane.power[s] = (1 + product.phase[s]) % 4;
      all.coefficient[count++] = static_cast<T>(nu == 3 ? temporal : spatial);
    }
  return all;
}

template <class Real>
PLAQ_HD Complex<Real> times_power(int power, const Complex<Real>& z) {
  switch (power) {
    case 0:
      return z;
    case 1:
      return {-z.im, z.re};
    case 2:
      return {-z.re, -z.im};
    default:
      return {z.im, -z.re};
  }
}

// -(i f) (B + B^dagger)
template <class Real>
PLAQ_HD Antihermitian<Real> plane_matrix(const Real& f, const Matrix3<Real>& b) {
  Antihermitian<Real> z;
  for (int i = 0; i < 3; ++i) z.d[i] = -(f + f) * b.e[i][i].re;
  auto upper = [&](int i, int j) {
    const Complex<Real> sum{b.e[i][j].re + b.e[j][i].re, b.e[i][j].im - b.e[j][i].im};
    return Complex<Real>{f * sum.im, -(f * sum.re)};
  };
  z.o[0] = upper(0, 1);
  z.o[1] = upper(0, 2);
  z.o[2] = upper(1, 2);
  return z;
}

// Z <- Z + that of W = sum_i k_i X_i Y_i^dagger. Inner index of the launch: plane.
template <class TargetT, class T>
struct PairInsertion {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = 128;

  SpinorView<TargetT, T> fields;  // X_i is subfield i, Y_i subfield first_y + i
  PlaneView<TargetT, T> z;
  T weight[most_pairs];
  SigmaPlanes<T> sigma;
  int pairs, first_y;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int plane) const {
    auto b = zero_matrix<Real>();
#pragma unroll 1
    for (int i = 0; i < pairs; ++i) {
      const auto x = fields.template load<Spinor<Real>>(i, site);
      const auto y = fields.template load<Spinor<Real>>(first_y + i, site);
      const Real k = Real(weight[i]);
      auto add = [&](int s, const ColorVector<Real>& xt, const ColorVector<Real>& ys) {
        const int power = sigma.plane[plane].power[s];
#pragma unroll
        for (int a = 0; a < 3; ++a) {
          const auto turned = times_power(power, scale(k, xt.c[a]));
#pragma unroll
          for (int c = 0; c < 3; ++c) b.e[a][c] = conj_fma(ys.c[c], turned, b.e[a][c]);
        }
      };
      const bool flips = sigma.plane[plane].flip == 1;  // within a chirality: 0 or 1
#pragma unroll
      for (int s = 0; s < 4; ++s) {
        if (flips) {
          add(s, x.s[s ^ 1], y.s[s]);
        } else {
          add(s, x.s[s], y.s[s]);
        }
      }
    }
    z.add(plane, parity, site, plane_matrix(Real(sigma.coefficient[plane] * T(0.125)), b));
  }
};

// Z <- Z + that of W = (n/2) C^-1. Inner index of the launch: plane.
template <class TargetT, class T>
struct DeterminantInsertion {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = 128;

  LatticeShape stored, owned;  // of Z, and of the blocks, which have no halo
  CloverView<TargetT, T> inverse;
  PlaneView<TargetT, T> z;
  T flavours;
  SigmaPlanes<T> sigma;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int plane) const {
    auto b = zero_matrix<Real>();
    const auto there = without_halo(stored, owned, parity, site);
    const bool flips = sigma.plane[plane].flip == 1;
#pragma unroll 1
    for (int chirality = 0; chirality < 2; ++chirality) {
      const auto block = inverse.load(chirality, there);
#pragma unroll
      for (int s = 0; s < 2; ++s) {
        const int power = sigma.plane[plane].power[2 * chirality + s];
#pragma unroll
        for (int a = 0; a < 3; ++a)
#pragma unroll
          for (int c = 0; c < 3; ++c)
            b.e[a][c] = b.e[a][c] + times_power(power, flips ? element(block, 3 * (s ^ 1) + a, 3 * s + c)
                                                             : element(block, 3 * s + a, 3 * s + c));
      }
    }
    const Real f = Real(sigma.coefficient[plane] * T(0.125) * T(0.5) * flavours);
    z.add(plane, parity, site, plane_matrix(f, b));
  }
};

// The W of exponential clover quarks, its Hermitian part, for W = sum_i k_i X_i Y_i^dagger. Inner index of
// the launch: chirality.
template <class TargetT, class T>
struct ExponentialPairs {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = 64;

  LatticeShape stored, owned;       // of the pairs, and of the blocks, which have no halo
  SpinorView<TargetT, T> fields;    // X_i is subfield i, Y_i subfield first_y + i
  CloverView<TargetT, T> exponent;  // A/d
  CloverView<TargetT, T> out;
  T weight[most_pairs];
  int halvings;  // of the exponent
  int pairs, first_y;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int chirality) const {
    const auto there = without_halo(stored, owned, parity, site);
    ChiralBlock<Real> w = zero_block<Real>();
#pragma unroll 1
    for (int i = 0; i < pairs; ++i) {
      const auto x = chiral_half(fields.template load<Spinor<Real>>(i, site), chirality);
      const auto y = chiral_half(fields.template load<Spinor<Real>>(first_y + i, site), chirality);
      const Real half = Real(T(0.5) * weight[i]);
#pragma unroll
      for (int row = 0; row < 6; ++row) {
        const auto &xr = x.s[row / 3].c[row % 3], &yr = y.s[row / 3].c[row % 3];
        w.d[row] = fma(half + half, fma(xr.im, yr.im, xr.re * yr.re), w.d[row]);
#pragma unroll
        for (int column = 0; column < row; ++column) {
          const auto &xc = x.s[column / 3].c[column % 3], &yc = y.s[column / 3].c[column % 3];
          auto& below = w.o[below_diagonal(row, column)];
          below = fma(half, conj_fma(xc, yr, conj_times(yc, xr)), below);
        }
      }
    }
    out.store(chirality, there, exponential_derivative(exponent.load(chirality, there), w, halvings));
  }

 private:
  static PLAQ_HD HalfSpinor<Real> chiral_half(const Spinor<Real>& psi, int chirality) {
    return chirality == 0 ? HalfSpinor<Real>{{psi.s[0], psi.s[1]}} : HalfSpinor<Real>{{psi.s[2], psi.s[3]}};
  }
};

// F <- F - TA(N)/2, N_mu(x) the sum over the plaquettes with U_mu(x) and over their four corners of the rest
// of the plaquette with Z where it starts. For a plaquette on the side nu, with A = V(x+mu), B =
// U_mu(x+nu)^dagger, C = V(x)^dagger, V the step by nu,
//   N = U_mu(x) { [Z(x+mu) A + A Z(x+mu+nu)] B C + A B [Z(x+nu) C + C Z(x)] },
// Z_nu,mu = -Z_mu,nu, and the other sign below the link. Reads links and Z with a halo of depth 1, corners
// included. Inner index of the launch: direction.
template <class TargetT, class T>
struct LeafForce {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Point = typename GaugeLattice<TargetT, T>::Point;
  static constexpr int block_size = 256;  // with more, the matrices of a side do not stay in registers

  GaugeLattice<TargetT, T> gauge;
  PlaneView<TargetT, T> z;
  AlgebraView<TargetT, T> force;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const auto x = gauge.lattice.point(parity, site);
    auto sum = zero_matrix<Real>();
#pragma unroll 1
    for (int k = 0; k < 8; ++k) {
      const int nu = k / 2;
      if (nu == mu) continue;
      const bool up = k % 2 == 0;
      const auto side = around(x, mu, nu, up);
      sum = (mu < nu) == up ? sum + side : sum - side;
    }
    const auto n = traceless_antihermitian(gauge.links.load(mu, parity, site) * sum);
    force.store(mu, parity, site, fma(Real(T(-0.5)), n, force.load_mutable(mu, parity, site)));
  }

 private:
  PLAQ_HD Matrix3<Real> around(const Point& x, int mu, int nu, bool up) const {
    const auto side = plaquette_side(gauge, x, mu, nu, up);
    const int plane = mu < nu ? nu * (nu - 1) / 2 + mu : mu * (mu - 1) / 2 + nu;
    auto insertion = [&](const Point& y) {
      return z.load(plane, y.parity, GaugeLattice<TargetT, T>::Lattice::index(y));
    };
    return side.with_insertions(insertion(side.ahead) * side.a + side.a * insertion(side.corner),
                                insertion(side.beside) * side.c + side.c * insertion(x));
  }
};

}  // namespace plaq
