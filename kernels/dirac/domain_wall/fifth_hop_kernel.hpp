// The hopping term of all slices of a site and a matrix in the fifth dimension behind it, on a host:
//   out = a add + b R A^-1 Q (D in).
// D in is rounded to storage before the matrix takes it, so that bits are those of the two one after the
// other (HopKernel, FifthDimension), which go through memory in between.
#pragma once

#include <vector>

#include "kernels/dirac/domain_wall/fifth_dimension_kernel.hpp"
#include "kernels/dirac/hop/hop_kernel.hpp"

namespace plaq {

// HopKernelT: its active set has right-hand sides, each of Ls subfields.
template <class HopKernelT, class S>
struct FifthHopKernel {
  using Hop = typename HopKernelT::Hop;
  using T = typename Hop::T;
  using Arch = typename Hop::Arch;
  using Real = typename Hop::Real;
  using Site = typename Hop::Site;
  using Vectors = typename Hop::Vectors;
  using Array = typename Vectors::Array;
  static constexpr bool with_scale = has_scale<S>;
  // Units of S that a slice of a group of sites takes: a block of a field of its own.
  static constexpr int slice_units = (24 + (with_scale ? 4 / static_cast<int>(sizeof(S)) : 0)) *
                                     host_site_block(static_cast<int>(sizeof(S)));

  HopKernelT kernel;
  FifthMatrix<T> matrix;
  Array add, out;  // add may be closed

  void operator()(const Site& site, int k) const {
    const int Ls = matrix.Ls, first = kernel.active[k] * Ls;
    static thread_local std::vector<Piece> memory;
    const std::size_t between = pieces(static_cast<std::size_t>(Ls) * slice_units * sizeof(S));
    memory.resize(between + (with_scale ? pieces(static_cast<std::size_t>(Ls) * 24 * sizeof(Real)) : 0));
    const Array slices(memory.data(), slice_units);
    const Site here{0, static_cast<decltype(Site::mask)>((std::uint64_t{1} << Arch::width) - 1)};
    for (int s = 0; s < Ls; ++s) Vectors(slices).store(s, here, kernel.sum_at(site, first + s));

    auto* whole = reinterpret_cast<Real*>(memory.data() + between);
    for (int four = 0; four < 6; ++four)
      walk(slices, here, four, [&](int slice, Real(&y)[4]) {
        Real x[4];
        if (add) add.load_four(first + slice, site, four, x);
        for (int r = 0; r < 4; ++r)
          y[r] = add ? fma(Real(matrix.b), y[r], Real(matrix.a) * x[r]) : Real(matrix.b) * y[r];
        if constexpr (with_scale) {
          for (int r = 0; r < 4; ++r) whole[slice * 24 + 4 * four + r] = y[r];
        } else {
          out.store_four(first + slice, site, four, y);
        }
      });
    if constexpr (with_scale) {
      for (int s = 0; s < Ls; ++s) {
        Real all[24];
        for (int r = 0; r < 24; ++r) all[r] = whole[s * 24 + r];
        out.store(first + s, site, all);
      }
    }
  }

 private:
  // write(slice, R A^-1 Q of four components), which FifthDimension computes in the same order.
  template <class Write>
  void walk(const Array& slices, const Site& here, int four, const Write& write) const {
    const int chirality = four / 3;
    const FifthStep<T>* steps = matrix.steps + chirality * matrix.Ls;
    Real last[4] = {Real(T(0)), Real(T(0)), Real(T(0)), Real(T(0))}, before[4], b[4], y[4];
    for (int i = 0; i < matrix.Ls; ++i) {
      slices.load_four(matrix.slice_of(chirality, i), here, four, before);
      for (int r = 0; r < 4; ++r) last[r] = fma(Real(steps[i].start), before[r], last[r]);
    }
    for (int i = 0; i < matrix.Ls; ++i) {
      const int slice = matrix.slice_of(chirality, i);
      slices.load_four(slice, here, four, b);
      for (int r = 0; r < 4; ++r) {
        y[r] = matrix.step_out(steps[i], b[r], before[r], last[r]);
        before[r] = b[r];
      }
      write(slice, y);
    }
  }

  struct alignas(64) Piece {
    unsigned char bytes[64];
  };
  static std::size_t pieces(std::size_t bytes) { return (bytes + sizeof(Piece) - 1) / sizeof(Piece); }
};

}  // namespace plaq
