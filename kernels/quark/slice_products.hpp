// Products and sums of color vectors, time slice by time slice, as modes of single slices need them. A spinor
// field stands for color vectors: vector 4 i + s is spin s of subfield i. Fields have both parities, no halo,
// single or double precision.
#pragma once

#include <complex>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/launch/queue.hpp"
#include "kernels/quark/color_vectors.hpp"

namespace plaq {

// Complex numbers for each slice, of rows and columns: those of slice t begin at [t * rows * columns].
using SliceMatrices = std::vector<std::complex<double>>;
// Places of the elements of such matrices.
struct SliceMatrixShape {
  int rows = 0, columns = 0;
  std::size_t operator()(int t, int k, int j) const {
    return (static_cast<std::size_t>(t) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(k)) *
               static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(j);
  }
  std::size_t size(int slices) const { return (*this)(slices, 0, 0); }
};

// (x_k, y_j) = sum over the slice of x_k^dagger y_j, on all time slices of the lattice: row k, column j.
// Collective, waits for the queue. The sums are exact: the same bits on any process grid, and for each pair
// the same whatever others are asked for.
SliceMatrices slice_dots(const ProcessGrid& grid, const ColorVectors& x, const ColorVectors& y,
                         const Queue& queue);

// y_j = keep y_j + sum_k x_k c_kj, on this rank's time slices t where `wanted` is not 0 (empty: all). c:
// [t][k][j] of this rank's slices. Where keep is 0, y is not read. The terms are added in the order of k. x
// and y do not overlap. Waits for the end; not collective.
void slice_axpys(const ColorVectors& x, const SliceMatrices& c, double keep, const ColorVectors& y,
                 const std::vector<char>& wanted, const Queue& queue);

}  // namespace plaq
