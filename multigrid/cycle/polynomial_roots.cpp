#include "multigrid/cycle/polynomial_roots.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/system/runs_dry.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "solvers/krylov/batch.hpp"

namespace plaq {
namespace {

using Root = std::complex<double>;

// A vector that is so much shorter when others are taken away depends on them.
constexpr double dependent_share = 1e-6;

// The basis v_0 = r, v_1, ... of Arnoldi's method on all residuals as one vector, with real numbers.
class RealArnoldi {
 public:
  RealArnoldi(LinearOperator& a, const ProcessGrid& grid, const Field& r, int degree)
      : a_(a), batch_(grid, a.queue(), r.batch()), h_(Eigen::MatrixXd::Zero(degree + 1, degree)) {
    for (int k = 0; k <= degree; ++k) v_.emplace_back(r.geometry_ptr(), r.spec());
    copy(v_[0], r);
  }

  // False where vectors are dependent or not finite.
  bool run() {
    if (!by_data(normalise_residuals(), true)) return false;
    for (int k = 0; k < h_.cols(); ++k) {
      Field& w = v_[static_cast<std::size_t>(k) + 1];
      batch_.apply(a_, w, v_[static_cast<std::size_t>(k)], batch_.all());
      const double before = by_data(norm(w), 1.0);
      for (int pass = 0; pass < 2; ++pass) orthogonalise(k);
      const double left = by_data(norm(w), 1.0);
      if (!(std::isfinite(left) && before > 0)) return false;
      const bool last = k + 1 == h_.cols(), ends = left <= dependent_share * before;
      if (ends) return last;  // the last degree solves all
      h_(k + 1, k) = left;
      if (!last) scale(w, 1 / left);
    }
    return true;
  }
  // A v_k = sum over i <= k + 1 of h(i, k) v_i.
  const Eigen::MatrixXd& h() const { return h_; }

 private:
  Coefficients equal(double c0, double c1 = 0, double c2 = 0) const {
    Coefficients c = batch_.coefficients(batch_.all());
    for (auto& one : c) set(one, 0, c0), set(one, 1, c1), set(one, 2, c2);
    return c;
  }
  bool normalise_residuals() {
    const std::vector<double> squares = batch_.sum<blas::Norm>(equal(0), {&v_[0]});
    Coefficients c = equal(0);
    int count = 0;
    for (const double square : squares) {
      if (!std::isfinite(square)) return false;
      count += square > 0;
    }
    for (std::size_t i = 0; i < c.size(); ++i)
      if (squares[i] > 0) set(c[i], 0, 1 / std::sqrt(count * squares[i]));
    batch_.update<blas::Scale>(c, {&v_[0], &v_[0]});
    return count > 0;
  }
  double norm(const Field& w) {
    double all = 0;
    for (const double square : batch_.sum<blas::Norm>(equal(0), {&w})) all += square;
    return std::sqrt(all);
  }
  void scale(Field& w, double factor) { batch_.update<blas::Scale>(equal(factor), {&w, &w}); }

  // v_k+1 to v_0 .. v_k.
  void orthogonalise(int k) {
    const Field& w = v_[static_cast<std::size_t>(k) + 1];
    const auto of = [&](int i) { return &v_[static_cast<std::size_t>(std::min(i, k))]; };
    std::vector<std::size_t> places;
    for (int i = 0; i <= k; i += 3)
      places.push_back(batch_.add_sums<blas::ThreeDots>(equal(0), {of(i), of(i + 1), of(i + 2), &w}));
    const std::vector<double> sums = batch_.fetch_sums();
    for (int i = 0; i <= k; i += 3) {
      double overlap[3] = {};
      for (int j = 0; j < 3 && i + j <= k; ++j) {
        for (std::size_t rhs = 0; rhs < static_cast<std::size_t>(batch_.size()); ++rhs)
          overlap[j] +=
              sums[places[static_cast<std::size_t>(i) / 3] + 6 * rhs + 2 * static_cast<std::size_t>(j)];
        h_(i + j, k) += overlap[j];
      }
      batch_.update<blas::ThreeAxpys>(equal(-overlap[0], -overlap[1], -overlap[2]),
                                      {of(i), of(i + 1), of(i + 2), &w});
    }
  }

  LinearOperator& a_;
  Batch batch_;
  std::vector<Field> v_;
  Eigen::MatrixXd h_;
};

// Roots of imaginary part 0 or more, in their order.
std::vector<Root> leja_order(std::vector<Root> left) {
  std::vector<Root> ordered;
  while (!left.empty()) {
    const auto distance = [&](const Root& z) {
      double product = ordered.empty() ? std::abs(z) : 1;
      for (const Root& before : ordered) product *= std::abs(z - before) * std::abs(z - std::conj(before));
      return product;
    };
    const auto next = std::max_element(
        left.begin(), left.end(), [&](const Root& a, const Root& b) { return distance(a) < distance(b); });
    ordered.push_back(*next);
    left.erase(next);
  }
  return ordered;
}

std::vector<Root> with_conjugates(const std::vector<Root>& upper) {
  std::vector<Root> all;
  for (const Root& z : upper) {
    all.push_back(z);
    if (z.imag() != 0) all.push_back(std::conj(z));
  }
  return all;
}

// Roots that a run with good data might find.
ResidualPolynomial any_polynomial(int degree) {
  std::vector<Root> upper(static_cast<std::size_t>(degree / 2), Root(1, 1));
  if (degree % 2 == 1) upper.emplace_back(1);
  return {with_conjugates(upper), 1};
}

// Roots of the residual polynomial that belongs to Arnoldi's matrix; none where numbers are not good enough.
std::optional<ResidualPolynomial> roots_of(const Eigen::MatrixXd& h) {
  const auto degree = h.cols();
  if (!h.allFinite()) return std::nullopt;
  const Eigen::MatrixXd square = h.topRows(degree);
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(square.transpose());
  if (!lu.isInvertible()) return std::nullopt;
  const Eigen::VectorXd last = Eigen::VectorXd::Unit(degree, degree - 1);
  Eigen::MatrixXd harmonic = square;
  harmonic.col(degree - 1) += h(degree, degree - 1) * h(degree, degree - 1) * lu.solve(last);
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(harmonic, false);
  if (eigen.info() != Eigen::Success) return std::nullopt;
  std::vector<Root> upper;
  for (const Root& z : eigen.eigenvalues()) {
    if (!(std::isfinite(std::abs(z)) && z.real() > 0)) return std::nullopt;
    if (z.imag() >= 0) upper.push_back(z);
  }
  const Eigen::VectorXd first = Eigen::VectorXd::Unit(degree + 1, 0);
  const Eigen::VectorXd y = h.colPivHouseholderQr().solve(first);
  return ResidualPolynomial{with_conjugates(leja_order(upper)), (first - h * y).norm()};
}

}  // namespace

std::optional<ResidualPolynomial> polynomial_roots(LinearOperator& a, const ProcessGrid& grid, const Field& r,
                                                   int degree) {
  require(degree >= 1 && degree <= most_roots, "a polynomial smoother has degree 1 to 12");
  RealArnoldi arnoldi(a, grid, r, degree);
  const bool independent = arnoldi.run();
  return by_data(independent ? roots_of(arnoldi.h()) : std::nullopt, std::optional(any_polynomial(degree)));
}

}  // namespace plaq
