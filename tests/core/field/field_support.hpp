// Walks over the reals of a field, and fields whose reals are known.
#pragma once

#include "core/field/field.hpp"
#include "tests/support/test.hpp"

namespace plaq::test {

// Calls visit(subfield, parity, checkerboard index, real).
template <class Visit>
void for_reals(const Field& f, Visit&& visit) {
  for (int subfield = 0; subfield < f.subfields(); ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; f.holds(parity) && s < f.layout().sites; ++s) {
        if (testing::Test::HasFatalFailure()) return;  // one bad site says enough
        for (int r = 0; r < f.reals_per_site(); ++r) visit(subfield, parity, s, r);
      }
}

inline constexpr Precision both_precisions[] = {Precision::single_precision, Precision::double_precision};
inline constexpr Order both_orders[] = {Order::sites_fastest, Order::right_hand_sides_fastest};

// A field on the host in which every real is another number, exact in single precision.
inline double number(const Field& f, int subfield, int parity, int site, int real) {
  return ((subfield * 2 + parity) * f.layout().sites + site) * f.reals_per_site() + real + 0.5;
}
inline Field numbered(const GeometryPtr& g, FieldSpec spec) {
  spec.location = Location::host;
  Field f(g, spec);
  for_reals(f, [&](int subfield, int parity, int s, int r) {
    set_real(f, subfield, parity, s, r, number(f, subfield, parity, s, r));
  });
  return f;
}

inline Field copied(const Field& from, const FieldSpec& spec) {
  Field to(from.geometry_ptr(), spec);
  copy(to, from);
  return to;
}
inline FieldSpec with(FieldSpec spec, Precision precision, Location location) {
  spec.precision = precision;
  spec.location = location;
  return spec;
}
inline FieldSpec with(FieldSpec spec, Precision precision, Location location, Order order) {
  spec.order = order;
  return with(spec, precision, location);
}

// Real by real; expected(subfield, parity, checkerboard index, real).
template <class Expected>
void expect_reals(const Field& f, const Expected& expected) {
  for_reals(f, [&](int subfield, int parity, int s, int r) {
    ASSERT_EQ(get_real(f, subfield, parity, s, r), expected(subfield, parity, s, r));
  });
}
inline void expect_numbers_of(const Field& f, const Field& original) {
  expect_reals(
      f, [&](int subfield, int parity, int s, int r) { return number(original, subfield, parity, s, r); });
}

}  // namespace plaq::test
