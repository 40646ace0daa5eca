// A dense complex matrix on one rank, for vectors of all sites that a field holds there:
// row = site x components + component.
#pragma once

#include <complex>

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/linear_operator.hpp"

namespace plaq {

class DenseMatrix {
 public:
  DenseMatrix() = default;
  // `columns`: rows x rows numbers on the host, column after column; not read in a dry run. Half precision
  // has a scale for each row, its largest component.
  DenseMatrix(int rows, const std::complex<double>* columns, Precision storage, Location location);
  // Memory at the location, and room for the vectors of a product.
  static std::size_t bytes(int rows, Precision storage);
  static std::size_t packed_bytes(int rows, int batch, Precision vectors);

  int rows() const { return rows_; }
  Precision storage() const { return storage_; }
  // Work of a product.
  Work work(int batch, Precision vectors) const;
  // out = matrix in for the active right-hand sides on `parity`, which both fields hold, in single or double
  // precision. `packed`: packed_bytes of memory at their location. Queued; the same bits in any batch.
  void multiply(Field& out, const Field& in, int parity, const ActiveSet& active, const Buffer& packed,
                const Queue& queue) const;

 private:
  void store(const std::complex<double>* columns, Buffer& numbers, Buffer& scales) const;

  int rows_ = 0;
  Precision storage_ = Precision::double_precision;
  Buffer numbers_, scales_;  // multigrid/bottom/dense_product.hpp
};

}  // namespace plaq
