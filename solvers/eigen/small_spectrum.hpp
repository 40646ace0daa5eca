// Eigenvalues and eigenvectors of small dense Hermitian matrices, on the host.
#pragma once

#include <complex>
#include <vector>

namespace plaq {

struct SmallSpectrum {
  std::vector<double> values;                 // ascending
  std::vector<std::complex<double>> vectors;  // component i of vector k at [k n + i]; orthonormal
};

// `h`: row i, column j at [i * stride + j], of which the lower triangle of the first n rows is read. Throws
// an internal Error where an element is not finite.
SmallSpectrum small_spectrum(const std::vector<std::complex<double>>& h, int n, int stride);

}  // namespace plaq
