// Views of single components and of blocks of matrices, against the copies of fields on the host.
#include <gtest/gtest.h>

#include <random>

#include "core/launch/dispatch.hpp"
#include "tests/core/field/component_view_kernel.hpp"
#include "tests/core/field/field_support.hpp"
#include "tests/support/locations.hpp"

namespace plaq {
namespace {

using test::for_reals;

constexpr Precision precisions[] = {Precision::half_precision, Precision::single_precision,
                                    Precision::double_precision};
constexpr Order orders[] = {Order::sites_fastest, Order::right_hand_sides_fastest};

Field random_field(const GeometryPtr& g, FieldSpec spec) {
  spec.location = Location::host;
  spec.order = Order::sites_fastest;
  Field f(g, spec);
  std::mt19937 generator(11);
  for_reals(f, [&](int subfield, int parity, int s, int r) {
    set_real(f, subfield, parity, s, r, std::uniform_real_distribution<float>(-3, 3)(generator));
  });
  return f;
}

Field as(const Field& from, Precision precision, Location location, Order order) {
  FieldSpec spec = from.spec();
  spec.precision = precision;
  spec.location = location;
  spec.order = order;
  Field to(from.geometry_ptr(), spec);
  copy(to, from);
  return to;
}

// Calls run(kind) for what has to be launched.
template <class Run>
void for_all_kinds(Run&& run) {
  for (const Location location : test::locations())
    for (const Precision precision : precisions)
      for (const Order to : orders)
        for (const Order from : orders) {
          SCOPED_TRACE(std::string(name_of(precision)) + " " + std::string(name_of(location)) + " " +
                       std::to_string(static_cast<int>(from)) + " to " +
                       std::to_string(static_cast<int>(to)));
          run(location, precision, to, from);
        }
}

Precision computed_in(Precision p) {
  return p == Precision::half_precision ? Precision::single_precision : p;
}

TEST(ComponentView, CopiesFieldsOfEveryShapeAndOrder) {
  struct Shape {
    int components, rhs;
  };
  for (const Shape shape : {Shape{4, 1}, {5, 3}, {24, 12}, {64, 2}, {4, 64}})
    for_all_kinds([&](Location location, Precision precision, Order to_order, Order from_order) {
      const auto g = Geometry::create({{4, 2, 2, 6}});
      const Field numbers = random_field(
          g, coarse_spec(Subset::odd, shape.components, shape.rhs, computed_in(precision), Location::host));
      const Field from = as(numbers, computed_in(precision), location, from_order);
      auto spec = from.spec();
      spec.precision = precision;
      spec.order = to_order;
      const Field to(g, spec);
      const Queue queue(location);
      dispatch_storage(location, precision, [&](auto kind) {
        using K = decltype(kind);
        test::launch_copy_components<typename K::target, typename K::scalar>(to, from, queue);
      });
      queue.synchronize();
      const Field got = as(to, precision, Location::host, Order::sites_fastest),
                  expected = as(numbers, precision, Location::host, Order::sites_fastest);
      for_reals(got, [&](int subfield, int parity, int s, int r) {
        ASSERT_EQ(get_real(got, subfield, parity, s, r), get_real(expected, subfield, parity, s, r));
      });
    });
}

TEST(MatrixView, TransposesInBlocks) {
  for (const int extent : {4, 12})
    for_all_kinds([&](Location location, Precision precision, Order to_order, Order from_order) {
      const auto g = Geometry::create({{4, 2, 2, 6}});
      FieldSpec spec{Subset::full, extent, extent, 3, computed_in(precision), Location::host};
      const Field numbers = random_field(g, spec);
      const Field from = as(numbers, computed_in(precision), location, from_order);
      spec = from.spec();
      spec.precision = precision;
      spec.order = to_order;
      const Field to(g, spec);
      const Queue queue(location);
      dispatch_storage(location, precision, [&](auto kind) {
        using K = decltype(kind);
        test::launch_transpose<typename K::target, typename K::scalar>(to, from, queue);
      });
      queue.synchronize();
      const Field got = as(to, precision, Location::host, Order::sites_fastest),
                  expected = as(numbers, precision, Location::host, Order::sites_fastest);
      for_reals(got, [&](int subfield, int parity, int s, int r) {
        const int row = r / 2 / extent, column = r / 2 % extent;
        ASSERT_EQ(get_real(got, subfield, parity, s, r),
                  get_real(expected, subfield, parity, s, 2 * (column * extent + row) + r % 2));
      });
    });
}

}  // namespace
}  // namespace plaq
