// The inverse of an operator of a small lattice as a dense matrix.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "core/launch/queue.hpp"
#include "core/operator/schur_operator.hpp"
#include "multigrid/bottom/dense_matrix.hpp"

namespace plaq {

struct OperatorInverse {
  DenseMatrix matrix;
  std::vector<int> absent;          // rows of components that the operator does not have; 0 in the inverse
  double reciprocal_condition = 0;  // of the operator in the 1-norm
};

// Rows for the even-odd form of a coarse operator with `components` numbers a site, or for all sites where
// the lattice has no checkerboard.
std::int64_t dense_rows(const Geometry& coarse, int components);
// Memory on the host while an inverse is made: the matrix and its inverse in double,
// then what is copied to a device.
std::size_t inversion_bytes(int rows, Precision storage, Location location);

// Time grows as the cube of the rows: 2048 take some seconds on a host.
inline constexpr int most_dense_rows = 8192;
// True if a level can be solved so: it is on one rank, and has no more rows.
bool fits_dense_inverse(const Geometry& coarse, int components, int most_rows = most_dense_rows);

// `s`: of a lattice that is on this rank alone, on one parity or without a checkerboard, for batches of
// `batch`. The matrix is what it makes of unit vectors, inverted in double: on a GPU by cuSOLVER where it
// can be loaded, else on the host. Rows whose column is 0 as well, those of dropped near-null
// vectors, stay out of it. Waits.
// Throws Error(not_converged) where the matrix is singular to the precision of the vectors, or not finite.
std::shared_ptr<const OperatorInverse> invert_operator(SchurOperator& s, int batch, Precision storage);

// `inverse` = matrix^-1, n x n, columns after columns, on the queue's device, by cuSOLVER, which is loaded
// when it is wanted: it is large. Where the matrix is singular, the inverse is large or not finite; `matrix`
// stays. Needs memory there for two such matrices and cuSOLVER's own. Returns false if plaq was built without
// cuSOLVER, or it cannot be loaded. Waits. Throws Error(device) where a call fails.
bool invert_by_cusolver(std::complex<double>* inverse, const std::complex<double>* matrix, int n,
                        const Queue& queue);

}  // namespace plaq
