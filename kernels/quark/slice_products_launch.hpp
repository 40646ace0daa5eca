// The launches behind kernels/quark/slice_products.hpp on one machine, S float or double.
#pragma once

#include <vector>

#include "core/algebra/complex.hpp"
#include "core/sums/sum_buffer.hpp"
#include "kernels/quark/color_vectors.hpp"

namespace plaq {

// Sums of this rank's slice t are added to sums[2 * (((first_slice + t) * rows + k) * columns + j)] (real
// part) and the one behind (imaginary part), rows and columns as many as x and y are.
template <class Target, class S>
void launch_slice_dots(const ColorVectors& x, const ColorVectors& y, int first_slice, SumBuffer& sums,
                       const Queue& queue);

// `c`: [t][k][j] at the location of the fields.
template <class Target, class S>
void launch_slice_axpys(const ColorVectors& x, const Complex<double>* c, double keep, const ColorVectors& y,
                        const std::vector<char>& wanted, const Queue& queue);

}  // namespace plaq
