#include "multigrid/bottom/dense_lu.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace plaq {

void invert_dense(std::complex<double>* inverse, std::complex<double>* matrix, int n) {
  using Matrix = Eigen::MatrixXcd;
  constexpr int columns = 64;
  Eigen::setNbThreads(1);  // it would cut products, and round them, by their number
  Eigen::Map<Matrix> in(matrix, n, n), out(inverse, n, n);
  const Eigen::PartialPivLU<Eigen::Ref<Matrix>> lu(in);
#pragma omp parallel for schedule(dynamic)
  for (int first = 0; first < n; first += columns) {
    const int count = std::min(columns, n - first);
    out.middleCols(first, count) = lu.solve(Matrix::Identity(n, n).middleCols(first, count));
  }
}

}  // namespace plaq
