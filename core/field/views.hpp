// Views: the compile-time faces of a Field. They load links, spinors and half spinors into registers.
// Component order in memory: matrix (row, column, re/im), spinor (spin, color, re/im), fastest last.
// S is what is stored: double, float or Fixed16; kernels compute in Compute<S>.
#pragma once

#include "core/algebra/spinor.hpp"
#include "core/field/reconstruction.hpp"
#include "core/field/site_array.hpp"

namespace plaq {

// Links of one gauge field, both parities, of `Reconstruction` reals each (core/field/reconstruction.hpp).
// Subfields are mu * 2 + parity.
template <class Target, class S, int Reconstruction = 18, class T = Compute<S>>
class GaugeView {
 public:
  using Real = typename Arch<Target, T>::Real;
  using Array = SiteArray<Target, T, Reconstruction, S>;
  // Factor that load_raw leaves out. Eight fixed point reals are scaled before they make a link.
  static constexpr bool scaled = Array::scaled && Reconstruction != 8;
  static constexpr T factor = scaled ? T(1) / T(fixed16_steps) : T(1);
  // And once more for a third row that is a product of the others.
  static constexpr bool third_row_scaled = scaled && Reconstruction == 12;

  GaugeView() = default;
  explicit GaugeView(Array array) : array_(array) {}

  // U_mu at a site of `parity`.
  template <class Index>
  PLAQ_HD Matrix3<Real> load(int mu, int parity, const Index& index) const {
    auto u = load_raw(mu, parity, index);
    if constexpr (scaled) {
#pragma unroll
      for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int j = 0; j < 3; ++j) {
          if (third_row_scaled && i == 2) u.e[i][j] = scale(Real(factor), u.e[i][j]);
          u.e[i][j] = scale(Real(factor), u.e[i][j]);
        }
    }
    return u;
  }
  // Link divided by `factor`, its third row perhaps once more: for times() and dagger_times().
  template <class Index>
  PLAQ_HD Matrix3<Real> load_raw(int mu, int parity, const Index& index) const {
    return unpack_raw(load_packed(mu, parity, index));
  }
  // A link as it is stored, in registers.
  using Packed = typename Array::Packed;
  template <class Index>
  PLAQ_HD Packed load_packed(int mu, int parity, const Index& index) const {
    return array_.load_packed(2 * mu + parity, index);
  }
  static PLAQ_HD Matrix3<Real> unpack_raw(const Packed& packed) {
    Real r[Reconstruction];
    Array::unpack_raw(packed, r);
    if constexpr (Reconstruction == 8) {
      if constexpr (Array::scaled) {
#pragma unroll
        for (int i = 0; i < 8; ++i) r[i] *= Real(T(1) / T(fixed16_steps));
      }
      return link_from_eight(r);
    } else {
      Matrix3<Real> u;
      unpack_rows<Reconstruction / 6>(r, u);
      if constexpr (Reconstruction == 12) complete_third_row(u);
      return u;
    }
  }
  // U v and U^dagger v of such a link, divided by `factor`.
  static PLAQ_HD ColorVector<Real> times(const Matrix3<Real>& raw, const ColorVector<Real>& v) {
    return scale_third(raw * v);
  }
  static PLAQ_HD ColorVector<Real> dagger_times(const Matrix3<Real>& raw, const ColorVector<Real>& v) {
    return plaq::dagger_times(raw, scale_third(v));
  }
  static PLAQ_HD HalfSpinor<Real> times(const Matrix3<Real>& raw, const HalfSpinor<Real>& h) {
    return scale_third(raw * h);
  }
  static PLAQ_HD HalfSpinor<Real> dagger_times(const Matrix3<Real>& raw, const HalfSpinor<Real>& h) {
    return plaq::dagger_times(raw, scale_third(h));
  }
  // For links that the same kernel stores: never through the device's read-only path.
  template <class Site>
  PLAQ_HD Matrix3<Real> load_mutable(int mu, int parity, const Site& site) const {
    static_assert(Reconstruction == 18);
    Real r[18];
    array_.load_mutable(2 * mu + parity, site, r);
    Matrix3<Real> u;
    unpack_rows<3>(r, u);
    return u;
  }
  // Eight reals are made by kernels/site/link_compression.hpp.
  template <class Index>
  PLAQ_HD void store(int mu, int parity, const Index& index, const Matrix3<Real>& u) const {
    static_assert(Reconstruction != 8);
    Real r[Reconstruction];
    pack_rows<Reconstruction / 6>(u, r);
    array_.store(2 * mu + parity, index, r);
  }
  template <class Index>
  PLAQ_HD void store_reals(int mu, int parity, const Index& index, const Real (&r)[Reconstruction]) const {
    array_.store(2 * mu + parity, index, r);
  }

 private:
  static PLAQ_HD ColorVector<Real> scale_third(ColorVector<Real> v) {
    if constexpr (third_row_scaled) v.c[2] = scale(Real(factor), v.c[2]);
    return v;
  }
  static PLAQ_HD HalfSpinor<Real> scale_third(HalfSpinor<Real> h) {
    if constexpr (third_row_scaled) {
#pragma unroll
      for (int spin = 0; spin < 2; ++spin) h.s[spin].c[2] = scale(Real(factor), h.s[spin].c[2]);
    }
    return h;
  }

  Array array_;
};

// A vector with View::offset added to every real component: one subtraction less
// where components are added anyway.
template <class Value, class View>
struct Shifted {
  Value value;
};
template <int Mu, class View, class Real>
PLAQ_HD HalfSpinor<Real> project(const Shifted<Spinor<Real>, View>& psi, const Real& sign) {
  return project_shifted<Mu>(psi.value, sign, Real(View::offset));
}

// Color vectors with `Spins` spin components: 4 a spinor, 2 a half spinor, 1 a staggered vector. Subfields
// are right-hand sides. Numbers of type T are stored as S, each site with its
// scale where `SiteScale` says so.
template <class Target, class T, int Spins, class S = T, bool SiteScale = false>
class SpinView {
 public:
  using Real = typename Arch<Target, T>::Real;
  using Array = SiteArray<Target, T, 6 * Spins, S, SiteScale>;
  static constexpr bool scaled = Array::scaled;

  SpinView() = default;
  explicit SpinView(Array array) : array_(array) {}
  PLAQ_HD explicit operator bool() const { return static_cast<bool>(array_); }

  template <class Value, class Index>
  PLAQ_HD Value load(int rhs, const Index& index) const {
    Real r[6 * Spins];
    array_.load(rhs, index, r);
    return unpacked<Value>(r);
  }
  // Link divided by `factor`.
  template <class Value, class Index>
  PLAQ_HD Value load_raw(int rhs, const Index& index, Real& factor) const {
    Real r[6 * Spins];
    factor = array_.load_raw(rhs, index, r);
    return unpacked<Value>(r);
  }
  // Divided by `factor`, with `offset` added to every real component where there is one.
  static constexpr T offset = Array::offset;
  template <class Value>
  using WithOffset = std::conditional_t<(Array::offset != 0), Shifted<Value, SpinView>, Value>;
  template <class Value, class Index>
  PLAQ_HD WithOffset<Value> load_offset(int rhs, const Index& index, Real& factor) const {
    Real r[6 * Spins];
    factor = array_.load_offset(rhs, index, r);
    return {unpacked<Value>(r)};
  }
  // Reads sites that SiteArray::stage brought into shared memory.
  template <class Value, int Capacity, class Address>
  static PLAQ_HD WithOffset<Value> load_staged(const Address& memory, unsigned place, Real& factor) {
    Real r[6 * Spins];
    factor = Array::template load_staged<Capacity>(memory, place, r);
    return {unpacked<Value>(r)};
  }
  template <int Capacity, class Address>
  PLAQ_HD void stage(int rhs, int index, const Address& memory, unsigned place) const {
    array_.template stage<Capacity>(rhs, index, memory, place);
  }
  static constexpr int staged_site_bytes() { return Array::staged_site_bytes; }
  // Component 3 * spin + color alone.
  template <class Site>
  PLAQ_HD Complex<Real> component(int rhs, const Site& site, int spin_color) const {
    Real r[2];
    array_.load_pair(rhs, site, spin_color, r);
    return {r[0], r[1]};
  }
  template <class Value, class Index>
  PLAQ_HD void store(int rhs, const Index& index, const Value& v) const {
    Real r[6 * Spins];
    pack(v, r);
    array_.store(rhs, index, r);
  }
  // v times `factor`, which is stored as the site's scale; left out where there is none.
  template <class Value, class Index>
  PLAQ_HD void store_raw(int rhs, const Index& index, const Value& v, const Real& factor) const {
    Real r[6 * Spins];
    pack(v, r);
    if constexpr (SiteScale) {
      array_.store_raw(rhs, index, r, factor);
    } else {
      array_.store(rhs, index, r);
    }
  }

 private:
  template <class Value>
  static PLAQ_HD Value unpacked(const Real (&r)[6 * Spins]) {
    static_assert(sizeof(Value) == sizeof(Real) * 6 * Spins);
    Value v;
#pragma unroll
    for (int s = 0; s < Spins; ++s)
#pragma unroll
      for (int c = 0; c < 3; ++c) v.s[s].c[c] = {r[6 * s + 2 * c], r[6 * s + 2 * c + 1]};
    return v;
  }
  template <class Value>
  static PLAQ_HD void pack(const Value& v, Real (&r)[6 * Spins]) {
    static_assert(sizeof(Value) == sizeof(Real) * 6 * Spins);
#pragma unroll
    for (int s = 0; s < Spins; ++s)
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        r[6 * s + 2 * c] = v.s[s].c[c].re;
        r[6 * s + 2 * c + 1] = v.s[s].c[c].im;
      }
  }

  Array array_;
};

// True if fields of S (other than links) have a scale for each site.
template <class S>
inline constexpr bool has_scale = sizeof(S) <= 2;

template <class Target, class S>
using SpinorView = SpinView<Target, Compute<S>, 4, S, has_scale<S>>;
template <class Target, class S>
using StaggeredView = SpinView<Target, Compute<S>, 1, S, has_scale<S>>;
// Faces of a halo: in computing precision, with the scale of the site beside it where there is one.
template <class Target, class S, int Spins = 2>
using WideFaceView = SpinView<Target, Compute<S>, Spins, Compute<S>, has_scale<S>>;

}  // namespace plaq
