// Eigenvalues of operators whose spectrum is known: chosen, and of dense matrices.
#include "solvers/eigen/lanczos.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "kernels/quark/sources.hpp"
#include "solvers/eigen/chebyshev_filter.hpp"
#include "solvers/eigen/lanczos_run.hpp"
#include "solvers/eigen/singular_range.hpp"
#include "solvers/normal_operator.hpp"
#include "tests/reference/wilson.hpp"
#include "tests/solvers/plain_vectors.hpp"
#include "tests/solvers/test_operators.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/locations.hpp"

namespace plaq {
namespace {

using Complex64 = std::complex<double>;

// Spread over [0, 1) without pattern.
double spread(int i) { return std::fmod((i + 0.5) * 0.6180339887498949, 1.0); }

Field start_vectors(const Extents& extents, const GeometryPtr& geometry, int count,
                    Precision precision = Precision::double_precision) {
  return test::to_plaq(test::random_sources(extents, count, 17), geometry, Subset::full, precision,
                       Location::host);
}

struct Made : testing::Test {
  static constexpr Extents extents{4, 2, 2, 4};
  static constexpr int dimension = 64 * 12;
  test::DiagonalOperator diagonal(const std::vector<double>& values,
                                  Precision precision = Precision::double_precision) const {
    return {geometry, precision, queue,
            [values](int site, int k) { return values[static_cast<std::size_t>(12 * site + k)]; }};
  }
  // Residual of the operator itself, not through Lanczos.
  double residual(LinearOperator& a, const Field& v, double theta) const {
    Field w(geometry, a.spec(1));
    a.apply(w, v);
    const test::Vector x = test::to_vectors(v)[0];
    test::Vector r = test::to_vectors(w)[0];
    test::add(-theta, x, r);
    EXPECT_NEAR(test::dot(x, x).real(), 1, 1e-10);
    return std::sqrt(test::dot(r, r).real());
  }
  // Against the spectrum's end, in which each eigenvalue stands once.
  void expect_end(LinearOperator& a, std::vector<double> spectrum, LanczosParameters p, int basis,
                  const char* what) const {
    SCOPED_TRACE(std::string(what) + (p.end == SpectrumEnd::lowest ? ", lowest" : ", highest") + ", filter " +
                 std::to_string(p.filter_degree));
    std::sort(spectrum.begin(), spectrum.end());
    spectrum.erase(std::unique(spectrum.begin(), spectrum.end()), spectrum.end());
    const double largest = std::max(std::abs(spectrum.front()), std::abs(spectrum.back()));
    if (p.end == SpectrumEnd::highest) std::reverse(spectrum.begin(), spectrum.end());
    Lanczos lanczos(a, self, basis);
    const auto report = lanczos.run(start_vectors(extents, geometry, 1), p);
    EXPECT_EQ(report.reason, LanczosStop::converged) << name_of(report.reason);
    ASSERT_EQ(report.values.size(), static_cast<std::size_t>(p.values));
    EXPECT_LE(report.largest, largest * (1 + 1e-12));
    EXPECT_GT(report.applications, 0);
    for (std::size_t i = 0; i < report.values.size(); ++i) {
      EXPECT_NEAR(report.values[i], spectrum[i], report.bounds[i] + 1e-13 * largest) << i;
      EXPECT_LE(report.bounds[i],
                std::max(p.tolerance * largest, p.relative_tolerance * std::abs(spectrum[i])));
      EXPECT_NEAR(residual(a, lanczos.vector(static_cast<int>(i)), report.values[i]), report.bounds[i],
                  1e-13 * largest);
    }
    RecordProperty(std::string(what) + (p.end == SpectrumEnd::lowest ? " low " : " high ") +
                       std::to_string(p.filter_degree),
                   std::to_string(report.applications) + " applications");
  }
  void expect_both_ends(LinearOperator& a, const std::vector<double>& spectrum, int values, int basis,
                        double tolerance, const char* what) const {
    LanczosParameters p;
    p.values = values;
    p.tolerance = tolerance;
    for (const int degree : {0, 6, 15, 40}) {
      p.filter_degree = degree;
      expect_end(a, spectrum, p, basis, what);
    }
    p.filter_degree = 0;
    p.end = SpectrumEnd::highest;
    expect_end(a, spectrum, p, basis, what);
  }
  ProcessGrid self{MPI_COMM_SELF, {1, 1, 1, 1}};
  GeometryPtr geometry = self.geometry(extents);
  Queue queue{Location::host};
};

TEST_F(Made, EndsOfSpectraThatAreKnown) {
  std::vector<double> even, negative, clustered, wide;
  for (int i = 0; i < dimension; ++i) {
    even.push_back(1 + spread(i));
    negative.push_back(-3 + 2.5 * spread(i));
    // Pairs 1e-7 apart at both ends, which a space of few vectors must tell apart.
    clustered.push_back(i < 6    ? -2 - 0.1 * (i / 2) - 1e-7 * (i % 2)
                        : i < 12 ? 2 + 0.1 * (i / 2) + 1e-7 * (i % 2)
                                 : 2 * spread(i) - 1);
    wide.push_back(std::pow(10, -2 * spread(i)));
  }
  auto a = diagonal(even), b = diagonal(negative), c = diagonal(clustered), d = diagonal(wide);
  expect_both_ends(a, even, 1, 12, 1e-9, "even");
  expect_both_ends(a, even, 5, 30, 1e-11, "even, five");
  expect_both_ends(b, negative, 3, 20, 1e-10, "negative");
  expect_both_ends(c, clustered, 4, 24, 1e-12, "clustered");
  expect_both_ends(d, wide, 2, 30, 1e-10, "wide");
}

// Twelve copies of 1, more of the others: a start vector has one of each, and four are all.
TEST_F(Made, DegenerateEigenvaluesComeOnce) {
  std::vector<double> values;
  for (int i = 0; i < dimension; ++i) values.push_back(i < 12 ? 1 : 2 + i % 3);
  auto a = diagonal(values);
  expect_both_ends(a, values, 1, 10, 1e-12, "degenerate");
  expect_both_ends(a, values, 3, 10, 1e-12, "degenerate, three");
  Lanczos lanczos(a, self, 20);
  LanczosParameters p;
  p.values = 7;
  // No fifth eigenvalue, and nothing else to start from.
  auto report = lanczos.run(start_vectors(extents, geometry, 1), p);
  EXPECT_EQ(report.reason, LanczosStop::exhausted) << name_of(report.reason);
  ASSERT_EQ(report.values.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(report.values[static_cast<std::size_t>(i)], i + 1, 1e-12);
  // Each further start vector has one more of each.
  report = lanczos.run(start_vectors(extents, geometry, 3), p);
  EXPECT_EQ(report.reason, LanczosStop::converged) << name_of(report.reason);
  const double expected[] = {1, 1, 2, 2, 3, 3, 4};
  ASSERT_EQ(report.values.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(report.values[i], expected[i], 1e-12);
  // A multiple of the unit matrix, and zero.
  for (const double number : {-4.0, 0.0}) {
    auto one = diagonal(std::vector<double>(dimension, number));
    p.values = 1;
    report = Lanczos(one, self, 8).run(start_vectors(extents, geometry, 1), p);
    EXPECT_TRUE(report.converged());
    EXPECT_NEAR(report.values[0], number, 1e-14);
    EXPECT_LT(report.bounds[0], 1e-14);
    p.values = 2;
    report = Lanczos(one, self, 8).run(start_vectors(extents, geometry, 2), p);
    EXPECT_TRUE(report.converged());
    ASSERT_EQ(report.values.size(), 2u);
    EXPECT_NEAR(report.values[1], number, 1e-14);
  }
}

// With more starts each copy is found, also where a Krylov space ends before, until there is nothing left.
TEST_F(Made, EveryCopyIsFoundFromMoreStarts) {
  const MoreStarts more = [&](Field& v, int n) {
    random_source(v, Noise::z4, 5, static_cast<std::uint32_t>(n));
  };
  std::vector<double> few, many;
  for (int i = 0; i < dimension; ++i) {
    few.push_back(i < 12 ? 1 : 2 + i % 3);
    many.push_back(i < 5 ? 0.01 : i < 8 ? 0.012 : 0.05 + spread(i));
  }
  for (const auto* spectrum : {&few, &many})
    for (const int degree : {0, 15})
      for (const auto end : {SpectrumEnd::lowest, SpectrumEnd::highest}) {
        if (end == SpectrumEnd::highest && (degree > 0 || spectrum == &many)) continue;
        for (const int basis : {17, 40}) {
          SCOPED_TRACE(std::string(spectrum == &few ? "few" : "many") + " " + std::to_string(degree) + " " +
                       std::to_string(basis) + (end == SpectrumEnd::lowest ? " lowest" : " highest"));
          auto a = diagonal(*spectrum);
          auto exact = *spectrum;
          std::sort(exact.begin(), exact.end());
          if (end == SpectrumEnd::highest) std::reverse(exact.begin(), exact.end());
          LanczosParameters p;
          p.values = spectrum == &few ? 15 : 8;
          p.end = end;
          p.filter_degree = degree;
          p.tolerance = 0;
          p.relative_tolerance = 1e-5;
          Lanczos lanczos(a, self, basis);
          const auto report = lanczos.run(start_vectors(extents, geometry, 1), p, more);
          ASSERT_EQ(report.reason, LanczosStop::converged) << name_of(report.reason);
          ASSERT_EQ(report.values.size(), static_cast<std::size_t>(p.values));
          for (std::size_t i = 0; i < report.values.size(); ++i) {
            EXPECT_NEAR(report.values[i] / exact[i], 1, 1e-5) << i;
            EXPECT_NEAR(residual(a, lanczos.vector(static_cast<int>(i)), report.values[i]), report.bounds[i],
                        1e-12);
            const auto v = test::to_vectors(lanczos.vector(static_cast<int>(i)))[0];
            for (std::size_t j = 0; j < i; ++j)
              EXPECT_LT(std::abs(test::dot(v, test::to_vectors(lanczos.vector(static_cast<int>(j)))[0])),
                        1e-9);
          }
        }
      }
  // A space of fewer dimensions than values.
  const auto small = self.geometry({2, 2, 2, 2});
  test::DiagonalOperator unit(small, Precision::double_precision, queue, [](int, int) { return 3; });
  LanczosParameters p;
  p.values = 200;
  const auto report = Lanczos(unit, self, 202).run(start_vectors({2, 2, 2, 2}, small, 1), p, more);
  EXPECT_EQ(report.reason, LanczosStop::exhausted) << name_of(report.reason);
  EXPECT_EQ(report.values.size(), 192u);
}

// A dense Hermitian matrix on the components of a field.
class DenseOperator final : public LinearOperator {
 public:
  DenseOperator(GeometryPtr geometry, const Queue& queue, Eigen::MatrixXcd matrix)
      : geometry_(std::move(geometry)), queue_(queue), matrix_(std::move(matrix)) {}
  const GeometryPtr& geometry() const override { return geometry_; }
  FieldSpec spec(int batch) const override {
    return spinor_spec(Subset::full, batch, Precision::double_precision, Location::host);
  }
  const Queue& queue() const override { return queue_; }
  Work work(int) const override { return {}; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet&) override {
    const test::Vector x = test::to_vectors(in)[0];
    test::Vectors y(1, test::Vector(x.size()));
    const Eigen::Map<const Eigen::VectorXcd> from(x.data(), matrix_.rows());
    Eigen::Map<Eigen::VectorXcd> to(y[0].data(), matrix_.rows());
    dagger ? to = matrix_.adjoint()* from : to = matrix_ * from;
    copy(out, test::to_plaq(y, geometry_, out.spec()));
  }
  GeometryPtr geometry_;
  Queue queue_;
  Eigen::MatrixXcd matrix_;
};

TEST_F(Made, DenseMatrices) {
  const auto small = self.geometry({2, 2, 2, 2});
  constexpr int n = 16 * 12;
  reference::Generator generator(5);
  Eigen::MatrixXcd m(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m(i, j) = reference::normal(generator);
  const Eigen::MatrixXcd hermitian = m + m.adjoint();
  const Eigen::VectorXd exact = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(hermitian).eigenvalues();
  DenseOperator a(small, queue, hermitian);
  Lanczos lanczos(a, self, 25);
  for (const int degree : {0, 12}) {
    LanczosParameters p;
    p.values = 6;
    p.filter_degree = degree;
    const auto low = lanczos.run(start_vectors({2, 2, 2, 2}, small, 1), p);
    ASSERT_TRUE(low.converged()) << name_of(low.reason);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(low.values[static_cast<std::size_t>(i)], exact[i], 1e-11);
  }
  LanczosParameters p;
  p.values = 6;
  p.end = SpectrumEnd::highest;
  const auto high = lanczos.run(start_vectors({2, 2, 2, 2}, small, 1), p);
  ASSERT_TRUE(high.converged()) << name_of(high.reason);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(high.values[static_cast<std::size_t>(i)], exact[n - 1 - i], 1e-11);
  // A matrix that is not Hermitian is noticed.
  DenseOperator wrong(small, queue, m);
  EXPECT_EQ(Lanczos(wrong, self, 25).run(start_vectors({2, 2, 2, 2}, small, 1), p).reason,
            LanczosStop::not_hermitian);
  DenseOperator nearly(small, queue, hermitian + 1e-3 * m);
  EXPECT_EQ(Lanczos(nearly, self, 25).run(start_vectors({2, 2, 2, 2}, small, 1), p).reason,
            LanczosStop::not_hermitian);
}

TEST_F(Made, TheFilterIsItsPolynomial) {
  std::vector<double> values;
  for (int i = 0; i < dimension; ++i) values.push_back(-0.2 + 2.6 * spread(i));
  auto a = diagonal(values);
  const Field in = start_vectors(extents, geometry, 2);
  for (const int degree : {1, 2, 3, 12, 31}) {
    ChebyshevFilter filter(a, 2, degree, 0.3, 2.1);
    EXPECT_EQ(filter.degree(), degree % 2 == 0 ? degree + 1 : degree);
    EXPECT_NEAR(filter.value(0.3), 1, 1e-12);
    EXPECT_NEAR(filter.value(2.1), -1, 1e-12);
    EXPECT_GT(filter.value(-0.2), filter.value(0.1));
    EXPECT_LT(filter.value(2.4), -1);
    Field out(geometry, in.spec());
    filter.apply(out, in);
    const auto x = test::to_vectors(in), y = test::to_vectors(out);
    for (std::size_t rhs = 0; rhs < 2; ++rhs)
      for (std::size_t i = 0; i < x[rhs].size(); ++i) {
        const double p = filter.value(values[i]);
        EXPECT_LT(std::abs(y[rhs][i] - p * x[rhs][i]), 1e-12 * (1 + std::abs(p)) * degree);
      }
  }
  EXPECT_THROW(ChebyshevFilter(a, 1, 0, 0, 1), Error);
  EXPECT_THROW(ChebyshevFilter(a, 1, 3, 1, 1), Error);
}

TEST_F(Made, Outcomes) {
  std::vector<double> values;
  for (int i = 0; i < dimension; ++i) values.push_back(std::pow(1e-5, spread(i)));
  auto a = diagonal(values);
  const Field start = start_vectors(extents, geometry, 1);
  LanczosParameters p;
  p.values = 2;
  p.tolerance = 1e-13;
  for (const int limit : {0, 1, 7, 12, 13, 40})
    for (const int degree : {0, 8}) {
      p.max_applications = limit;
      p.filter_degree = degree;
      const auto report = Lanczos(a, self, 12).run(start, p);
      EXPECT_EQ(report.reason, LanczosStop::max_applications) << name_of(report.reason);
      EXPECT_EQ(report.values.size(), limit == 0 ? 0u : limit == 1 ? 1u : 2u) << limit << " " << degree;
      EXPECT_LE(report.applications, limit + 4 * p.values);
      for (std::size_t i = 0; i < report.values.size(); ++i)  // an eigenvalue is within the bound
        EXPECT_TRUE(std::any_of(values.begin(), values.end(), [&](double v) {
          return std::abs(v - report.values[i]) <= report.bounds[i] * (1 + 1e-12);
        }));
    }
  for (double& value : values) value = 2 + std::log10(value);
  auto even = diagonal(values);
  p = {};
  p.tolerance = 1e-18;
  for (const int degree : {0, 20}) {
    p.filter_degree = degree;
    const auto report = Lanczos(even, self, 30).run(start, p);
    EXPECT_EQ(report.reason, LanczosStop::stagnation) << name_of(report.reason);
    ASSERT_EQ(report.bounds.size(), 1u);
    EXPECT_LT(report.bounds[0], 1e-13);
  }
  p = {};
  Field with_nan = start_vectors(extents, geometry, 1);
  set_real(with_nan, 0, 1, 3, 5, std::nan(""));
  EXPECT_EQ(Lanczos(a, self, 12).run(with_nan, p).reason, LanczosStop::not_a_number);
  values[77] = std::nan("");
  auto not_a_number = diagonal(values);
  EXPECT_EQ(Lanczos(not_a_number, self, 12).run(start, p).reason, LanczosStop::not_a_number);
  values[77] = 1e308;
  auto overflows = diagonal(values);
  EXPECT_EQ(Lanczos(overflows, self, 12).run(start, p).reason, LanczosStop::not_a_number);
  test::DiagonalOperator complex(geometry, Precision::double_precision, queue, [](int site, int k) {
    return Complex64(spread(12 * site + k), 1e-3 * spread(site));
  });
  const auto report = Lanczos(complex, self, 12).run(start, p);
  EXPECT_EQ(report.reason, LanczosStop::not_hermitian);
  EXPECT_TRUE(report.values.empty());
}

TEST_F(Made, WrongInput) {
  std::vector<double> values(dimension, 1);
  auto a = diagonal(values);
  const Field start = start_vectors(extents, geometry, 1);
  EXPECT_THROW(Lanczos(a, self, 2), Error);
  Lanczos lanczos(a, self, 6);
  const auto refused = [&](auto&& change) {
    LanczosParameters p;
    change(p);
    EXPECT_THROW(lanczos.run(start, p), Error);
  };
  refused([](auto& p) { p.values = 0; });
  refused([](auto& p) { p.values = 5; });
  refused([](auto& p) { p.tolerance = 0; });
  refused([](auto& p) { p.tolerance = std::nan(""); });
  refused([](auto& p) { p.tolerance = -1; });
  refused([](auto& p) { p.relative_tolerance = -1; });
  refused([](auto& p) { p.max_applications = -1; });
  refused([](auto& p) { p.filter_degree = -1; });
  refused([](auto& p) { p.check_every = -1; });
  refused([](auto& p) {
    p.filter_degree = 5;
    p.end = SpectrumEnd::highest;
  });
  EXPECT_THROW(lanczos.run(Field(geometry, a.spec(1)), {}), Error);  // 0
  EXPECT_THROW(lanczos.run(start_vectors(extents, geometry, 1, Precision::single_precision), {}), Error);
  EXPECT_THROW(singular_range(a, self, start, {.accuracy = 0}), Error);
  EXPECT_THROW(singular_range(a, a, self, start, {.accuracy = 0}), Error);
}

// Searches that look at bases which are not full take fewer applications, to the same tolerance.
TEST_F(Made, EndsBeforeABasisIsFull) {
  std::vector<double> values;
  for (int i = 0; i < dimension; ++i)
    values.push_back(i == 5 ? 0.001 : i == 8 ? 0.002 : 0.01 + 3 * spread(i));
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    auto a = diagonal(values, precision);
    const Field start = start_vectors(extents, geometry, 1, precision);
    for (const int wanted : {1, 2}) {
      LanczosParameters p;
      p.values = wanted;
      p.tolerance = 0;
      p.relative_tolerance = 1e-2;
      p.filter_degree = 10;
      Lanczos lanczos(a, self, 40);
      const auto full = lanczos.run(start, p);
      p.check_every = 3;
      const auto early = lanczos.run(start, p);
      ASSERT_TRUE(full.converged());
      ASSERT_TRUE(early.converged());
      EXPECT_LT(early.applications, 0.8 * full.applications);
      for (std::size_t i = 0; i < static_cast<std::size_t>(wanted); ++i) {
        EXPECT_NEAR(early.values[i], i == 0 ? 0.001 : 0.002, early.bounds[i]);
        EXPECT_LE(early.bounds[i], 1e-2 * early.values[i]);
        if (precision == Precision::double_precision) {
          EXPECT_NEAR(residual(a, lanczos.vector(static_cast<int>(i)), early.values[i]), early.bounds[i],
                      1e-12);
        }
      }
    }
  }
}

TEST_F(Made, SinglePrecision) {
  std::vector<double> values;
  for (int i = 0; i < dimension; ++i) values.push_back(i == 5 ? -2 : i == 8 ? 3 : spread(i));
  auto a = diagonal(values, Precision::single_precision);
  const Field start = start_vectors(extents, geometry, 1, Precision::single_precision);
  LanczosParameters p;
  p.tolerance = 1e-5;
  EXPECT_NEAR(Lanczos(a, self, 12).run(start, p).values[0], -2, 1e-5);
  p.end = SpectrumEnd::highest;
  EXPECT_NEAR(Lanczos(a, self, 12).run(start, p).values[0], 3, 1e-5);
  p.tolerance = 1e-10;
  EXPECT_EQ(Lanczos(a, self, 12).run(start, p).reason, LanczosStop::stagnation);
}

// gamma5 M as a dense matrix.
Eigen::MatrixXcd hermitian_wilson(const reference::GaugeField& gauge, double mass) {
  const int n = 12 * gauge.lattice.volume();
  reference::WilsonParameters parameters;
  parameters.mass = mass;
  Eigen::MatrixXcd h(n, n);
  for (int column = 0; column < n; ++column) {
    const auto out = reference::wilson(
        parameters, gauge, reference::point_source(gauge.lattice, column / 12, column % 12 / 3, column % 3));
    for (int row = 0; row < n; ++row)
      h(row, column) = (row % 12 < 6 ? 1.0 : -1.0) *
                       out[static_cast<std::size_t>(row / 12)][static_cast<std::size_t>(row % 12 / 3)]
                          [static_cast<std::size_t>(row % 3)];
  }
  return h;
}

class WilsonOnRandomLinks : public testing::TestWithParam<Extents> {};

TEST_P(WilsonOnRandomLinks, HasTheSpectrumOfTheDenseMatrix) {
  const Extents extents = GetParam();
  const double mass = -1.3;
  const auto h = hermitian_wilson(test::weak_links(extents), mass);
  ASSERT_LT((h - h.adjoint()).norm(), 1e-11);
  std::vector<double> exact;
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(h, Eigen::EigenvaluesOnly).eigenvalues();
  for (const double value : values) exact.push_back(value * value);
  std::sort(exact.begin(), exact.end());
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location location : test::locations()) {
    test::WilsonSystem system(self, extents, test::random_sources(extents, 1, 17), mass, 0.3, location);
    WilsonOperator& m = *system.in_double;
    NormalOperator normal(m, 1);
    Lanczos lanczos(normal, self, 40);
    const Field& start = system.source;
    for (const int degree : {0, 20, 50}) {
      LanczosParameters p;
      p.values = 8;
      p.tolerance = 1e-12;
      p.filter_degree = degree;
      const auto low = lanczos.run(start, p);
      ASSERT_TRUE(low.converged()) << name_of(low.reason);
      for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(low.values[i], exact[i], 1e-11) << i << " " << degree;
      RecordProperty("applications" + std::to_string(degree), low.applications);
    }
    LanczosParameters p;
    p.end = SpectrumEnd::highest;
    p.values = 3;
    const auto high = lanczos.run(start, p);
    ASSERT_TRUE(high.converged());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(high.values[i], exact[exact.size() - 1 - i], 1e-10);
    const auto range = singular_range(m, self, start);
    ASSERT_TRUE(range.converged());
    EXPECT_LE(range.below * range.below, exact.front());
    EXPECT_GE(range.above * range.above, exact.back());
    EXPECT_NEAR(range.smallest * range.smallest / exact.front(), 1, 1e-3);
    EXPECT_NEAR(range.largest * range.largest / exact.back(), 1, 1e-3);
    EXPECT_EQ(range.applications, range.low.applications + range.high.applications);
    EXPECT_EQ(range.low_applications, 0);
    const auto mixed = singular_range(m, *system.in_single, self, start);
    ASSERT_TRUE(mixed.converged());
    EXPECT_GT(mixed.low_applications, 0);
    EXPECT_EQ(mixed.applications, 2);  // two vectors are measured
    EXPECT_LE(mixed.below * mixed.below, exact.front());
    EXPECT_GE(mixed.above * mixed.above, exact.back());
    EXPECT_NEAR(mixed.smallest * mixed.smallest / exact.front(), 1, 1e-3);
    EXPECT_NEAR(mixed.largest * mixed.largest / exact.back(), 1, 1e-3);
  }
}

// An operator whose vectors are too bad for the accuracy: all is searched again, with the bits of `a` alone.
TEST(SingularRange, IsThatOfTheOperatorWhereALowerPrecisionFails) {
  const Extents extents{4, 2, 4, 4};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  test::WilsonSystem system(self, extents, test::random_sources(extents, 1, 17), -1.3, 0.3);
  WilsonOperator& m = *system.in_double;
  const auto alone = singular_range(m, self, system.source, {.accuracy = 1e-4, .check_every = 4});
  ASSERT_TRUE(alone.converged());
  for (const int bits : {4, 8, 12}) {
    SCOPED_TRACE(bits);
    test::RoundedOperator rounded(*system.in_single, bits);
    const auto mixed = singular_range(m, rounded, self, system.source, {.accuracy = 1e-4, .check_every = 4});
    ASSERT_TRUE(mixed.converged());
    EXPECT_GT(mixed.low_applications, 0);
    EXPECT_GE(mixed.applications, alone.low.applications);
    EXPECT_EQ(mixed.below, alone.below);
    EXPECT_EQ(mixed.smallest, alone.smallest);
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, WilsonOnRandomLinks,
                         testing::Values(Extents{2, 2, 2, 2}, Extents{4, 2, 4, 4}),
                         [](const auto& info) { return to_string(info.param); });

TEST(SmallSpectrum, OfAMatrixThatIsKnown) {
  // Eigenvalues 1 and 3, vectors (1, -i)/sqrt 2 and (1, i)/sqrt 2 up to phases; the upper triangle is not
  // read.
  const auto s = small_spectrum({2, 77, 0, Complex64(0, 1), 2, 0}, 2, 3);
  EXPECT_NEAR(s.values[0], 1, 1e-15);
  EXPECT_NEAR(s.values[1], 3, 1e-15);
  for (std::size_t k = 0; k < 2; ++k) {
    const Complex64 ratio = s.vectors[2 * k + 1] / s.vectors[2 * k];
    EXPECT_NEAR(std::abs(ratio - Complex64(0, k == 0 ? -1 : 1)), 0, 1e-14);
  }
  EXPECT_THROW(small_spectrum({std::nan("")}, 1, 1), Error);
}

}  // namespace
}  // namespace plaq
