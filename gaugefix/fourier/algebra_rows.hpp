// A field of the Lie algebra of SU(3) as Fourier transforms want it: each site has four complex numbers,
// eight real coefficients in pairs (Su3Algebra: its diagonal, then what is above it), in single precision.
// Sites are in lexicographic order, not by parity, and each complex component is a scalar field.
#pragma once

#include <cstdint>

#include "core/lattice/geometry.hpp"
#include "core/launch/arch.hpp"
#include "kernels/fourier/fourier_stage.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {

// Layout of the rows, counted in complex numbers:
//   x + row * (4 copy + component) + stride[1] y + stride[2] z + stride[3] t,  row = X
// The directions of `outer` (bit mu; y, z, t) are the slowest ones, in their order, so that one transform may
// take them at once; the other ones lie between them and the components.
struct RowsLayout {
  int extent[4] = {2, 2, 2, 2};
  int stride[4] = {1, 0, 0, 0};
  int row = 2;
  int copies = 1;
  int total = 0;       // complex numbers
  int outer_size = 1;  // product of the extents of `outer`

  RowsLayout() = default;
  // Throws Error(job_file) where 32 bits cannot count that many.
  RowsLayout(const Geometry& geometry, int copies, std::uint32_t outer);
};

using ComplexPair = FourierNumber<float>;

// Places of sites, found once and used for several fields of one layout.
template <class Target, class T>
class RowPlaces;

template <class T>
class RowPlaces<Device, T> {
 public:
  using Real = T;
  using Place = int;

  RowPlaces() = default;
  RowPlaces(const LatticeShape& shape, const RowsLayout& rows) : shape_(shape), rows_(rows) {}

  template <class Index>
  PLAQ_HD Place operator()(int parity, const Index& at) const {
    return of(parity, at.index);
  }
  PLAQ_HD Su3Algebra<Real> load(const ComplexPair* field, int copy, const Place& at) const {
    T r[8];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const ComplexPair c = field[at + rows_.row * (4 * copy + k)];
      r[2 * k] = static_cast<T>(c.re);
      r[2 * k + 1] = static_cast<T>(c.im);
    }
    return {{r[0], r[1]}, {{r[2], r[3]}, {r[4], r[5]}, {r[6], r[7]}}};
  }
  PLAQ_HD void store(ComplexPair* field, int copy, const Place& at, const Su3Algebra<Real>& x) const {
    const T r[8] = {x.d[0], x.d[1], x.o[0].re, x.o[0].im, x.o[1].re, x.o[1].im, x.o[2].re, x.o[2].im};
#pragma unroll
    for (int k = 0; k < 4; ++k)
      field[at + rows_.row * (4 * copy + k)] = {static_cast<float>(r[2 * k]),
                                                static_cast<float>(r[2 * k + 1])};
  }

 private:
  PLAQ_HD int of(int parity, int index) const {
    const Coordinates c = shape_.coordinates(parity, index);
    return c.x[0] + rows_.stride[1] * c.x[1] + rows_.stride[2] * c.x[2] + rows_.stride[3] * c.x[3];
  }
  LatticeShape shape_;
  RowsLayout rows_;
};

#if !defined(__CUDACC__)

template <class T>
class RowPlaces<Host, T> {
 public:
  static constexpr int width = Arch<Host, T>::width;
  using Real = typename Arch<Host, T>::Real;
  struct Place {
    int lane[width];
    LaneMask mask;
  };

  RowPlaces() = default;
  RowPlaces(const LatticeShape& shape, const RowsLayout& rows) : shape_(shape), rows_(rows) {}

  Place operator()(int parity, const LaneSite<width>& site) const {
    Place p;
    p.mask = site.mask;
    for (int l = 0; l < width; ++l) p.lane[l] = ((site.mask >> l) & 1u) != 0 ? of(parity, site.index + l) : 0;
    return p;
  }
  Place operator()(int parity, const LaneNeighbor<width>& n) const {
    return listed(parity, n.lane, ~LaneMask{0});
  }
  Place operator()(int parity, const LaneList<width>& list) const {
    return listed(parity, list.lane, list.mask);
  }
  Su3Algebra<Real> load(const ComplexPair* field, int copy, const Place& at) const {
    T r[8][width];
    for (int k = 0; k < 4; ++k) {
      const ComplexPair* from = field + rows_.row * (4 * copy + k);
      for (int l = 0; l < width; ++l) {
        r[2 * k][l] = static_cast<T>(from[at.lane[l]].re);
        r[2 * k + 1][l] = static_cast<T>(from[at.lane[l]].im);
      }
    }
    const auto real = [&](int k) { return Real::load(r[k]); };
    return {{real(0), real(1)}, {{real(2), real(3)}, {real(4), real(5)}, {real(6), real(7)}}};
  }
  void store(ComplexPair* field, int copy, const Place& at, const Su3Algebra<Real>& x) const {
    const Real r[8] = {x.d[0], x.d[1], x.o[0].re, x.o[0].im, x.o[1].re, x.o[1].im, x.o[2].re, x.o[2].im};
    for (int k = 0; k < 4; ++k)
      for (int l = 0; l < width; ++l)
        if (((at.mask >> l) & 1u) != 0)
          field[at.lane[l] + rows_.row * (4 * copy + k)] = {static_cast<float>(r[2 * k][l]),
                                                            static_cast<float>(r[2 * k + 1][l])};
  }

 private:
  Place listed(int parity, const int* lane, LaneMask mask) const {
    Place p;
    p.mask = mask;
    for (int l = 0; l < width; ++l)
      p.lane[l] = lane[l] >= 0 && lane[l] < shape_.half_volume ? of(parity, lane[l]) : 0;
    return p;
  }
  int of(int parity, int index) const {
    const Coordinates c = shape_.coordinates(parity, index);
    return c.x[0] + rows_.stride[1] * c.x[1] + rows_.stride[2] * c.x[2] + rows_.stride[3] * c.x[3];
  }
  LatticeShape shape_;
  RowsLayout rows_;
};

#endif

}  // namespace plaq
