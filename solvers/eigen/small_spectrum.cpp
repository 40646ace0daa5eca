#include "solvers/eigen/lanczos_run.hpp"

#include <Eigen/Eigenvalues>

#include "core/system/error.hpp"

namespace plaq {

SmallSpectrum small_spectrum(const std::vector<std::complex<double>>& h, int n, int stride) {
  Eigen::MatrixXcd matrix(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const auto& element = h[static_cast<std::size_t>(i * stride + j)];
      matrix(i, j) = element;
      matrix(j, i) = std::conj(element);
    }
  require(matrix.allFinite(), "eigenvalues of a matrix that is not finite");
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> solver(matrix);
  require(solver.info() == Eigen::Success, "eigenvalues of a small matrix do not converge");
  SmallSpectrum result;
  for (int k = 0; k < n; ++k) {
    result.values.push_back(solver.eigenvalues()[k]);
    for (int i = 0; i < n; ++i) result.vectors.push_back(solver.eigenvectors()(i, k));
  }
  return result;
}

}  // namespace plaq
