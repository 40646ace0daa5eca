#include "multigrid/cycle/polynomial_smoother.hpp"

#include <algorithm>

#include "core/system/error.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "multigrid/cycle/polynomial_roots.hpp"

namespace plaq {

using Sets = std::vector<blas::CoefficientList::Set>;

PolynomialSmoother::PolynomialSmoother(LinearOperator& a, const ProcessGrid& grid, int batch,
                                       const std::vector<std::complex<double>>& roots, PolynomialOf of)
    : a_(a),
      steps_(steps_of(roots, of)),
      batch_(grid, a.queue(), batch),
      q_(a.geometry(), a.spec(batch)),
      au_(a.geometry(), a.spec(batch)),
      r_(a.geometry(), a.spec(batch)) {
  const auto count = static_cast<std::size_t>(batch);
  Sets sets(count);
  for (std::size_t i = 0; i < count; ++i) sets[i].value[0] = -1;
  for (const Step& step : steps_) sets.insert(sets.end(), count, step.weights);
  // Room for all that are fitted: plans do not know how many a setup chooses.
  sets.resize((1 + std::max<std::size_t>(roots.size(), most_roots)) * count);
  const std::size_t bytes = sets.size() * sizeof(sets[0]);
  coefficients_ = Buffer(a.queue().location(), bytes);
  copy_bytes(coefficients_.data(), coefficients_.location(), sets.data(), Location::host, bytes);
}

std::vector<PolynomialSmoother::Step> PolynomialSmoother::steps_of(
    const std::vector<std::complex<double>>& roots, PolynomialOf of) {
  require(!roots.empty(), "a polynomial smoother has a root or more");
  std::vector<Step> steps;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const std::complex<double> root = roots[i];
    require(root != 0.0, "a polynomial that is 1 at 0 has no root there");
    Step step{};
    if (of == PolynomialOf::normal_operator) {
      step.pair = step.adjoint = true;
      step.weights.value[2] = 1 / std::abs(root);  // rounding may make a pair of two real roots
    } else if (root.imag() != 0) {
      step.pair = true;
      require(i + 1 < roots.size() && roots[i + 1] == std::conj(root),
              "a polynomial smoother has its complex roots in pairs");
      ++i;
      step.weights.value[0] = 2 * root.real() / std::norm(root);
      step.weights.value[2] = -1 / std::norm(root);
    } else {
      step.weights.value[0] = 1 / root.real();
    }
    steps.push_back(step);
  }
  return steps;
}

void PolynomialSmoother::smooth(Field& x, Field& r, const ActiveSet& which) {
  if (which.count() == 0) return;
  captured_.run(batch_, {a_, x, r, which, {}}, [&] { queue_steps(x, r, which); });
}

void PolynomialSmoother::queue_steps(Field& x, Field& r, const ActiveSet& which) {
  auto* next = coefficients_.as<blas::CoefficientList::Set>();
  const auto take = [&] {
    const UpdateCoefficients c(next);
    next += batch_.size();
    return c;
  };
  const UpdateCoefficients minus = take();
  for (const Step& step : steps_) {
    const UpdateCoefficients weights = take();
    step.adjoint ? batch_.apply_dagger(a_, q_, r, which) : batch_.apply(a_, q_, r, which);
    if (!step.pair) {
      batch_.update<blas::MrStep>(weights, which, {&q_, &r, &x});
      continue;
    }
    batch_.update<blas::PairStep>(weights, which, {&q_, &r, &x});  // q is u
    batch_.apply(a_, au_, q_, which);
    batch_.update<blas::Axpy>(minus, which, {&au_, &r});
  }
}

// Not captured here: whoever applies it may capture more than this.
void PolynomialSmoother::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "a smoother has no adjoint");
  const UpdateCoefficients none = batch_.no_coefficients();
  batch_.update<blas::Zero>(none, active, {&out});
  batch_.update<blas::Copy>(none, active, {&in, &r_});
  queue_steps(out, r_, active);
}

// Work of the steps; 0 and the copy are beside them.
Work PolynomialSmoother::work(int batch) const {
  const Work a = a_.work(batch);
  const double reals = static_cast<double>(q_.subfield_stride()) * q_.Ls() * batch;
  Work all;
  for (const Step& step : steps_) {
    const int applications = step.pair ? 2 : 1, passes = step.pair ? 8 : 5, updates = step.pair ? 3 : 2;
    all.flops += applications * a.flops + 4 * updates * reals;
    all.bytes += applications * a.bytes + passes * bytes_of(q_.precision()) * reals;
  }
  return all;
}

}  // namespace plaq
