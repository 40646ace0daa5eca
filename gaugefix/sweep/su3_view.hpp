// Matrices of SU(3) on sites or faces, links or g(x) of a gauge transformation: two rows or three are stored,
// in a precision of their own.
#pragma once

#include <type_traits>

#include "core/field/reconstruction.hpp"
#include "core/field/site_array.hpp"

namespace plaq {

// Two rows of g are stored, and made orthonormal wherever it is changed.
inline constexpr int transformation_reals = 12;
// And two rows of links while they are swept over: sweeps wait for memory.
inline constexpr int sweep_reconstruction = 12;

namespace detail {

template <class Target, class T, class A>
struct NumberOf {
  using type = A;
};
#if !defined(__CUDACC__)
template <class T, class A>
struct NumberOf<Host, T, A> {
  using type = Lanes<A, Arch<Host, T>::width>;
};
#endif

template <class To>
PLAQ_HD To converted(float a) {
  return static_cast<To>(a);
}
template <class To>
PLAQ_HD To converted(double a) {
  return static_cast<To>(a);
}
#if !defined(__CUDACC__)
template <class To, class T, int N>
PLAQ_HD To converted(Lanes<T, N> a) {
  static_assert(To::width == N);
  if constexpr (std::is_same_v<To, Lanes<T, N>>) return a;
  return __builtin_convertvector(a.v, typename To::Vector);
}
#endif

}  // namespace detail

// Numbers of type A, one for each site of a group of Arch<Target, T>.
template <class Target, class T, class A>
using Number = typename detail::NumberOf<Target, T, A>::type;

template <class To, class From>
PLAQ_HD Complex<To> converted(const Complex<From>& a) {
  return {detail::converted<To>(a.re), detail::converted<To>(a.im)};
}
template <class To, class From>
PLAQ_HD Matrix3<To> converted(const Matrix3<From>& a) {
  Matrix3<To> m;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) m.e[i][j] = converted<To>(a.e[i][j]);
  return m;
}

// a b and a b^dagger of SU(3): the third row is made of the others, at home as by whom they were sent.
template <class Real>
PLAQ_HD Matrix3<Real> product(const Matrix3<Real>& a, const Matrix3<Real>& b) {
  auto m = a * b;
  complete_third_row(m);
  return m;
}
template <class Real>
PLAQ_HD Matrix3<Real> product_with_dagger(const Matrix3<Real>& a, const Matrix3<Real>& b) {
  auto m = times_dagger(a, b);
  complete_third_row(m);
  return m;
}

// T: by which sites are grouped on the host, as wide as all other types of the kernel or wider; A: what is
// computed with; S: what is stored, `Reconstruction` (12, 18) a matrix.
template <class Target, class T, class A, int Reconstruction, class S>
class Su3View {
 public:
  using Real = Number<Target, T, A>;
  using Array =
      SiteArray<Target, std::conditional_t<std::is_same_v<Target, Device>, A, T>, Reconstruction, S>;

  Su3View() = default;  // closed
  Su3View(void* data, std::size_t subfield_stride) : array_(data, subfield_stride) {}
  PLAQ_HD explicit operator bool() const { return static_cast<bool>(array_); }

  template <class Index>
  PLAQ_HD Matrix3<Real> load(int subfield, const Index& index) const {
    Loaded r[Reconstruction];
    array_.load(subfield, index, r);
    return unpacked(r);
  }
  // Loads a matrix that the same kernel may store.
  template <class Index>
  PLAQ_HD Matrix3<Real> load_mutable(int subfield, const Index& index) const {
    Loaded r[Reconstruction];
    array_.load_mutable(subfield, index, r);
    return unpacked(r);
  }
  template <class Index>
  PLAQ_HD void store(int subfield, const Index& index, const Matrix3<Real>& u) const {
    Real r[Reconstruction];
    pack_rows<Reconstruction / 6>(u, r);
    Loaded out[Reconstruction];
#pragma unroll
    for (int k = 0; k < Reconstruction; ++k) out[k] = detail::converted<Loaded>(r[k]);
    array_.store(subfield, index, out);
  }

  // Faces load and store so. There is no factor here.
  template <class Value, class Index>
  PLAQ_HD Value load_raw(int subfield, const Index& index, Real&) const {
    return load(subfield, index);
  }
  template <class Index>
  PLAQ_HD void store_raw(int subfield, const Index& index, const Matrix3<Real>& u, const Real&) const {
    store(subfield, index, u);
  }

 private:
  using Loaded = Number<Target, T, std::conditional_t<std::is_same_v<Target, Device>, A, T>>;

  static PLAQ_HD Matrix3<Real> unpacked(const Loaded (&loaded)[Reconstruction]) {
    Real r[Reconstruction];
#pragma unroll
    for (int k = 0; k < Reconstruction; ++k) r[k] = detail::converted<Real>(loaded[k]);
    Matrix3<Real> u;
    unpack_rows<Reconstruction / 6>(r, u);
    if constexpr (Reconstruction == 12) complete_third_row(u);
    return u;
  }
  Array array_;
};

// g(x), subfield 2 copy + parity.
template <class Target, class T, class A = T, class S = T>
using TransformationView = Su3View<Target, T, A, transformation_reals, S>;

}  // namespace plaq
