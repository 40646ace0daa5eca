#include "multigrid/cycle/dense_lu.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace plaq {

double invert_dense(std::complex<double>* inverse, std::complex<double>* matrix, int n, double least) {
  using Matrix = Eigen::MatrixXcd;
  constexpr int columns = 64;
  Eigen::setNbThreads(1);  // it would cut products, and round them, by their number
  Eigen::Map<Matrix> in(matrix, n, n), out(inverse, n, n);
  const Eigen::PartialPivLU<Eigen::Ref<Matrix>> lu(in);
  const double condition = lu.rcond();
  if (!(condition > least)) return condition;
#pragma omp parallel for schedule(dynamic)
  for (int first = 0; first < n; first += columns) {
    const int count = std::min(columns, n - first);
    out.middleCols(first, count) = lu.solve(Matrix::Identity(n, n).middleCols(first, count));
  }
  return condition;
}

}  // namespace plaq
