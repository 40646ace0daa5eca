#include "solvers/eigen/chebyshev_filter.hpp"

#include <cmath>
#include <utility>

#include "core/system/error.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq {

ChebyshevFilter::ChebyshevFilter(LinearOperator& a, int batch, int degree, double low, double high)
    : a_(a),
      degree_(degree % 2 == 0 ? degree + 1 : degree),
      low_(low),
      high_(high),
      last_(a.geometry(), a.spec(batch)),
      product_(a.geometry(), a.spec(batch)),
      workspace_(a.queue(), batch) {
  require(degree >= 1, "a Chebyshev filter has degree 1 or more");
  require(low < high && std::isfinite(high - low), "a Chebyshev filter needs low < high");
}

double ChebyshevFilter::value(double lambda) const {
  const double x = (2 * lambda - low_ - high_) / (high_ - low_);
  if (std::abs(x) <= 1) return -std::cos(degree_ * std::acos(x));
  const double size = std::cosh(degree_ * std::acosh(std::abs(x)));
  return x < 0 ? size : -size;
}

Work ChebyshevFilter::work(int batch) const {
  const Work w = a_.work(batch);
  const FieldSpec one = a_.spec(1);
  const double reals = static_cast<double>(last_.subfield_stride()) * one.Ls * batch;
  return {degree_ * (w.flops + 4 * reals), degree_ * (w.bytes + 7 * reals * bytes_of(one.precision))};
}

// t_0 = in, t_1 = x in, t_k+1 = 2 x t_k - t_k-1, x = (A - center)/half; with -t_0 and -t_1 all have the other
// sign. t_k+1 is made where t_k-1 was: d odd, so that the last one is in `out`.
void ChebyshevFilter::run(Field& out, const Field& in, bool, const ActiveSet& active) {
  const double center = (low_ + high_) / 2, half = (high_ - low_) / 2;
  std::vector<blas::Coefficients> c(static_cast<std::size_t>(in.batch()));
  for (auto& one : c) one.active = 0;
  const auto with = [&](double first, double second = 0) -> const std::vector<blas::Coefficients>& {
    for (int k = 0; k < active.count(); ++k) {
      auto& one = c[static_cast<std::size_t>(active[k])];
      one.active = 1;
      one.value[0] = first;
      one.value[2] = second;
    }
    return c;
  };
  a_.apply(out, in, active);
  blas::update<blas::Axpby>(workspace_, with(center / half, -1 / half), {&in, &out});
  blas::update<blas::Scale>(workspace_, with(-1), {&in, &last_});
  Field* now = &out;
  Field* next = &last_;
  for (int k = 1; k < degree_; ++k) {
    a_.apply(product_, *now, active);
    blas::update<blas::Axpby>(workspace_, with(2 / half, -1), {&product_, next});
    blas::update<blas::Axpy>(workspace_, with(-2 * center / half), {now, next});
    std::swap(now, next);
  }
}

}  // namespace plaq
