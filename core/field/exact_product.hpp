// Products of matrices of 16- or 8-bit integers and vectors of 16-bit ones, without any rounding:
//   product(row, t) = q(t) (sum over k of matrix(row, k) n(k, t))     complex, t: right-hand sides below Tile
// where the vector (k, t) is q(t) n(k, t): of each right-hand side the numbers of a slab, a few columns, are
// integers of one quantum q, the largest of them over 32767. That rounds vectors once. Integers add up to the
// same in any order, and their sum is rounded once. So a result has the same bits however members share the
// work, in any batch, on a host and on a device.
//
//   // slabs in scratch memory, of `count` <= Tile
//   ExactProduct<Target, Tile> product(team, slabs, columns, count);
//   // by a worker; load(at(k), t), t < count: Complex<float>, asked for once
//   product.take(slab, columns, at, load);
//   // by a worker who sees the slab: f(row, t, product), matrix in integers
//   product.multiply(slab, matrix, first, rows, f)
//
// A device splits 16-bit integers into bytes for its matrix units (mma.m16n8k32 of integers): four products
// for each, two where a matrix has 8-bit ones. A host multiplies them as they are.
#pragma once

#include "core/algebra/complex.hpp"
#include "core/field/component_lines.hpp"
#include "core/field/fixed8.hpp"
#include "core/launch/workers.hpp"

namespace plaq {

// Most columns of a slab. With fewer than 512 a sum of 16-bit integers is rounded once; with fewer than 256 a
// sum of 8-bit ones fits 32 bits.
inline constexpr int most_exact_columns = 128;

// A matrix as it is stored, from number (0, 0) on, which is at a multiple of 8 numbers. Adjacent numbers are
// those of the rows of a column, or of the columns of a row; `stride`: numbers from a column, or row, to the
// next, a multiple of right_hand_side_padding. What is behind the last row, or
// column, up to such a multiple is there.
enum class Adjacent { rows, columns };
// M: Fixed16 or Fixed8.
template <Adjacent Which, class M>
struct StoredMatrix {
  const StoredComplex<M>* first = nullptr;
  std::size_t stride = 0;
  int rows = 0, columns = 0;

  PLAQ_HD StoredMatrix(const M* numbers, std::size_t stride_reals, int row_count, int column_count)
      : first(reinterpret_cast<const StoredComplex<M>*>(numbers)),
        stride(stride_reals / 2),
        rows(row_count),
        columns(column_count) {}
  PLAQ_HD const StoredComplex<M>& at(int row, int column) const {
    return Which == Adjacent::rows ? first[static_cast<std::size_t>(column) * stride + row]
                                   : first[static_cast<std::size_t>(row) * stride + column];
  }
};

// Exact products, which a host and a device compute in different ways: exact_product_host.hpp and
// exact_product_device.hpp, where Tile is a multiple of four.
template <class Target, int Tile>
class ExactProduct;

}  // namespace plaq

#if defined(__CUDACC__)
#include "core/field/exact_product_device.hpp"
#endif
#include "core/field/exact_product_host.hpp"
