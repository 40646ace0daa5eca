// Color vectors on the faces of a halo: projected half spinors, or staggered vectors.
#pragma once

#include "core/field/views.hpp"

namespace plaq {

// In computing precision, with the scale of the site beside them where S has one: so a site has the same
// bits on any process grid. Or, where computing precision is single, 16-bit numbers and a scale of their
// own: about half the bytes, and bits that depend on where the lattice is cut.
template <class Target, class S, int Spins = 2>
class FaceView {
 public:
  using Real = typename Arch<Target, Compute<S>>::Real;
  static constexpr bool may_be_short = sizeof(Compute<S>) == 4;
  using Wide = WideFaceView<Target, S, Spins>;
  using Short = SpinView<Target, Compute<S>, Spins, Fixed16, true>;

  FaceView() = default;  // closed
  // subfield_stride in units of what is stored.
  FaceView(void* data, std::size_t subfield_stride, bool in_16_bits) {
    if (in_16_bits) {
      short_ = Short({data, subfield_stride});
    } else {
      wide_ = Wide({data, subfield_stride});
    }
  }
  PLAQ_HD explicit operator bool() const { return wide_ || (may_be_short && short_); }

  // Divided by `factor`, as SpinView.
  template <class Value, class Index>
  PLAQ_HD Value load_raw(int subfield, const Index& index, Real& factor) const {
    if constexpr (may_be_short) {
      if (short_) {
        if constexpr (has_scale<S>) return short_.template load_raw<Value>(subfield, index, factor);
        factor = Real(1);
        return short_.template load<Value>(subfield, index);
      }
    }
    return wide_.template load_raw<Value>(subfield, index, factor);
  }
  // v times `factor`.
  template <class Value, class Index>
  PLAQ_HD void store_raw(int subfield, const Index& index, const Value& v, const Real& factor) const {
    if constexpr (may_be_short) {
      if (short_) {
        Value scaled = v;
        if constexpr (has_scale<S>) {
#pragma unroll
          for (auto& spin : scaled.s)
#pragma unroll
            for (auto& z : spin.c) z = {z.re * factor, z.im * factor};
        }
        return short_.store(subfield, index, scaled);
      }
    }
    wide_.store_raw(subfield, index, v, factor);
  }

 private:
  Wide wide_;
  Short short_;
};

}  // namespace plaq
