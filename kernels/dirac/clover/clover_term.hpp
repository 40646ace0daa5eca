// The clover term of Sheikholeslami and Wohlert, Nucl. Phys. B 259 (1985) 572, and a multiple of the unit
// matrix:
//   C = d - (1/2) sum_{mu<nu} c_mu,nu sigma_mu,nu F_mu,nu,   sigma_mu,nu = (i/2) [gamma_mu, gamma_nu],
//   F_mu,nu = -(i/8) (Q_mu,nu - Q_mu,nu^dagger), its trace not removed; Q: kernels/site/clover_leaf.hpp.
// c_mu,nu has one value for planes in space and one for planes with time. sigma commutes with gamma5: C is
// one Hermitian 6x6 block for each chirality.
#pragma once

#include "kernels/dirac/clover/chiral_block.hpp"
#include "kernels/site/clover_leaf.hpp"
#include "kernels/site/gamma_matrix.hpp"

namespace plaq {

// -(c/2) sigma_mu,nu in the two spins of a chirality: diag(f, -f) or f in row 1, column 0 (and its
// conjugate).
template <class T>
struct CloverPlane {
  int mu, nu;
  bool diagonal;
  Complex<T> f[2];  // by chirality
};
template <class T>
struct CloverPlanes {
  CloverPlane<T> plane[6];
};

template <class T>
CloverPlanes<T> clover_planes(double spatial, double temporal) {
  CloverPlanes<T> planes;
  int count = 0;
  for (int nu = 1; nu < 4; ++nu)
    for (int mu = 0; mu < nu; ++mu) {
      // sigma = i gamma_mu gamma_nu, (mu, nu) being orthogonal.
      const GammaMatrix sigma = gamma(mu) * gamma(nu);
      const T c = static_cast<T>(-0.5 * (nu == 3 ? temporal : spatial));
      const Complex<T> power[4] = {{c, 0}, {0, c}, {-c, 0}, {0, -c}};
      auto& plane = planes.plane[count++];
      plane.mu = mu;
      plane.nu = nu;
      plane.diagonal = sigma.flip == 0;
      for (std::size_t chirality = 0; chirality < 2; ++chirality)
        plane.f[chirality] = power[(1 + sigma.phase[2 * chirality + (plane.diagonal ? 0 : 1)]) % 4];
    }
  return planes;
}

// This site on the lattice without halo.
PLAQ_HD DeviceSite without_halo(const LatticeShape& stored, const LatticeShape& owned, int parity,
                                const DeviceSite& site) {
  Coordinates c = stored.coordinates(parity, site.index);
#pragma unroll
  for (int mu = 0; mu < 4; ++mu) c.x[mu] -= stored.halo[mu];
  return {owned.index(c)};
}
#if !defined(__CUDACC__)
template <int W>
LaneList<W> without_halo(const LatticeShape& stored, const LatticeShape& owned, int parity,
                         const LaneSite<W>& site) {
  LaneList<W> list{};
  list.mask = site.mask;
  for (int lane = 0; lane < W; ++lane)
    if ((site.mask >> lane) & 1u)
      list.lane[lane] = without_halo(stored, owned, parity, DeviceSite{site.index + lane}).index;
  return list;
}
#endif

// Makes the block of one chirality (the inner index) at one site. Leaves are computed for each of the two:
// both blocks at once would not fit the registers of a thread.
template <class TargetT, class T>
struct CloverTerm {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = sizeof(T) == 8 ? 256 : 384;

  GaugeLattice<TargetT, T> gauge;  // with a halo of depth 1
  LatticeShape owned;              // of `out`, without halo
  CloverView<TargetT, T> out[2];   // of both parities
  CloverPlanes<T> planes;
  T diagonal;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int chirality) const {
    const auto x = gauge.lattice.point(parity, site);
    const Real zero = Real(0);
    ChiralBlock<Real> block;
#pragma unroll
    for (int i = 0; i < 6; ++i) block.d[i] = Real(diagonal);
#pragma unroll
    for (int k = 0; k < 15; ++k) block.o[k] = {zero, zero};
#pragma unroll 1
    for (int k = 0; k < 6; ++k) {
      const CloverPlane<T>& plane = planes.plane[k];
      const Complex<Real> f{Real(plane.f[chirality].re), Real(plane.f[chirality].im)};
      add_leaves(gauge, x, plane.mu, plane.nu, [&](const Real& weight, const Matrix3<Real>& m) {
        if (plane.diagonal) {
          add_diagonal(block, weight * f.re, m);
        } else {
          add_below(block, scale(weight, f), m);
        }
      });
    }
    out[parity].store(chirality, without_halo(gauge.lattice.shape(), owned, parity, site), block);
  }

 private:
  // (row, column) of -i (m - m^dagger) / 2.
  static PLAQ_HD Complex<Real> hermitian(const Matrix3<Real>& m, int row, int column) {
    const Real half = Real(T(0.5));
    return {half * (m.e[row][column].im + m.e[column][row].im),
            half * (m.e[column][row].re - m.e[row][column].re)};
  }
  // diag(f, -f) in spin
  static PLAQ_HD void add_diagonal(ChiralBlock<Real>& block, const Real& f, const Matrix3<Real>& m) {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      block.d[i] = fma(f, m.e[i][i].im, block.d[i]);
      block.d[3 + i] = fma(-f, m.e[i][i].im, block.d[3 + i]);
#pragma unroll
      for (int j = 0; j < i; ++j) {
        auto& first = block.o[below_diagonal(i, j)];
        auto& second = block.o[below_diagonal(3 + i, 3 + j)];
        first = fma(f, hermitian(m, i, j), first);
        second = fma(-f, hermitian(m, i, j), second);
      }
    }
  }
  // f in row 1, column 0 of spin
  static PLAQ_HD void add_below(ChiralBlock<Real>& block, const Complex<Real>& f, const Matrix3<Real>& m) {
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) {
        auto& z = block.o[below_diagonal(3 + i, j)];
        z = fma(f, hermitian(m, i, j), z);
      }
  }
};

}  // namespace plaq
