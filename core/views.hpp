// Views: the compile-time faces of a Field. They load links, spinors and half spinors into registers.
// Component order in memory: matrix (row, column, re/im), spinor (spin, color, re/im), fastest last.
#pragma once

#include "core/site_array.hpp"
#include "core/spinor.hpp"

namespace plaq {

// Links of one gauge field, both parities. Slots are mu * 2 + parity.
template <class Target, class T>
class GaugeView {
 public:
  using Real = typename Arch<Target, T>::Real;
  using Array = SiteArray<Target, T, 18>;

  GaugeView() = default;
  explicit GaugeView(Array array) : array_(array) {}

  // U_mu at a site of `parity`.
  template <class Index>
  PLAQ_HD Matrix3<Real> load(int mu, int parity, const Index& index) const {
    Real r[18];
    array_.load(2 * mu + parity, index, r);
    return unpack(r);
  }
  // For links that the same kernel stores: never through the device's read-only path.
  template <class Site>
  PLAQ_HD Matrix3<Real> load_mutable(int mu, int parity, const Site& site) const {
    Real r[18];
    array_.load_mutable(2 * mu + parity, site, r);
    return unpack(r);
  }
  template <class Index>
  PLAQ_HD void store(int mu, int parity, const Index& index, const Matrix3<Real>& u) const {
    Real r[18];
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) {
        r[2 * (3 * i + j)] = u.e[i][j].re;
        r[2 * (3 * i + j) + 1] = u.e[i][j].im;
      }
    array_.store(2 * mu + parity, index, r);
  }

 private:
  static PLAQ_HD Matrix3<Real> unpack(const Real (&r)[18]) {
    Matrix3<Real> u;
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) u.e[i][j] = {r[2 * (3 * i + j)], r[2 * (3 * i + j) + 1]};
    return u;
  }

  Array array_;
};

// Color vectors with `Spins` spin components: 4 a spinor, 2 a half spinor. Slots are right-hand sides.
template <class Target, class T, int Spins>
class SpinView {
 public:
  using Real = typename Arch<Target, T>::Real;
  using Array = SiteArray<Target, T, 6 * Spins>;

  SpinView() = default;
  explicit SpinView(Array array) : array_(array) {}
  PLAQ_HD explicit operator bool() const { return static_cast<bool>(array_); }

  template <class Value, class Index>
  PLAQ_HD Value load(int slot, const Index& index) const {
    static_assert(sizeof(Value) == sizeof(Real) * 6 * Spins);
    Real r[6 * Spins];
    array_.load(slot, index, r);
    Value v;
#pragma unroll
    for (int s = 0; s < Spins; ++s)
#pragma unroll
      for (int c = 0; c < 3; ++c) v.s[s].c[c] = {r[6 * s + 2 * c], r[6 * s + 2 * c + 1]};
    return v;
  }
  // Component 3 * spin + color alone.
  template <class Site>
  PLAQ_HD Complex<Real> component(int slot, const Site& site, int spin_color) const {
    Real r[2];
    array_.load_pair(slot, site, spin_color, r);
    return {r[0], r[1]};
  }
  template <class Value, class Index>
  PLAQ_HD void store(int slot, const Index& index, const Value& v) const {
    static_assert(sizeof(Value) == sizeof(Real) * 6 * Spins);
    Real r[6 * Spins];
#pragma unroll
    for (int s = 0; s < Spins; ++s)
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        r[6 * s + 2 * c] = v.s[s].c[c].re;
        r[6 * s + 2 * c + 1] = v.s[s].c[c].im;
      }
    array_.store(slot, index, r);
  }

 private:
  Array array_;
};

template <class Target, class T>
using SpinorView = SpinView<Target, T, 4>;
template <class Target, class T>
using HalfSpinorView = SpinView<Target, T, 2>;

}  // namespace plaq
