// Products of matrices and vectors that a team multiplies as 16-bit integers, without any rounding:
//   sum(row, t) = sum over k of matrix(row, k) vector(k, t)     complex, t: right-hand sides below Tile
// Integers add up to the same in any order. So a result has the same bits however a team shares the work, in any batch, on a
// host and on a device. What is rounded are the vectors: of each right-hand side all numbers are integers of one quantum, the
// largest one over 32767.
//
//   ExactProduct<Target, Tile> product(team, rows, exact_slab(columns));
//   product.multiply(team, matrix, count, load);      // load(k, t), t < count: Complex<float>, asked for several times
//   product.sum(row, t)                               // with the matrix in integers
//
// A device splits integers into bytes for its matrix units (mma.m16n8k32 of integers), four products for each; a host
// multiplies them as they are. Vectors are taken slab after slab, so that they fit scratch memory. Sums have 32 bits for each
// pair of bytes: at most 16384 columns.
#pragma once

#include "core/algebra/complex.hpp"
#include "core/field/component_lines.hpp"
#include "core/field/fixed16.hpp"
#include "core/launch/team.hpp"

namespace plaq {

inline constexpr int most_exact_columns = 16384, most_slab_columns = 512;

// Columns that are taken at once: equal slabs.
PLAQ_HD constexpr int exact_slab(int columns) {
  const int slabs = (columns + most_slab_columns - 1) / most_slab_columns;
  return ((columns + slabs - 1) / slabs + 31) / 32 * 32;
}

// A matrix as it is stored, from number (0, 0) on, which is at a multiple of 16 bytes. Adjacent numbers are those of the
// rows of a column, or of the columns of a row; `stride`: numbers from a column, or row, to the next, a multiple of
// right_hand_side_padding. What is behind the last row, or column, up to such a multiple is there.
enum class Adjacent { rows, columns };
template <Adjacent Which>
struct StoredMatrix {
  const StoredComplex<Fixed16>* first = nullptr;
  std::size_t stride = 0;
  int rows = 0, columns = 0;

  PLAQ_HD StoredMatrix(const Fixed16* numbers, std::size_t stride_reals, int row_count, int column_count)
      : first(reinterpret_cast<const StoredComplex<Fixed16>*>(numbers)),
        stride(stride_reals / 2),
        rows(row_count),
        columns(column_count) {}
  PLAQ_HD const StoredComplex<Fixed16>& at(int row, int column) const {
    return Which == Adjacent::rows ? first[static_cast<std::size_t>(column) * stride + row]
                                   : first[static_cast<std::size_t>(row) * stride + column];
  }
};

// What a host and a device do in their own ways: exact_product_host.hpp; exact_product_device.hpp, where Tile is a multiple of
// eight; exact_rows_device.hpp for fewer right-hand sides, of multiply_each() alone.
template <class Target, int Tile>
class IntegerProduct;

template <class Target, int Tile>
class ExactProduct {
 public:
  static PLAQ_HD std::size_t scratch_bytes(int rows, int slab) {
    return IntegerProduct<Target, Tile>::scratch_bytes(rows, slab);
  }
  PLAQ_HD ExactProduct(Team<Target>& team, int rows, int slab) : slab_(slab), integers_(team, rows, slab) {}

  // Of at least as many rows as `matrix` has; replaces what was there.
  template <Adjacent Which, class Load>
  PLAQ_HD void multiply(Team<Target>& team, const StoredMatrix<Which>& matrix, int count, const Load& load) {
    integers_.begin(team, matrix.columns, count, load);
    for (int from = 0; from < matrix.columns; from += slab_) {
      integers_.take(team, from, matrix.columns, load);
      integers_.add(team, matrix, from);
    }
  }
  PLAQ_HD Complex<float> sum(int row, int t) const { return scale(quantum(t), integers_.sum(row, t)); }

  // Several matrices of few columns, each with numbers of its own, of which load(k, t) has exact_slab(columns) for each, 0
  // behind the last column: put(i, row, t, sum) for matrix_of(i). Members that have put `group` rows of all matrices, a
  // multiple of 16, go on with them alone: finish(number of the group), which calls for_group().
  template <class MatrixOf, class Load, class Put, class Finish>
  PLAQ_HD void multiply_each(Team<Target>& team, int matrices, const MatrixOf& matrix_of, int group,
                             int count, const Load& load, const Put& put, const Finish& finish) {
    const auto first = matrix_of(0);
    const int columns = exact_slab(first.columns);
    integers_.begin(team, matrices * columns, count, load);
    integers_.take(team, 0, matrices * columns, load);
    integers_.for_groups((first.rows + group - 1) / group, [&](int number) {
      for (int i = 0; i < matrices; ++i)
        integers_.multiply_rows(
            matrix_of(i), number * group, group, i * columns,
            [&](int row, int t, const Complex<float>& sum) { put(i, row, t, scale(quantum(t), sum)); });
      finish(number);
    });
  }
  // f(i) for i below `n`, by those members; sees what they have put.
  template <class F>
  static PLAQ_HD void for_group(int n, const F& f) {
    IntegerProduct<Target, Tile>::for_group(n, f);
  }

 private:
  PLAQ_HD float quantum(int t) const { return integers_.most(t) * (1.0f / fixed16_steps); }

  int slab_;
  IntegerProduct<Target, Tile> integers_;
};

}  // namespace plaq

#if defined(__CUDACC__)
#include "core/field/exact_product_device.hpp"
#include "core/field/exact_rows_device.hpp"
#endif
#include "core/field/exact_product_host.hpp"
