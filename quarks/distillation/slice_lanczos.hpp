// The lowest modes of an operator that joins no two time slices and no two color vectors, on each slice by
// itself: those of minus the covariant Laplacian in space (kernels/quark/spatial_laplacian.hpp), for
// distillation (Peardon et al., Phys. Rev. D 80 (2009) 054506; Morningstar et al., Phys. Rev. D 83 (2011)
// 114505).
//
// A block Lanczos method with thick restarts (Wu, Simon, SIAM J. Matrix Anal. Appl. 22 (2000) 602) and full
// reorthogonalisation, of a Chebyshev polynomial of the operator (solvers/eigen/chebyshev_filter.hpp). All
// slices take each step together, with matrices of their own, and each is measured, and done, by itself. A
// block is a multiple of four color vectors, which share the links in each application. Blocks are made
// orthonormal by the eigenvectors of their Gram matrix (Stathopoulos, Wu, SIAM J. Sci. Comput. 23 (2002)
// 2165). A vector that a block loses, as in Krylov spaces that are exhausted, becomes a random one.
//
// A block has as many vectors of each eigenspace in its Krylov space as the block has vectors: eigenspaces of
// more, as on unit links, come in slowly. Hence a slice is done only if one more cycle, whose Krylov space
// begins with random vectors that are orthogonal to its modes, finds nothing below the last of them.
//
// All sums are exact, so that modes have the same bits on any process grid.
//
// slice_lanczos.cpp has the iteration, slice_lanczos_blocks.cpp makes blocks orthonormal, and
// slice_lanczos_modes.cpp tells the modes among the vectors, and slices that are done.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/operator/linear_operator.hpp"
#include "kernels/quark/slice_products.hpp"

namespace plaq {

struct SliceLanczosParameters {
  int modes = 0;            // of each slice; at most 3 times its sites
  double tolerance = 1e-8;  // ||A v - lambda v||, |v| = 1, at most
  // Degree of the Chebyshev polynomial; less where the lowest mode would drown all others.
  int filter_degree = 40;
  // Vectors that a slice has at most. 0: twice the modes and two blocks. At least the modes and a block, or
  // all of the slice.
  int basis = 0;
  int block = 2;                  // subfields of a block, four color vectors each
  int max_applications = 100000;  // of A to a block
  std::uint64_t seed = 1;         // of the vectors to begin with
};

struct SliceLanczosReport {
  // By slice of the lattice: eigenvalues, ascending, and ||A v - lambda v||.
  std::vector<std::vector<double>> values, bounds;
  std::vector<char> converged;  // by slice
  int applications = 0;         // of A to a block
  int cycles = 0;               // of the basis
  bool all_converged() const;
};

class SliceLanczos {
 public:
  // `a`: Hermitian, of spinors on both parities in single or double precision, eigenvalues in [0, largest].
  // The operator and the grid must outlive this object. Throws Error(job_file) for parameters that are
  // impossible on its lattice.
  SliceLanczos(LinearOperator& a, const ProcessGrid& grid, double largest,
               const SliceLanczosParameters& parameters);

  // Vectors of the basis, a multiple of those of a block.
  int basis() const { return size_; }
  // Collective. modes() are then those of all slices. A slice that does not converge has its best vectors.
  SliceLanczosReport run();
  // Subfield i has the modes 4 i to 4 i + 3 of each slice, the lowest first; 0 beyond the number of modes.
  const Field& modes() const { return modes_; }
  Field& modes() { return modes_; }

 private:
  using Complex64 = std::complex<double>;

  std::size_t at(int t, int i) const { return static_cast<std::size_t>(t * size_ + i); }
  int block_size() const { return 4 * p_.block; }
  ColorVectors basis_vectors(int first, int count) const { return {&basis_, first / 4, count / 4}; }
  ColorVectors block_of(const Field& field) const { return all_vectors(field); }
  // Coefficients of this rank's slices out of those of all.
  SliceMatrices local_part(const SliceMatrices& all) const;

  void begin();
  void set_random(Field& block);
  // The block loses what it has along the basis and becomes orthonormal, on each slice; lost vectors are
  // replaced as long as there are others. scale: by slice, squared norm that vectors had before they lost
  // anything. projected: the block has lost what it has along the basis once.
  void orthonormalise(std::vector<double> scale, bool projected = false);
  void project_out();
  void subtract(const SliceMatrices& overlaps);  // the basis times its overlaps with the block
  // Returns false where vectors lost much, and another pass is needed.
  bool normalise(const std::vector<double>& scale);
  // True if lost vectors were replaced by random ones.
  bool replace_lost();
  void append_block();
  void extend(LinearOperator& filter);
  void restart();
  void measure();
  bool nothing_new(int t) const;
  void decide();
  void keep(const std::vector<char>& slices);
  void drop_others(const std::vector<char>& slices);
  void begin_again(const std::vector<char>& slices);
  bool choose_filter();
  void begin_with_sums();
  int alive_in_basis(int t) const;
  double rounding() const;
  bool all_done() const;

  LinearOperator& a_;
  const ProcessGrid& grid_;
  const double largest_;
  SliceLanczosParameters p_;
  int slices_, local_, first_;  // of the lattice; of this rank, and the first of them
  int dimension_;               // of the vectors of a slice
  int size_, kept_;             // vectors of the basis, and those that a restart keeps
  Field basis_, spare_, block_, work_, product_, modes_;

  int count_ = 0;                            // vectors in the basis
  std::vector<char> alive_;                  // [t][i]: the vector is there, else it is 0
  std::vector<int> alive_in_block_;          // [t]: the first ones of the block
  std::vector<std::vector<Complex64>> h_;    // [local t][row size_ + column], lower triangle
  std::vector<std::vector<double>> values_;  // [t][i] of the basis, as measured
  std::vector<std::vector<double>> bounds_;
  std::vector<char> done_, verified_, full_;  // [t]
  std::vector<double> best_;                  // [t]: least of the largest bounds so far, ...
  std::vector<int> stuck_;                    // ... and cycles since it was halved
  int degree_ = 1;                            // of the filter, and what it damps: [low_, largest_]
  double low_ = 0;
  std::uint32_t random_ = 0;  // random vectors that were made
  SliceLanczosReport report_;
};

}  // namespace plaq
