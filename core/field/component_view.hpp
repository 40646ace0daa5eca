// Views on parts of a site whose number of components is known at run time, in any order of memory: one
// complex number, or N x M of them. Kernels that take whole spinors and links use core/field/views.hpp, and
// those that walk over all reals of a site core/field/site_blocks.hpp.
//
// S: what is stored; in half precision with a scale a site, which is set before components are stored:
//   const auto steps = view.set_scale(subfield, site, most);   most: the largest magnitude at the site
//   view.store(subfield, site, component, value, steps);
#pragma once

#include "core/algebra/complex.hpp"
#include "core/field/scalar_components.hpp"
#include "core/launch/arch.hpp"

namespace plaq {

template <class Target, class S>
class ComponentView {
 public:
  using T = Compute<S>;
  using Arch = plaq::Arch<Target, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;

  ComponentView() = default;
  // View of sites of one parity; subfield_stride in units of S.
  ComponentView(void* data, std::size_t subfield_stride, const Layout& layout)
      : numbers_(data, subfield_stride, layout) {}

  PLAQ_HD int components() const { return numbers_.components(); }

  PLAQ_HD Complex<Real> load(int subfield, const Site& site, int component) const {
    Complex<Real> z;
    each_lane(site, [&](int index, int lane) {
      const Complex<T> one = numbers_.load(subfield, index, component);
      set(z.re, lane, one.re);
      set(z.im, lane, one.im);
    });
    return z;
  }
  PLAQ_HD void store(int subfield, const Site& site, int component, const Complex<Real>& z,
                     const Real& steps = Real(T(1))) const {
    each_lane(site, [&](int index, int lane) {
      numbers_.store(subfield, index, component, {get(z.re, lane), get(z.im, lane)}, get(steps, lane));
    });
  }
  // The steps that store() needs; 1 where there are no scales.
  PLAQ_HD Real set_scale(int subfield, const Site& site, const Real& most) const {
    Real steps(T(1));
    each_lane(site, [&](int index, int lane) {
      set(steps, lane, numbers_.set_scale(subfield, index, get(most, lane)));
    });
    return steps;
  }

 private:
#if defined(__CUDACC__)
  template <class F>
  static PLAQ_HD void each_lane(const DeviceSite& site, F&& f) {
    f(site.index, 0);
  }
#else
  template <int W, class F>
  static PLAQ_HD void each_lane(const LaneSite<W>& site, F&& f) {
    for (int l = 0; l < W; ++l)
      if ((site.mask >> l) & 1u) f(site.index + l, l);
  }
  template <int W>
  static PLAQ_HD void set(Lanes<T, W>& lanes, int lane, T value) {
    lanes.set(lane, value);
  }
  template <int W>
  static PLAQ_HD T get(const Lanes<T, W>& lanes, int lane) {
    return lanes[lane];
  }
#endif
  static PLAQ_HD void set(T& real, int, T value) { real = value; }
  static PLAQ_HD T get(const T& real, int) { return real; }

  ScalarComponents<S> numbers_;
};

// N x M complex numbers.
template <class Real, int N, int M>
struct Matrix {
  Complex<Real> e[N][M];
};

// Blocks of N x M of the sites' matrices, which may be larger: fields of `spins` rows and `colors` columns.
template <class Target, class S, int N, int M>
class MatrixView {
 public:
  using Components = ComponentView<Target, S>;
  using Real = typename Components::Real;
  using Site = typename Components::Site;

  MatrixView() = default;
  MatrixView(const Components& components, int columns) : components_(components), columns_(columns) {}

  // The block whose first number is in this row and column.
  PLAQ_HD Matrix<Real, N, M> load(int subfield, const Site& site, int row = 0, int column = 0) const {
    Matrix<Real, N, M> m;
#pragma unroll
    for (int i = 0; i < N; ++i)
#pragma unroll
      for (int j = 0; j < M; ++j)
        m.e[i][j] = components_.load(subfield, site, (row + i) * columns_ + column + j);
    return m;
  }
  PLAQ_HD Real set_scale(int subfield, const Site& site, const Real& most) const {
    return components_.set_scale(subfield, site, most);
  }
  PLAQ_HD void store(int subfield, const Site& site, const Matrix<Real, N, M>& m, const Real& steps,
                     int row = 0, int column = 0) const {
#pragma unroll
    for (int i = 0; i < N; ++i)
#pragma unroll
      for (int j = 0; j < M; ++j)
        components_.store(subfield, site, (row + i) * columns_ + column + j, m.e[i][j], steps);
  }
  // Stores a block that is the whole site, with the scale that it needs.
  PLAQ_HD void store(int subfield, const Site& site, const Matrix<Real, N, M>& m) const {
    store(subfield, site, m, set_scale(subfield, site, largest(m)));
  }
  static PLAQ_HD Real largest(const Matrix<Real, N, M>& m) {
    Real most(typename Components::T(0));
#pragma unroll
    for (int i = 0; i < N; ++i)
#pragma unroll
      for (int j = 0; j < M; ++j) most = larger_magnitude(m.e[i][j].im, larger_magnitude(m.e[i][j].re, most));
    return most;
  }

 private:
  Components components_;
  int columns_ = M;
};

}  // namespace plaq
