// Fields with right-hand sides fastest: where they have their numbers, and copies from and to the other
// order.

#include "core/field/field.hpp"
#include "core/field/stored_sites.hpp"
#include "core/system/error.hpp"
#include "tests/core/field/field_support.hpp"
#include "tests/support/locations.hpp"

namespace plaq {
namespace {

using test::both_orders;
using test::copied;
using test::expect_reals;
using test::for_reals;
using test::number;
using test::numbered;
using test::with;

const auto single = Precision::single_precision, twice = Precision::double_precision,
           half = Precision::half_precision;
const auto plain = Order::sites_fastest, fastest = Order::right_hand_sides_fastest;
const GeometryPtr g = Geometry::create({{4, 2, 2, 6}});

FieldSpec spec_of(int components, int rhs, Precision precision, Order order) {
  return coarse_spec(Subset::full, components, rhs, precision, Location::host, order);
}

// [parity][site][component][right-hand side], these padded to a multiple of 8, and complex numbers in one
// piece.
TEST(FieldOrder, RightHandSidesAreBesideEachOther) {
  for (const int rhs : {1, 3, 8, 12, 64}) {
    const Field f = numbered(g, spec_of(5, rhs, single, fastest));
    const int padded = (rhs + 7) / 8 * 8, sites = f.layout().sites;
    ASSERT_EQ(f.bytes(), sizeof(float) * static_cast<std::size_t>(2 * sites * 20 * padded));
    ASSERT_EQ(f.bytes(), field_bytes(*g, f.spec()));
    const auto* memory = static_cast<const float*>(f.data(0, 0));
    for_reals(f, [&](int k, int parity, int s, int r) {
      const int at = (((parity * sites + s) * 10 + r / 2) * padded + k) * 2 + r % 2;
      ASSERT_EQ(static_cast<double>(memory[at]), number(f, k, parity, s, r));
    });
  }
}

// Numbers and scales take places of their own, and fill all but the padding.
TEST(FieldOrder, LayoutIsABijection) {
  for (const int bytes : {1, 2, 4, 8})
    for (const bool with_scale : {false, true})
      for (const int rhs : {1, 7, 8, 13}) {
        if (with_scale != (bytes <= 2)) continue;
        const int sites = 9, reals = 10;
        const Layout layout =
            Layout::right_hand_sides_fastest(Location::host, reals, sites, rhs, bytes, with_scale);
        std::vector<char> used(layout.size(), 0);
        for (int k = 0; k < rhs; ++k)
          for (int s = 0; s < sites; ++s) {
            const auto start = static_cast<std::size_t>(2 * k);
            for (int r = 0; r < reals; ++r) ASSERT_EQ(used.at(start + layout.offset(s, r))++, 0);
            if (!with_scale) continue;
            const auto units = static_cast<std::size_t>(4 / bytes);
            const std::size_t scale = start + layout.scale_offset(s, k);
            ASSERT_EQ(scale % units, 0U);
            for (std::size_t unit = 0; unit < units; ++unit) ASSERT_EQ(used.at(scale + unit)++, 0);
          }
      }
}

TEST(FieldOrder, CopiesBetweenOrdersPrecisionsAndLocations) {
  for (const auto& [components, rhs] : {std::pair{4, 1}, {7, 12}, {64, 2}, {3, 64}}) {
    const Field original = numbered(g, spec_of(components, rhs, twice, plain));
    for (const Precision precision : {single, twice})
      for (const Location location : test::locations())
        for (const Order first : both_orders)
          for (const Order second : both_orders) {
            const Field here = copied(original, with(original.spec(), precision, location, first)),
                        there = copied(here, with(original.spec(), precision, location, second));
            test::expect_numbers_of(copied(there, original.spec()), original);
          }
  }
}

// Half precision keeps integers and scales from one order to the other, and on a device.
TEST(FieldOrder, HalfPrecisionKeepsItsBits) {
  const Field stored = copied(numbered(g, spec_of(6, 5, twice, plain)), spec_of(6, 5, half, plain));
  for (const Location location : test::locations()) {
    const Field other = copied(stored, with(stored.spec(), half, location, fastest));
    expect_reals(copied(other, stored.spec()),
                 [&](int k, int parity, int s, int r) { return get_real(stored, k, parity, s, r); });
  }
}

TEST(FieldOrder, CopiesOneParity) {
  const Field from = numbered(g, spec_of(4, 9, single, fastest));
  Field to(g, from.spec());
  copy_parity(to, from, 1, Queue(Location::host));
  expect_reals(
      to, [&](int k, int parity, int s, int r) { return parity == 1 ? number(from, k, parity, s, r) : 0; });
}

// Code that takes fields with sites fastest alone says so.
TEST(FieldOrder, IsRefusedWhereItIsNotKnown) {
  auto spec = spinor_spec(Subset::full, 2, Precision::single_precision, Location::host);
  spec.order = Order::right_hand_sides_fastest;
  Field f(g, spec), other(g, spec);
  EXPECT_THROW(expect(f, Location::host, Precision::single_precision, 4, 3), Error);
  EXPECT_THROW(copy_subfield(f, 0, other, 1), Error);
  EXPECT_THROW(copy_halo_planes(f, HaloPlanes{}, {}, true, Queue(Location::host)), Error);
  FieldSpec odd{Subset::full, 1, 1, 2, Precision::single_precision, Location::host, 5};
  odd.order = Order::right_hand_sides_fastest;
  EXPECT_THROW(Field(g, odd), Error);
}

}  // namespace
}  // namespace plaq
