// Fields with right-hand sides fastest: where they have their numbers, and copies from and to the other
// order.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "core/field/field.hpp"
#include "core/field/halo_planes.hpp"
#include "core/system/error.hpp"
#include "tests/core/field/field_support.hpp"
#include "tests/support/locations.hpp"

namespace plaq {
namespace {

using test::for_reals;

constexpr Order orders[] = {Order::sites_fastest, Order::right_hand_sides_fastest};

double number(const Field& f, int subfield, int parity, int site, int real) {
  return ((subfield * 2 + parity) * f.layout().sites + site) * f.reals_per_site() + real + 0.5;
}
Field numbered(const GeometryPtr& g, const FieldSpec& spec) {
  Field f(g, spec);
  for_reals(f, [&](int subfield, int parity, int s, int r) {
    set_real(f, subfield, parity, s, r, number(f, subfield, parity, s, r));
  });
  return f;
}
FieldSpec spec_of(int components, int rhs, Precision precision, Location location, Order order) {
  return coarse_spec(Subset::full, components, rhs, precision, location, order);
}

// [parity][site][component][right-hand side], these padded to a multiple of 8, and complex numbers in one
// piece.
TEST(FieldOrder, RightHandSidesAreBesideEachOther) {
  const auto g = Geometry::create({{4, 2, 2, 6}});
  for (const int rhs : {1, 3, 8, 12, 64}) {
    const Field f = numbered(
        g, spec_of(5, rhs, Precision::single_precision, Location::host, Order::right_hand_sides_fastest));
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
  for (const int bytes : {2, 4, 8})
    for (const bool with_scale : {false, true})
      for (const int rhs : {1, 7, 8, 13}) {
        if (with_scale != (bytes == 2)) continue;
        const int sites = 9, reals = 10;
        const Layout layout =
            Layout::right_hand_sides_fastest(Location::host, reals, sites, rhs, bytes, with_scale);
        std::vector<char> used(layout.size(), 0);
        for (int k = 0; k < rhs; ++k)
          for (int s = 0; s < sites; ++s) {
            const auto start = static_cast<std::size_t>(2 * k);
            for (int r = 0; r < reals; ++r) ASSERT_EQ(used.at(start + layout.offset(s, r))++, 0);
            if (!with_scale) continue;
            const std::size_t scale = start + layout.scale_offset(s);
            ASSERT_EQ(scale % 2, 0U);
            ASSERT_EQ(used.at(scale)++, 0);
            ASSERT_EQ(used.at(scale + 1)++, 0);
          }
      }
}

TEST(FieldOrder, CopiesBetweenOrdersPrecisionsAndLocations) {
  const auto g = Geometry::create({{4, 2, 2, 6}});
  for (const auto& [components, rhs] : {std::pair{4, 1}, {7, 12}, {64, 2}, {3, 64}}) {
    const Field original = numbered(
        g, spec_of(components, rhs, Precision::double_precision, Location::host, Order::sites_fastest));
    for (const Precision precision : {Precision::single_precision, Precision::double_precision})
      for (const Location location : test::locations())
        for (const Order first : orders)
          for (const Order second : orders) {
            Field here(g, spec_of(components, rhs, precision, location, first)),
                there(g, spec_of(components, rhs, precision, location, second)), back(g, original.spec());
            copy(here, original);
            copy(there, here);
            copy(back, there);
            for_reals(back, [&](int k, int parity, int s, int r) {
              ASSERT_EQ(get_real(back, k, parity, s, r), number(original, k, parity, s, r));
            });
          }
  }
}

// Half precision keeps integers and scales from one order to the other, and on a device.
TEST(FieldOrder, HalfPrecisionKeepsItsBits) {
  const auto g = Geometry::create({{4, 2, 2, 6}});
  const auto half = Precision::half_precision;
  const Field numbers =
      numbered(g, spec_of(6, 5, Precision::double_precision, Location::host, Order::sites_fastest));
  Field plain(g, spec_of(6, 5, half, Location::host, Order::sites_fastest)), back(g, plain.spec());
  copy(plain, numbers);
  for (const Location location : test::locations()) {
    Field other(g, spec_of(6, 5, half, location, Order::right_hand_sides_fastest));
    copy(other, plain);
    copy(back, other);
    for_reals(back, [&](int k, int parity, int s, int r) {
      ASSERT_EQ(get_real(back, k, parity, s, r), get_real(plain, k, parity, s, r));
    });
  }
}

TEST(FieldOrder, CopiesOneParity) {
  const auto g = Geometry::create({{4, 2, 2, 6}});
  const auto order = Order::right_hand_sides_fastest;
  const Field from = numbered(g, spec_of(4, 9, Precision::single_precision, Location::host, order));
  Field to(g, from.spec());
  copy_parity(to, from, 1, Queue(Location::host));
  for_reals(to, [&](int k, int parity, int s, int r) {
    ASSERT_EQ(get_real(to, k, parity, s, r), parity == 1 ? number(from, k, parity, s, r) : 0);
  });
}

// What knows sites fastest alone says so.
TEST(FieldOrder, IsRefusedWhereItIsNotKnown) {
  const auto g = Geometry::create({{4, 2, 2, 6}});
  auto spec = spinor_spec(Subset::full, 2, Precision::single_precision, Location::host);
  spec.order = Order::right_hand_sides_fastest;
  Field f(g, spec), other(g, spec);
  EXPECT_THROW(expect(f, Location::host, Precision::single_precision, 4, 3), Error);
  EXPECT_THROW(copy_subfield(f, 0, other, 1), Error);
  EXPECT_THROW(copy_halo_planes(f, HaloPlanes{}, nullptr, true, Queue(Location::host)), Error);
  FieldSpec odd{Subset::full, 1, 1, 2, Precision::single_precision, Location::host, 5};
  odd.order = Order::right_hand_sides_fastest;
  EXPECT_THROW(Field(g, odd), Error);
}

}  // namespace
}  // namespace plaq
