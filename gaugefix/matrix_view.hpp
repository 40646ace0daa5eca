// Matrices of SU(3) on sites or faces: g(x) of a gauge transformation, for several gauge copies at once.
#pragma once

#include "core/link_reals.hpp"
#include "core/site_array.hpp"

namespace plaq {

template <class Target, class T>
class MatrixView {
 public:
  using Real = typename Arch<Target, T>::Real;
  using Array = SiteArray<Target, T, 18>;

  MatrixView() = default;  // closed
  MatrixView(void* data, std::size_t slot_stride) : array_(data, slot_stride) {}
  PLAQ_HD explicit operator bool() const { return static_cast<bool>(array_); }

  template <class Index>
  PLAQ_HD Matrix3<Real> load(int slot, const Index& index) const {
    Real r[18];
    array_.load(slot, index, r);
    return unpacked(r);
  }
  // What the same kernel stores.
  template <class Index>
  PLAQ_HD Matrix3<Real> load_mutable(int slot, const Index& index) const {
    Real r[18];
    array_.load_mutable(slot, index, r);
    return unpacked(r);
  }
  template <class Index>
  PLAQ_HD void store(int slot, const Index& index, const Matrix3<Real>& u) const {
    Real r[18];
    pack_rows<3>(u, r);
    array_.store(slot, index, r);
  }

 private:
  static PLAQ_HD Matrix3<Real> unpacked(const Real (&r)[18]) {
    Matrix3<Real> u;
    unpack_rows<3>(r, u);
    return u;
  }
  Array array_;
};

}  // namespace plaq
