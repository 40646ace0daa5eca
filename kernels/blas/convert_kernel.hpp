// Vector updates between two precisions at one place.
#pragma once

#include <type_traits>

#include "kernels/blas/kernel.hpp"

namespace plaq::blas {

// The wider computing precision of two storages.
template <class A, class B>
using Wider = std::conditional_t<sizeof(Compute<A>) >= sizeof(Compute<B>), Compute<A>, Compute<B>>;

// to = c0 from, or to = to + c0 from where `add` says so; with a frame g, g from or, added, g^dagger from. A
// right-hand side is `Ls` subfields.
template <class TargetT, class To, class From>
struct Convert {
  using T = Wider<To, From>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block = 24;  // whole color vectors, and 16-byte loads in every storage
  using ToBlocks = SiteBlocks<TargetT, T, To, has_scale<To>, block>;
  using FromBlocks = SiteBlocks<TargetT, T, From, has_scale<From>, block>;

  ToBlocks to;
  FromBlocks from;
  typename ToBlocks::Shape to_shape;
  typename FromBlocks::Shape from_shape;
  SiteArray<TargetT, T, 18, float> frame;  // may be closed
  CoefficientList coefficients;
  int Ls;
  bool add;

  PLAQ_HD void operator()(const typename Arch::Site& site, int inner) const {
    const int k = Ls == 1 ? inner : inner / Ls;
    const CoefficientList::Set mine = coefficients[k];
    const int subfield = coefficients.active[k] * Ls + (inner - k * Ls);
    const Complex<Real> c{Real(static_cast<T>(mine.value[0])), Real(static_cast<T>(mine.value[1]))};
    const auto there = to_shape.place(site);
    const auto here = from_shape.place(site);
    Real from_scale(T(1)), to_scale(T(1)), most(T(0));
    if constexpr (has_scale<From>) from_scale = from.load_scale(subfield, here);
    if constexpr (has_scale<To>)
      if (add) to_scale = to.load_scale(subfield, there);

    const int once = (to_shape.reals() + block - 1) / block, passes = has_scale<To> ? 2 * once - 1 : once;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
      const bool known = pass >= once;  // the scale of all blocks, as in Kernel
      const int first = (known ? pass - once : pass) * block;
      Real in[block], sum[block];
      load(from, from_shape, subfield, here, first, from_scale, in);
      if (frame) change_gauge(site, in);
      if (add) {
        load(to, to_shape, subfield, there, first, to_scale, sum);
      } else {
#pragma unroll
        for (int r = 0; r < block; ++r) sum[r] = Real(T(0));
      }
      const int left = to_shape.reals() - first;
#pragma unroll
      for (int r = 0; r < block; r += 2) {
        const auto z = fma(c, Complex<Real>{in[r], in[r + 1]}, Complex<Real>{sum[r], sum[r + 1]});
        sum[r] = z.re;
        sum[r + 1] = z.im;
      }
      if constexpr (has_scale<To>) {
        if (!known) {
#pragma unroll
          for (int r = 0; r < block; ++r)
            if (r < left) most = larger_magnitude(sum[r], most);
        }
        if (pass < once - 1) continue;
      }
      to.store(to_shape, subfield, site, there, first, sum, has_scale<To> ? steps_for(most) : Real(T(1)));
    }
    if constexpr (has_scale<To>)
      to.store_scale(subfield, site, there, most * Real(T(1) / static_cast<T>(fixed16_steps)));
  }

 private:
  template <class Blocks, class Shape, class Place>
  static PLAQ_HD void load(const Blocks& blocks, const Shape& shape, int subfield, const Place& at, int first,
                           const Real& site_scale, Real (&out)[block]) {
    typename Blocks::Packed packed;
    shape.with_chunk([&](auto chunk) { blocks.load_packed(shape, subfield, at, first, chunk, packed); });
#pragma unroll
    for (int r = 0; r < block; ++r) out[r] = Blocks::unpack(packed, r);
    if constexpr (Blocks::fixed) {
#pragma unroll
      for (int r = 0; r < block; ++r) out[r] *= site_scale;
    }
  }
  PLAQ_HD void change_gauge(const typename Arch::Site& site, Real (&in)[block]) const {
    Real r[18];
    frame.load(0, site, r);
    Matrix3<Real> g;
    unpack_rows<3>(r, g);
#pragma unroll
    for (int first = 0; first < block; first += 6) {
      ColorVector<Real> v;
#pragma unroll
      for (int c = 0; c < 3; ++c) v.c[c] = {in[first + 2 * c], in[first + 2 * c + 1]};
      v = add ? dagger_times(g, v) : g * v;
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        in[first + 2 * c] = v.c[c].re;
        in[first + 2 * c + 1] = v.c[c].im;
      }
    }
  }
};

}  // namespace plaq::blas
