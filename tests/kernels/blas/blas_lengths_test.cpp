// Vector updates of any number of components, to the last bit: sums add a site's terms in the order of its
// components, and half precision is single precision that is rounded when a site is complete.
#include <cstring>

#include "kernels/blas/convert.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "tests/kernels/blas/blas_support.hpp"

namespace plaq::blas_lengths_test {
namespace {

using test::converted, test::Z;

constexpr int rhs = 2;

// Spins and colors: below, at and above what a kernel has in registers at a time, in whole and in broken 16
// bytes.
struct Shape {
  int spins, colors;
};
constexpr Shape shapes[] = {{1, 1}, {1, 2}, {1, 3},  {2, 4},  {1, 5}, {2, 5},  {4, 3},
                            {1, 7}, {4, 4}, {1, 13}, {2, 12}, {5, 5}, {2, 32}, {2, 64}};

Field random_vectors(Shape shape, Precision precision, unsigned seed) {
  const auto g = Geometry::create({{4, 2, 2, 6}});
  return test::random_vectors(g, {Subset::odd, shape.spins, shape.colors, rhs, precision, Location::host},
                              seed);
}

Field in_precision(const Field& f, Precision precision) { return converted(f, precision, Location::host); }

void expect_equal(const Field& a, const Field& b) {
  for (int k = 0; k < rhs; ++k)
    for (int s = 0; s < a.layout().sites; ++s)
      for (int r = 0; r < a.reals_per_site(); ++r)
        ASSERT_EQ(get_real(a, k, 1, s, r), get_real(b, k, 1, s, r)) << "site " << s << " real " << r;
}

template <class Op>
std::vector<ExactSum> run(const std::vector<Field>& fields, Location location) {
  const Queue queue(location);
  blas::Workspace work(queue, rhs);
  const auto sums = test::run<Op>(work, test::coefficients({1, 1}), fields);
  queue.synchronize();
  return sums;
}

// |x|^2 as the promise says it, with no kernel.
TEST(BlasLengths, SumsFollowTheOrderOfComponents) {
  for (const Shape shape : shapes)
    for (const Precision precision : {Precision::single_precision, Precision::double_precision})
      for (const Location location : test::locations()) {
        const Field x = random_vectors(shape, precision, 3);
        const auto found = run<blas::Norm>({converted(x, location)}, location);
        for (int k = 0; k < rhs; ++k) {
          ExactSum expected;
          for (int s = 0; s < x.layout().sites; ++s) {
            double of_site = 0;
            for (int r = 0; r < x.reals_per_site(); ++r) {
              const double v = get_real(x, k, 1, s, r);
              of_site = std::fma(v, v, of_site);
            }
            expected.add(of_site);
          }
          expected.normalize();
          EXPECT_EQ(found[static_cast<std::size_t>(k)].round(), expected.round())
              << shape.spins << " x " << shape.colors;
        }
      }
}

// Integers are summed exactly: the scale's square comes in at the end of a site.
TEST(BlasLengths, SumsOfHalfPrecisionAreOfIntegers) {
  for (const Shape shape : shapes)
    for (const Location location : test::locations()) {
      const Field x = random_vectors(shape, Precision::half_precision, 4);
      const auto found = run<blas::Norm>({converted(x, location)}, location);
      for (int k = 0; k < rhs; ++k) {
        ExactSum expected;
        const auto* data = static_cast<const Fixed16*>(x.data(k, 1));
        for (int s = 0; s < x.layout().sites; ++s) {
          float site_scale;
          std::memcpy(&site_scale, data + x.layout().scale_offset(s), sizeof(site_scale));
          std::int64_t of_site = 0;
          for (int r = 0; r < x.reals_per_site(); ++r) {
            const int n = static_cast<int>(data[x.layout().offset(s, r)].bits) - 32768;
            of_site += std::int64_t{n} * n;
          }
          const double scale = static_cast<double>(site_scale);
          expected.add(static_cast<double>(of_site) * (scale * scale));
        }
        expected.normalize();
        EXPECT_EQ(found[static_cast<std::size_t>(k)].round(), expected.round())
            << shape.spins << " x " << shape.colors;
      }
    }
}

template <class Op>
void expect_half_is_single_rounded() {
  for (const Shape shape : shapes)
    for (const Location location : test::locations()) {
      SCOPED_TRACE(std::to_string(shape.spins) + " x " + std::to_string(shape.colors));
      std::vector<Field> half, single;
      for (unsigned i = 0; i < Op::vectors; ++i) {
        const Field x = random_vectors(shape, Precision::half_precision, i);
        half.push_back(converted(x, location));
        single.push_back(converted(in_precision(x, Precision::single_precision), location));
      }
      const auto found = run<Op>(half, location), expected = run<Op>(single, location);
      for (std::size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].round(), expected[k].round());
      for (std::size_t i = 0; i < Op::vectors; ++i)
        if ((Op::writes >> i) & 1u)
          expect_equal(in_precision(half[i], Precision::half_precision),
                       in_precision(single[i], Precision::half_precision));
      if (testing::Test::HasFatalFailure()) return;
    }
}
TEST(BlasLengths, Axpby) { expect_half_is_single_rounded<blas::Axpby>(); }
TEST(BlasLengths, AxpyNorm) { expect_half_is_single_rounded<blas::AxpyNorm>(); }
TEST(BlasLengths, MrUpdate) { expect_half_is_single_rounded<blas::MrUpdate>(); }
TEST(BlasLengths, BicgstabUpdate) { expect_half_is_single_rounded<blas::BicgstabUpdate>(); }

// To half precision, within half a step of numbers up to 1/2, and from single precision as a copy has it;
// and back to what was stored.
TEST(BlasLengths, Convert) {
  for (const Shape shape : shapes)
    for (const Precision high : {Precision::single_precision, Precision::double_precision})
      for (const Location location : test::locations()) {
        const Queue queue(location);
        blas::Workspace work(queue, rhs);
        std::vector<blas::Coefficients> one(rhs);
        for (auto& c : one) c.value[0] = 1;
        const Field x = random_vectors(shape, high, 7);
        const Field copied = in_precision(x, Precision::half_precision);
        auto half_spec = copied.spec();
        half_spec.location = location;
        Field to(x.geometry_ptr(), half_spec), again = converted(Field(x.geometry_ptr(), x.spec()), location);
        blas::convert(work, one, to, converted(x, location));
        blas::convert(work, one, again, to);
        queue.synchronize();
        const Field stored = converted(to, Location::host);
        if (high == Precision::single_precision) expect_equal(stored, copied);
        for (int k = 0; k < rhs; ++k)
          for (int s = 0; s < x.layout().sites; ++s)
            for (int r = 0; r < x.reals_per_site(); ++r)
              ASSERT_NEAR(get_real(stored, k, 1, s, r), get_real(x, k, 1, s, r), 0.51 * 0.5 / 32767);
        expect_equal(converted(again, Location::host), in_precision(stored, high));
        if (testing::Test::HasFatalFailure()) return;
      }
}

TEST(BlasLengths, RefusesOtherShapes) {
  const Field x = random_vectors({2, 4}, Precision::single_precision, 1),
              y = random_vectors({2, 5}, Precision::single_precision, 2);
  blas::Workspace work(Queue(Location::host), rhs);
  EXPECT_THROW(blas::update<blas::Axpy>(work, test::coefficients({1, 1}), {&x, &y}), Error);
  auto spec = x.spec();
  spec.order = Order::right_hand_sides_fastest;
  const Field other(x.geometry_ptr(), spec);
  EXPECT_THROW(blas::update<blas::Axpy>(work, test::coefficients({1, 1}), {&other, &other}), Error);
}

}  // namespace
}  // namespace plaq::blas_lengths_test
