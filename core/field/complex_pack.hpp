// Numbers that are next to each other in memory, re, im, re, im, ..., and that a member of a team takes at once: one complex
// number on a device, a vector of the host. With them products of complex numbers without an exchange of lanes: of terms
// y p, the sum of y re(p) and that of y im(p) apart.
#pragma once

#include "core/field/component_lines.hpp"
#include "core/lattice/lattice_box.hpp"
#include "core/launch/team.hpp"
#if !defined(__CUDACC__)
#include "core/algebra/lanes.hpp"
#endif

namespace plaq {

template <class Target, class C>
struct ComplexPack;

#if !defined(__CUDACC__)
template <class C>
struct ComplexPack<Host, C> {
  static constexpr int reals = host_vector_bytes / static_cast<int>(sizeof(C)), count = reals / 2;
  using Lane = Lanes<C, reals>;

  Lane v{C(0)};

  // Of Fixed16 integers.
  template <class S>
  static ComplexPack stored(const S* from) {
    return {load_stored<C, reals>(from)};
  }
  static ComplexPack load(const C* from) { return {Lane::load(from)}; }
  void store(C* to) const { v.store(to); }
  C operator[](int real) const { return v[real]; }
  friend ComplexPack operator+(const ComplexPack& a, const ComplexPack& b) { return {a.v + b.v}; }
  friend ComplexPack fma(C s, const ComplexPack& a, const ComplexPack& sum) {
    return {fma(Lane(s), a.v, sum.v)};
  }
};
#endif

template <class C>
struct ComplexPack<Device, C> {
  static constexpr int reals = 2, count = 1;

  Complex<C> v{C(0), C(0)};

  template <class S>
  static PLAQ_HD ComplexPack stored(const S* from) {
    return {from_storage<C>(stored_complex(from))};
  }
  static PLAQ_HD ComplexPack load(const C* from) { return stored(from); }
  PLAQ_HD void store(C* to) const {
    to[0] = v.re;
    to[1] = v.im;
  }
  PLAQ_HD C operator[](int real) const { return real == 0 ? v.re : v.im; }
  friend PLAQ_HD ComplexPack operator+(const ComplexPack& a, const ComplexPack& b) { return {a.v + b.v}; }
  friend PLAQ_HD ComplexPack fma(C s, const ComplexPack& a, const ComplexPack& sum) {
    return {fma(s, a.v, sum.v)};
  }
};

// Sums of y re(p) and of y im(p).
template <class Target, class C>
struct PackSum {
  using Pack = ComplexPack<Target, C>;
  Pack by_re, by_im;

  PLAQ_HD void add(const Pack& y, const Complex<C>& p) {
    by_re = fma(p.re, y, by_re);
    by_im = fma(p.im, y, by_im);
  }
  static PLAQ_HD PackSum load(const C* from, int imaginary) {
    return {Pack::load(from), Pack::load(from + imaginary)};
  }
  PLAQ_HD void store(C* to, int imaginary) const {
    by_re.store(to);
    by_im.store(to + imaginary);
  }
  friend PLAQ_HD PackSum operator+(const PackSum& a, const PackSum& b) {
    return {a.by_re + b.by_re, a.by_im + b.by_im};
  }
  // Of y p, of number r of a pack; of conj(y) p.
  PLAQ_HD Complex<C> number(int r) const {
    return {by_re[2 * r] - by_im[2 * r + 1], by_re[2 * r + 1] + by_im[2 * r]};
  }
  PLAQ_HD Complex<C> conjugate_number(int r) const {
    return {by_re[2 * r] + by_im[2 * r + 1], by_im[2 * r] - by_re[2 * r + 1]};
  }
};

// Numbers of a column, in packs.
template <class Target, class C>
PLAQ_HD constexpr int packs_of(int numbers) {
  return (numbers + ComplexPack<Target, C>::count - 1) / ComplexPack<Target, C>::count;
}

}  // namespace plaq
