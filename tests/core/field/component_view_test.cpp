// Views of single components and of blocks of matrices, against the copies of fields on the host.

#include "core/launch/dispatch.hpp"
#include "tests/core/field/component_view_kernel.hpp"
#include "tests/core/field/field_support.hpp"
#include "tests/support/locations.hpp"

namespace plaq {
namespace {

using test::both_orders;
using test::copied;
using test::with;

constexpr Precision precisions[] = {Precision::half_precision, Precision::single_precision,
                                    Precision::double_precision};

Field random_field(const GeometryPtr& g, const FieldSpec& spec) {
  Field f(g, spec);
  std::mt19937 generator(11);
  test::for_reals(f, [&](int subfield, int parity, int s, int r) {
    set_real(f, subfield, parity, s, r, std::uniform_real_distribution<float>(-3, 3)(generator));
  });
  return f;
}

// Launches run(kind, to, from, queue) for every precision, location and pair of orders, where `from` has
// random numbers in the precision that is computed in; real r of what comes out must
// be real place(r) of what went in.
template <class Run, class Place>
void expect_moved(FieldSpec spec, Run&& run, Place&& place) {
  const auto g = Geometry::create({{4, 2, 2, 6}});
  for (const Location location : test::locations())
    for (const Precision precision : precisions)
      for (const Order to_order : both_orders)
        for (const Order from_order : both_orders) {
          SCOPED_TRACE(std::string(name_of(precision)) + " " + std::string(name_of(location)) + " " +
                       std::to_string(static_cast<int>(from_order)) + " to " +
                       std::to_string(static_cast<int>(to_order)));
          const Precision computed =
              precision == Precision::half_precision ? Precision::single_precision : precision;
          const FieldSpec here = with(spec, computed, Location::host, Order::sites_fastest),
                          stored = with(here, precision, Location::host);
          const Field numbers = random_field(g, here),
                      from = copied(numbers, with(here, computed, location, from_order)),
                      to(g, with(here, precision, location, to_order));
          const Queue queue(location);
          dispatch_storage(location, precision, [&](auto kind) { run(kind, to, from, queue); });
          queue.synchronize();
          const Field expected = copied(numbers, stored);
          test::expect_reals(copied(to, stored), [&](int subfield, int parity, int s, int r) {
            return get_real(expected, subfield, parity, s, place(r));
          });
        }
}

TEST(ComponentView, CopiesFieldsOfEveryShapeAndOrder) {
  for (const auto& [components, rhs] : {std::pair{4, 1}, {5, 3}, {24, 12}, {64, 2}, {4, 64}})
    expect_moved(
        coarse_spec(Subset::odd, components, rhs, Precision::double_precision, Location::host),
        [](auto kind, const Field& to, const Field& from, const Queue& queue) {
          using K = decltype(kind);
          test::launch_copy_components<typename K::target, typename K::scalar>(to, from, queue);
        },
        [](int r) { return r; });
}

TEST(MatrixView, TransposesInBlocks) {
  for (const int extent : {4, 12})
    expect_moved(
        {Subset::full, extent, extent, 3, Precision::double_precision, Location::host},
        [](auto kind, const Field& to, const Field& from, const Queue& queue) {
          using K = decltype(kind);
          test::launch_transpose<typename K::target, typename K::scalar>(to, from, queue);
        },
        [extent](int r) {
          const int row = r / 2 / extent, column = r / 2 % extent;
          return 2 * (column * extent + row) + r % 2;
        });
}

}  // namespace
}  // namespace plaq
