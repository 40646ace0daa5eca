// The test kit of operators finds what it is for, on lattices of any extents and vectors of any shape: a
// matrix a site with one fault at a time.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "tests/support/operators/checks.hpp"

namespace plaq {
namespace {

using test::Complex64, test::Vector, test::Vectors;

enum class Fault { none, sign, adjoint, mask, rounding, grid, batch, shape };

constexpr test::VectorShape shape{2, 1, 5};  // two chiralities of five, as a coarse lattice has them

Complex64 element(std::size_t site, int i, int j) {
  const auto n = static_cast<double>(100 * site) + 10 * i + j;
  return {std::sin(n), std::cos(1.7 * n)};
}

Vector image(const Vector& v, bool dagger) {
  Vector out(v.size());
  for (std::size_t k = 0; k < v.size(); ++k)
    for (int j = 0; j < 10; ++j) {
      const auto site = k / 10;
      const int i = static_cast<int>(k % 10);
      const Complex64 a = dagger ? std::conj(element(site, j, i)) : element(site, i, j);
      out[k] += a * v[10 * site + static_cast<std::size_t>(j)];
    }
  return out;
}

class SiteMatrices final : public LinearOperator {
 public:
  SiteMatrices(const test::Setting& setting, Fault fault) : setting_(setting), fault_(fault) {}
  const GeometryPtr& geometry() const override { return setting_.geometry; }
  FieldSpec spec(int batch) const override {
    return shape.spec(Subset::full, batch, setting_.storage.precision, setting_.queue.location());
  }
  const Queue& queue() const override { return setting_.queue; }
  Work work(int) const override { return {}; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    if (in.spec() != spec(in.batch()) || out.spec() != in.spec()) {
      require(fault_ == Fault::shape, "wrong fields");
      return;
    }
    const Vectors x = test::to_vectors(in);
    for (int n = 0; n < (fault_ == Fault::mask ? in.batch() : active.count()); ++n) {
      const int k = fault_ == Fault::mask ? n : active[n];
      Vectors y{image(x[static_cast<std::size_t>(k)], dagger && fault_ != Fault::adjoint)};
      double factor = fault_ == Fault::sign ? -1 : 1;
      if (fault_ == Fault::rounding) factor = 1 + 1e-13;
      if (fault_ == Fault::grid && geometry()->any_partitioned()) factor = 1 + 1e-15;
      if (fault_ == Fault::batch && active.batch() > 1) factor = 1 + 1e-15;
      for (Complex64& z : y[0]) z *= factor;
      copy_subfield(out, k, test::to_plaq(y, geometry(), out.spec()), 0);
    }
  }
  test::Setting setting_;
  Fault fault_;
};

test::OperatorProblem problem(const Extents& extents, Fault fault) {
  test::OperatorProblem p;
  p.name = to_string(extents);
  p.extents = extents;
  p.general = true;
  p.shape = shape;
  p.bounds = {{Precision::double_precision, 18, 1e-15, 2e-16},
              {Precision::single_precision, 18, 2e-7, 4e-8},
              {Precision::half_precision, 18, 5e-5, 2e-5}};
  p.make = [fault](const test::Setting& s) { return std::make_shared<SiteMatrices>(s, fault); };
  p.image = image;
  return p;
}

template <class Check>
bool fails(const Check& check) {
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    check();
  }
  for (int i = 0; i < results.size(); ++i)
    if (results.GetTestPartResult(i).failed()) return true;
  return false;
}

TEST(OperatorKit, AcceptsWhatIsRightAndFindsEachFault) {
  for (const Extents& extents : {Extents{3, 1, 5, 2}, Extents{2, 4, 2, 6}}) {
    const auto right = problem(extents, Fault::none);
    test::expect_images(right);
    test::expect_adjoint(right);
    test::expect_refusals(right);
    test::expect_same_bits_by_every_transport(right);
    for (const Fault fault :
         {Fault::sign, Fault::adjoint, Fault::mask, Fault::rounding, Fault::grid, Fault::batch})
      EXPECT_TRUE(fails([&] { test::expect_images(problem(extents, fault)); })) << static_cast<int>(fault);
    EXPECT_TRUE(fails([&] { test::expect_adjoint(problem(extents, Fault::adjoint)); }));
    EXPECT_TRUE(fails([&] { test::expect_refusals(problem(extents, Fault::shape)); }));
    EXPECT_TRUE(fails([&] { test::expect_same_bits_by_every_transport(problem(extents, Fault::grid)); }));
  }
}

}  // namespace
}  // namespace plaq
