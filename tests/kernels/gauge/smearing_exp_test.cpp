// The exponential and the projection of single matrices, easy and hard ones, against the slow reference.
#include <cmath>
#include <functional>

#include "core/launch/dispatch.hpp"
#include "tests/kernels/gauge/exp_kernel.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/reference/smearing.hpp"

namespace plaq::smearing_exp_test {
namespace {

using reference::ColorMatrix;
using reference::Complex;

// g diag(a, b, c) h^dagger
ColorMatrix from_diagonal(const ColorMatrix& g, Complex a, Complex b, Complex c, const ColorMatrix& h) {
  ColorMatrix d;
  d(0, 0) = a;
  d(1, 1) = b;
  d(2, 2) = c;
  return g * d * dagger(h);
}

// Matrices put on the links of a lattice one after the other; `compute` fills a field from it.
class Matrices {
 public:
  explicit Matrices(const std::vector<ColorMatrix>& list) : list_(list), gauge_({extents}) {
    for (std::size_t k = 0; k < 4 * gauge_.link.size(); ++k)
      gauge_.link[k / 4][k % 4] = list[k % list.size()];
  }

  template <class Launch>
  std::vector<ColorMatrix> results(Precision precision, Location location, const Launch& launch) const {
    const auto geometry = Geometry::create({extents});
    const Field in = test::to_plaq(gauge_, geometry, precision, location);
    Field out(geometry, gauge_spec(precision, location));
    dispatch(location, precision, [&](auto kind) { launch(kind, out, in, Queue(location)); });
    const auto found = test::to_reference(out);
    std::vector<ColorMatrix> first;
    for (std::size_t k = 0; k < 4 * gauge_.link.size(); ++k) {
      const auto& u = found.link[k / 4][k % 4];
      if (k < list_.size()) first.push_back(u);
      EXPECT_EQ(reference::max_difference(u, first[k % list_.size()]), 0) << "depends on its lane";
    }
    return first;
  }
  // Matrix that the kernel reads.
  ColorMatrix seen(std::size_t k, Precision precision) const {
    ColorMatrix m = list_[k];
    if (precision == Precision::single_precision)
      for (auto& row : m.element)
        for (Complex& z : row) z = {static_cast<float>(z.real()), static_cast<float>(z.imag())};
    return m;
  }

 private:
  static constexpr Extents extents{6, 4, 4, 2};
  std::vector<ColorMatrix> list_;
  reference::GaugeField gauge_;
};

TEST(Exponential, IsAccurateToRoundingEverywhere) {
  reference::Generator generator(21);
  const Complex i(0, 1);
  std::vector<ColorMatrix> list{ColorMatrix()};
  const std::vector<std::array<double, 2>> eigenvalues = {{1, 1},          {-1, -1},       {1, 1 + 1e-8},
                                                          {-1, -1 - 1e-8}, {1, 1 - 1e-14}, {1, -1},
                                                          {1, 0},          {0.3, 0.2},     {1, -0.5}};
  for (const double size :
       {1e-30, 1e-15, 1e-8, 9.9e-7, 1.1e-6, 1e-5, 1e-3, 0.1, 1.0, 3.0, 10.0, 100.0, 1000.0})
    for (const auto& [a, b] : eigenvalues) {
      const auto g = reference::random_su3(generator);
      list.push_back(from_diagonal(g, i * size * a, i * size * b, -i * size * (a + b), g));
      list.push_back(from_diagonal(ColorMatrix::unit(), i * size * a, i * size * b, -i * size * (a + b),
                                   ColorMatrix::unit()));
    }
  const Matrices matrices(list);
  for (const Location location : test::locations())
    for (const Precision precision : test::both_precisions) {
      const double unit = precision == Precision::double_precision ? 1.2e-16 : 6e-8;
      const auto found = matrices.results(
          precision, location, [](auto kind, Field& out, const Field& in, const Queue& queue) {
            using K = decltype(kind);
            test::launch_store_exponentials<typename K::target, typename K::scalar>(out, in, queue);
          });
      double worst = 0, unitarity = 0;
      for (std::size_t k = 0; k < list.size(); ++k) {
        const auto x = reference::traceless_antihermitian(matrices.seen(k, precision));
        const double size = std::max(1.0, reference::max_difference(x, ColorMatrix()));
        const auto violation = reference::unitarity_violation(found[k]);
        const double error = reference::max_difference(found[k], reference::exponential(x)) / (unit * size);
        EXPECT_LT(error, 8) << k;
        worst = std::max(worst, error);
        unitarity = std::max(unitarity, std::max(violation.unitarity, violation.determinant) / (unit * size));
      }
      EXPECT_LT(unitarity, 20);
      RecordProperty("worst " + std::string(name_of(location)) + std::string(name_of(precision)),
                     std::to_string(worst) + " roundings, unitarity " + std::to_string(unitarity));
      EXPECT_EQ(reference::max_difference(found[0], ColorMatrix::unit()), 0);
    }
}

TEST(Projection, IsThePolarFactorWithoutItsPhase) {
  reference::Generator generator(22);
  std::vector<ColorMatrix> list;
  const std::vector<std::array<double, 3>> singular_values = {
      {1, 1, 1},    {1, 0.5, 0.3},      {3, 3, 1e-2},    {1, 1e-2, 1e-3},
      {1, 1, 1e-5}, {1e-8, 2e-8, 3e-8}, {1e6, 1e6, 1e5}, {1, 1e-3, 1e-3}};
  for (const auto& [a, b, c] : singular_values)
    for (const double phase : {0.0, 0.7, 3.0, -3.0}) {
      const auto g = reference::random_su3(generator), h = reference::random_su3(generator);
      list.push_back(from_diagonal(g, std::polar(a, phase), b, c, h));
    }
  for (int k = 0; k < 40; ++k) {
    ColorMatrix v;
    for (auto& row : v.element)
      for (Complex& z : row) z = reference::normal(generator);
    list.push_back(v);
  }
  const Matrices matrices(list);
  for (const Location location : test::locations())
    for (const Precision precision : test::both_precisions) {
      const double unit = precision == Precision::double_precision ? 1.2e-16 : 6e-8;
      const auto found = matrices.results(
          precision, location, [](auto kind, Field& out, const Field& in, const Queue& queue) {
            using K = decltype(kind);
            test::launch_store_projections<typename K::target, typename K::scalar>(out, in, queue);
          });
      double worst = 0;
      for (std::size_t k = 0; k < list.size(); ++k) {
        double ratio = 0;
        const auto expected = reference::polar_su3(matrices.seen(k, precision), &ratio);
        const double error = reference::max_difference(found[k], expected) * ratio / unit;
        EXPECT_LT(error, 30) << k << " of ratio " << ratio;
        worst = std::max(worst, error);
        const auto violation = reference::unitarity_violation(found[k]);
        EXPECT_LT(std::max(violation.unitarity, violation.determinant), 30 * unit) << k;
      }
      RecordProperty("worst " + std::string(name_of(location)) + std::string(name_of(precision)),
                     std::to_string(worst));
    }
}

TEST(Projection, LeavesSingularMatricesToTheCaller) {
  reference::Generator generator(23);
  std::vector<ColorMatrix> list{ColorMatrix()};
  for (const auto& [a, b] : {std::pair{1.0, 1.0}, std::pair{1.0, 0.0}, std::pair{1e-20, 1e-20}}) {
    const auto g = reference::random_su3(generator), h = reference::random_su3(generator);
    list.push_back(from_diagonal(g, a, b, 0, h));
    list.push_back(from_diagonal(ColorMatrix::unit(), a, b, 0, ColorMatrix::unit()));
  }
  const Matrices matrices(list);
  for (const Location location : test::locations())
    for (const Precision precision : test::both_precisions)
      for (const auto& u :
           matrices.results(precision, location, [](auto kind, Field&out, const Field&in, const Queue&queue) {
             using K = decltype(kind);
             test::launch_store_projections<typename K::target, typename K::scalar>(out, in, queue);
           }))
        EXPECT_EQ(reference::max_difference(u, ColorMatrix::unit()), 0);
}

}  // namespace
}  // namespace plaq::smearing_exp_test
