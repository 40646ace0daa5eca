#include "solvers/mr.hpp"

#include <cmath>

#include "core/error.hpp"
#include "kernels/blas/krylov_operations.hpp"

namespace plaq {

MinimalResidual::MinimalResidual(LinearOperator& a, int batch, double omega)
    : KrylovMethod(a, batch), omega_(omega), q_(vector()) {
  require(omega > 0 && omega < 2, "the relaxation of MR is between 0 and 2");
}

void MinimalResidual::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                           std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  batch.apply(a_, q_, r, active);
  auto c = batch.coefficients(active);
  const auto sums = batch.sum<blas::DotNorm>(c, {&q_, &r});
  for_each_of(active, [&](std::size_t i) {
    const std::complex<double> qr(sums[3 * i], sums[3 * i + 1]);
    const double qq = sums[3 * i + 2];
    broke[i] = qq == 0 || qr == 0.0;
    set(c[i], 0, broke[i] ? 0 : omega_ * qr / qq);
  });
  const auto rr = batch.sum<blas::MrUpdate>(c, {&q_, &r, &x});
  for_each_of(active, [&](std::size_t i) { norms[i] = std::sqrt(rr[i]); });
}

}  // namespace plaq
