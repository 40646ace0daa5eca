// Fields of 3x3 matrices that are no links: vectors in the adjoint representation, complex in general.
#pragma once

#include "core/field/field.hpp"
#include "core/field/field_views.hpp"
#include "core/field/reconstruction.hpp"
#include "core/field/site_array.hpp"

namespace plaq {

// Both parities, double precision, [row][column] at a site, a subfield a right-hand side.
inline FieldSpec color_matrix_spec(int batch, Location location) {
  return {Subset::full, 3, 3, batch, Precision::double_precision, location};
}

template <class Target, class T>
class ColorMatrixView {
 public:
  using Real = typename Arch<Target, T>::Real;
  using Array = SiteArray<Target, T, 18>;

  ColorMatrixView() = default;  // closed
  explicit ColorMatrixView(Array array) : array_(array) {}
  PLAQ_HD explicit operator bool() const { return static_cast<bool>(array_); }

  template <class Index>
  PLAQ_HD Matrix3<Real> load(int rhs, const Index& index) const {
    Real r[18];
    array_.load(rhs, index, r);
    return matrix_of(r);
  }
  // Matrix of a field that the same kernel stores.
  template <class Index>
  PLAQ_HD Matrix3<Real> load_mutable(int rhs, const Index& index) const {
    Real r[18];
    array_.load_mutable(rhs, index, r);
    return matrix_of(r);
  }
  template <class Index>
  PLAQ_HD void store(int rhs, const Index& index, const Matrix3<Real>& m) const {
    Real r[18];
    pack_rows<3>(m, r);
    array_.store(rhs, index, r);
  }

  // Faces load and store so. There is no factor here.
  template <class Value, class Index>
  PLAQ_HD Value load_raw(int rhs, const Index& index, Real&) const {
    return load(rhs, index);
  }
  template <class Index>
  PLAQ_HD void store_raw(int rhs, const Index& index, const Matrix3<Real>& m, const Real&) const {
    store(rhs, index, m);
  }

 private:
  static PLAQ_HD Matrix3<Real> matrix_of(const Real (&r)[18]) {
    Matrix3<Real> m;
    unpack_rows<3>(r, m);
    return m;
  }
  Array array_;
};

// Sites of one parity.
template <class Target, class T>
ColorMatrixView<Target, T> color_matrix_view(const Field& field, int parity) {
  expect(field, location_of<Target>, precision_of<T>, 3, 3);
  return ColorMatrixView<Target, T>({field.data(0, parity), field.subfield_stride()});
}

}  // namespace plaq
