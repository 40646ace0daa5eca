#include "plaq/linear_algebra.hpp"

#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq {
namespace {

std::vector<blas::Coefficients> none_for(int batch) {
  return std::vector<blas::Coefficients>(static_cast<std::size_t>(batch));
}

}  // namespace

void combine(const std::complex<double>& a, const Field& x, const std::complex<double>& b, Field& y,
             const Queue& queue) {
  blas::Workspace work(queue, x.batch());
  const blas::Coefficients both{1, {a.real(), a.imag(), b.real(), b.imag()}};
  blas::update<blas::Axpby>(work, std::vector(static_cast<std::size_t>(x.batch()), both), {&x, &y});
  queue.synchronize();
  y.touch();
}

std::vector<double> norms(const ProcessGrid& grid, const Field& x, const Queue& queue) {
  blas::Workspace work(queue, x.batch());
  auto sums = blas::update_and_sum<blas::Norm>(work, none_for(x.batch()), {&x});
  return global_sums(grid, sums);
}

std::vector<std::complex<double>> products(const ProcessGrid& grid, const Field& x, const Field& y,
                                           const Queue& queue) {
  blas::Workspace work(queue, x.batch());
  auto sums = blas::update_and_sum<blas::Dot>(work, none_for(x.batch()), {&x, &y});
  const std::vector<double> parts = global_sums(grid, sums);
  std::vector<std::complex<double>> found;
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) found.emplace_back(parts[i], parts[i + 1]);
  return found;
}

}  // namespace plaq
