// Every vector update against its formula, written as a plain loop; right-hand sides that are not active are
// not read.
#include "kernels/blas/blas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "tests/support/locations.hpp"

namespace plaq {
namespace {

using Z = std::complex<double>;
constexpr int batch = 4, inactive = 2;

const Z coefficient[3] = {{0.75, -0.5}, {-1.25, 0.375}, {0.5, 2.0}};  // times 1 + right-hand side

Field random_field(const GeometryPtr& g, Subset subset, Precision precision, unsigned seed) {
  Field f(g, spinor_spec(subset, batch, precision, Location::host));
  std::mt19937_64 generator(seed);
  for (int slot = 0; slot < batch; ++slot)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; f.holds(parity) && s < f.layout().sites; ++s)
        for (int r = 0; r < 24; ++r) {
          const double x = static_cast<double>(generator() >> 11) * 0x1p-53 - 0.5;
          set_real(f, slot, parity, s, r, slot == inactive ? std::numeric_limits<double>::quiet_NaN() : x);
        }
  return f;
}

Field converted(const Field& from, Location location) {
  auto spec = from.spec();
  spec.location = location;
  Field to(from.geometry_ptr(), spec);
  copy(to, from);
  return to;
}

Z at(const Field& f, int slot, int parity, int s, int k) {
  return {get_real(f, slot, parity, s, 2 * k), get_real(f, slot, parity, s, 2 * k + 1)};
}

// plain(v, c, sum): v are the vectors' components at one place, changed as Op says; sum gets its terms added.
template <class Op, class Plain>
void expect_operation(Plain&& plain) {
  constexpr std::size_t vectors = Op::vectors;
  for (const auto& extents : {Extents{4, 2, 6, 4}, Extents{10, 6, 4, 8}})
    for (const Subset subset : {Subset::full, Subset::even, Subset::odd})
      for (const Precision precision : {Precision::double_precision, Precision::single_precision})
        for (const Location location : test::locations()) {
          SCOPED_TRACE(to_string(extents) + " subset " + std::to_string(static_cast<int>(subset)) + " " +
                       std::string(name_of(precision)) + " " + std::string(name_of(location)));
          const auto g = Geometry::create({extents});
          std::vector<Field> before, there;
          std::array<const Field*, vectors> arguments;
          for (std::size_t i = 0; i < vectors; ++i)
            before.push_back(random_field(g, subset, precision, static_cast<unsigned>(i)));
          for (std::size_t i = 0; i < vectors; ++i) there.push_back(converted(before[i], location));
          for (std::size_t i = 0; i < vectors; ++i) arguments[i] = &there[i];
          std::vector<blas::Coefficients> c(batch);
          for (int slot = 0; slot < batch; ++slot) {
            auto& mine = c[static_cast<std::size_t>(slot)];
            mine.active = slot != inactive;
            for (int k = 0; k < 6; ++k) {
              const Z z = coefficient[k / 2] * (1.0 + slot);
              mine.value[k] = k % 2 == 0 ? z.real() : z.imag();
            }
          }
          const Queue queue(location);
          blas::Workspace work(queue, batch);
          std::vector<ExactSum> sums;
          if constexpr (Op::sums > 0) {
            sums = blas::update_and_sum<Op>(work, c, arguments);
          } else {
            blas::update<Op>(work, c, arguments);
          }
          queue.synchronize();

          const double tolerance = precision == Precision::double_precision ? 1e-14 : 1e-5;
          std::vector<Field> after;
          for (const Field& f : there) after.push_back(converted(f, Location::host));
          for (int slot = 0; slot < batch; ++slot) {
            std::array<long double, 4> expected{};
            long double scale = 0;
            for (int parity = 0; parity < 2; ++parity)
              for (int s = 0; before[0].holds(parity) && s < before[0].layout().sites; ++s)
                for (int k = 0; k < 12; ++k) {
                  Z v[vectors], mine[3];
                  for (std::size_t i = 0; i < vectors; ++i) v[i] = at(before[i], slot, parity, s, k);
                  for (int j = 0; j < 3; ++j) mine[j] = coefficient[j] * (1.0 + slot);
                  if (slot != inactive) plain(v, mine, expected);
                  for (std::size_t i = 0; i < vectors; ++i) {
                    const Z got = at(after[i], slot, parity, s, k);
                    if (slot == inactive) {
                      ASSERT_TRUE(std::isnan(got.real()) && std::isnan(got.imag()));
                    } else if ((Op::writes >> i) & 1u) {
                      ASSERT_LE(std::abs(got - v[i]), 20 * tolerance) << "vector " << i;
                    } else {
                      ASSERT_EQ(got, v[i]) << "vector " << i;  // what is only read stays as it was
                    }
                    scale += slot == inactive ? 0 : std::norm(v[i]);
                  }
                }
            for (std::size_t k = 0; k < static_cast<std::size_t>(Op::sums); ++k) {
              const double got = sums[static_cast<std::size_t>(slot) * Op::sums + k].round();
              if (slot == inactive) {
                ASSERT_EQ(got, 0) << "sum " << k;
              } else {
                ASSERT_LE(std::abs(got - static_cast<double>(expected[k])),
                          tolerance * static_cast<double>(scale))
                    << "sum " << k;
              }
            }
          }
        }
}

void add_dot(std::array<long double, 4>& sum, std::size_t first, Z a, Z b) {
  sum[first] += (std::conj(a) * b).real();
  sum[first + 1] += (std::conj(a) * b).imag();
}

TEST(Blas, Copy) {
  expect_operation<blas::Copy>([](auto& v, auto&, auto&) { v[1] = v[0]; });
}
TEST(Blas, Triad) {
  expect_operation<blas::Triad>([](auto& v, auto& c, auto&) { v[2] = v[0] + c[0] * v[1]; });
}
TEST(Blas, Norm) {
  expect_operation<blas::Norm>([](auto& v, auto&, auto& sum) { sum[0] += std::norm(v[0]); });
}
TEST(Blas, Dot) {
  expect_operation<blas::Dot>([](auto& v, auto&, auto& sum) { add_dot(sum, 0, v[0], v[1]); });
}
TEST(Blas, DotNorm) {
  expect_operation<blas::DotNorm>([](auto& v, auto&, auto& sum) {
    add_dot(sum, 0, v[0], v[1]);
    sum[2] += std::norm(v[0]);
  });
}
TEST(Blas, Residual) {
  expect_operation<blas::Residual>([](auto& v, auto&, auto& sum) {
    v[2] = v[0] - v[1];
    sum[0] += std::norm(v[2]);
  });
}
TEST(Blas, Xpay) {
  expect_operation<blas::Xpay>([](auto& v, auto& c, auto&) { v[1] = v[0] + c[0] * v[1]; });
}
TEST(Blas, Axpy) {
  expect_operation<blas::Axpy>([](auto& v, auto& c, auto&) { v[1] += c[0] * v[0]; });
}
TEST(Blas, CgUpdate) {
  expect_operation<blas::CgUpdate>([](auto& v, auto& c, auto& sum) {
    v[2] += c[0] * v[0];
    v[3] -= c[0] * v[1];
    sum[0] += std::norm(v[3]);
  });
}
TEST(Blas, BicgstabSolution) {
  expect_operation<blas::BicgstabSolution>(
      [](auto& v, auto& c, auto&) { v[2] += c[0] * v[0] + c[1] * v[1]; });
}
TEST(Blas, BicgstabResidual) {
  expect_operation<blas::BicgstabResidual>([](auto& v, auto& c, auto& sum) {
    v[2] -= c[1] * v[0];
    sum[0] += std::norm(v[2]);
    add_dot(sum, 1, v[1], v[2]);
  });
}
TEST(Blas, BicgstabDirection) {
  expect_operation<blas::BicgstabDirection>(
      [](auto& v, auto& c, auto&) { v[2] = v[0] + c[0] * (v[2] - c[1] * v[1]); });
}

TEST(Blas, SliceNorms) {
  for (const auto& extents : {Extents{4, 2, 6, 4}, Extents{10, 6, 4, 8}})
    for (const Subset subset : {Subset::full, Subset::odd})
      for (const Precision precision : {Precision::double_precision, Precision::single_precision})
        for (const Location location : test::locations()) {
          const auto g = Geometry::create({extents});
          const Field host = random_field(g, subset, precision, 5), field = converted(host, location);
          const auto sums = blas::slice_norms(field, Queue(location));
          ASSERT_EQ(sums.size(), static_cast<std::size_t>(batch * extents[3]));
          std::vector<long double> expected(sums.size());
          for (int slot = 0; slot < batch; ++slot)
            for (int parity = 0; parity < 2; ++parity)
              for (int s = 0; host.holds(parity) && s < host.layout().sites; ++s)
                for (int k = 0; k < 12; ++k)
                  expected[static_cast<std::size_t>(slot * extents[3] +
                                                    g->shape().coordinates(parity, s).x[3])] +=
                      std::norm(at(host, slot, parity, s, k));
          for (std::size_t i = 0; i < sums.size(); ++i) {
            const double got = sums[i].round(), want = static_cast<double>(expected[i]);
            if (static_cast<int>(i) / extents[3] == inactive) {
              EXPECT_TRUE(std::isnan(got));  // here all take part
            } else {
              EXPECT_NEAR(got, want, 1e-14 * want);
            }
          }
        }
}

// The coefficients may be changed at once, and more updates be in flight than the workspace has places for.
TEST(Blas, ManyUpdatesInFlight) {
  for (const Location location : test::locations()) {
    const auto g = Geometry::create({{4, 4, 4, 4}});
    const auto spec = spinor_spec(Subset::full, 1, Precision::double_precision, Location::host);
    Field one(g, spec);
    set_real(one, 0, 1, 17, 0, 1);
    const Field x = converted(one, location);
    Field y = converted(Field(g, spec), location);
    const Queue queue(location);
    blas::Workspace work(queue, 1);
    std::vector<blas::Coefficients> c(1);
    for (int i = 1; i <= 100; ++i) {
      c[0].value[0] = i;
      c[0].value[1] = -2 * i;
      blas::update<blas::Axpy>(work, c, {&x, &y});
    }
    queue.synchronize();
    EXPECT_EQ(at(converted(y, Location::host), 0, 1, 17, 0), Z(5050, -10100));
  }
}

}  // namespace
}  // namespace plaq
