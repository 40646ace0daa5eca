// The product of a dense matrix with a batch of vectors on one rank.
//
// The matrix is cut into tiles of rows. A team has a tile and some right-hand sides, a member one row and a
// part of the columns: for each number of the matrix it adds to all of these right-hand sides. Rounding: a
// part is added up column by column, the parts in their order, and a row's scale comes last. So a right-hand
// side has the same bits in any batch.
#pragma once

#include "core/field/scalar_components.hpp"
#include "core/launch/team.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

// Place of number (row, column): tile after tile, in each columns after columns, rows
// fastest. Rows behind the last are 0.
struct DenseTiles {
  static constexpr int height = 32;

  int rows = 0;
  PLAQ_HD int count() const { return (rows + height - 1) / height; }
  PLAQ_HD std::size_t size() const {
    return static_cast<std::size_t>(count()) * height * static_cast<std::size_t>(rows);
  }
  PLAQ_HD std::size_t place(int row, int column) const {
    return (static_cast<std::size_t>(row / height) * static_cast<std::size_t>(rows) +
            static_cast<std::size_t>(column)) *
               height +
           static_cast<std::size_t>(row % height);
  }
};

// A complex number in storage D.
template <class D>
struct alignas(2 * sizeof(D)) DenseNumber {
  D re, im;
};

// Active right-hand sides of a field beside each other, `padded` a row: 0 behind the last.
template <class Target, class C>
struct DensePack {
  static constexpr int max_team_size = 256, rows_a_team = 32;

  ScalarComponents<C> in;
  Complex<C>* packed = nullptr;
  ActiveSet active;
  int rows = 0, components = 0, padded = 0;  // components of a site

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    team.for_range(rows_a_team * padded, [&](int i) {
      const int row = index * rows_a_team + i / padded, k = i % padded;
      if (row >= rows) return;
      packed[static_cast<std::size_t>(row) * static_cast<std::size_t>(padded) + static_cast<std::size_t>(k)] =
          k < active.count() ? in.load(active[k], row / components, row % components)
                             : Complex<C>{C(0), C(0)};
    });
  }
};

// R right-hand sides a team. D: storage of the matrix.
template <class Target, class D, class C, int R>
struct DenseProduct {
  using Z = Complex<C>;
  static constexpr int max_team_size = 256, parts = 8;
  static constexpr bool with_scale = sizeof(D) == 2;

  DenseTiles tiles;
  const DenseNumber<D>* matrix = nullptr;
  const float* scale_of_row = nullptr;
  const Z* packed = nullptr;
  ScalarComponents<C> out;
  ActiveSet active;
  int components = 0, padded = 0;

  static std::size_t scratch_bytes() { return scratch_bytes_of<Z>(parts * DenseTiles::height * R); }
  PLAQ_HD int groups() const { return padded / R; }

  // Teams of one tile follow each other, so that all but the first may find it in a cache.
  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    constexpr int height = DenseTiles::height;
    const int tile = index / groups(), first = (index - tile * groups()) * R;
    Z* sums = team.template scratch<Z>(parts * height * R);
    const int each = (tiles.rows + parts - 1) / parts;
    team.for_range(parts * height, [&](int i) {
      const int part = i / height, row = tile * height + i % height;
      const int begin = part * each, end = begin + each < tiles.rows ? begin + each : tiles.rows;
      Z sum[R];
#pragma unroll
      for (int r = 0; r < R; ++r) sum[r] = {C(0), C(0)};
      for (int column = begin; column < end; ++column) {
        const DenseNumber<D> d = matrix[tiles.place(row, column)];
        const Z z{from_storage<C>(d.re), from_storage<C>(d.im)};
        const Z* x = packed + static_cast<std::size_t>(column) * static_cast<std::size_t>(padded) +
                     static_cast<std::size_t>(first);
#pragma unroll
        for (int r = 0; r < R; ++r) sum[r] = fma(z, x[r], sum[r]);
      }
#pragma unroll
      for (int r = 0; r < R; ++r) sums[i * R + r] = sum[r];
    });
    team.for_range(height * R, [&](int i) {
      const int in_tile = i / R, r = i - in_tile * R, row = tile * height + in_tile;
      if (row >= tiles.rows || first + r >= active.count()) return;
      Z sum = sums[i];
      for (int part = 1; part < parts; ++part) sum = sum + sums[part * height * R + i];
      if constexpr (with_scale) sum = plaq::scale(static_cast<C>(scale_of_row[row]), sum);
      out.store(active[first + r], row / components, row % components, sum);
    });
  }
};

}  // namespace plaq
