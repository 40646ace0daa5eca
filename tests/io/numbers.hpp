// Complex numbers in whatever holds them: columns [column][site] of spinors, color vectors or matrices.
#pragma once

#include "tests/support/convert.hpp"

namespace plaq::test {

// Calls visit(z) for every number.
template <class T, class Visit>
void for_numbers(T& all, const Visit& visit) {
  if constexpr (std::is_same_v<std::remove_const_t<T>, std::complex<double>>) {
    visit(all);
  } else if constexpr (requires { all.element; }) {  // a matrix
    for_numbers(all.element, visit);
  } else {
    for (auto& part : all) for_numbers(part, visit);
  }
}

// Converts to numbers of single precision.
template <class T>
T rounded(T all) {
  for_numbers(all, [](auto& z) { z = {static_cast<float>(z.real()), static_cast<float>(z.imag())}; });
  return all;
}

// Calls visit(subfield, parity, site of the parity, real, number) for all that this rank has of the columns.
template <class Columns, class Visit>
void for_stored_numbers(const Geometry& geometry, const Columns& columns, const Visit& visit) {
  for_stored_sites(geometry, [&](int parity, int s, int site) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      int r = 0;
      for_numbers(columns[k][site], [&](const auto& z) {
        for (const double part : {z.real(), z.imag()}) visit(static_cast<int>(k), parity, s, r++, part);
      });
    }
  });
}

template <class Columns>
Field field_of_columns(const GeometryPtr& geometry, const FieldSpec& spec, const Columns& columns) {
  Field field(geometry, spec);
  for_stored_numbers(*geometry, columns, [&](int subfield, int parity, int s, int r, double number) {
    if (field.holds(parity)) set_real(field, subfield, parity, s, r, number);
  });
  return field;
}

// Numbers of the field on this rank that are not these, in the field's precision.
template <class Columns>
int different_numbers(const Field& field, const Columns& columns) {
  const bool single = field.precision() == Precision::single_precision;
  int different = 0;
  for_stored_numbers(field.geometry(), columns, [&](int subfield, int parity, int s, int r, double number) {
    if (!field.holds(parity)) return;
    const double kept = single ? static_cast<double>(static_cast<float>(number)) : number;
    different += get_real(field, subfield, parity, s, r) != kept;
  });
  return different;
}

// The largest difference of a number of this rank from these.
template <class Columns>
double largest_difference(const Field& field, const Columns& columns) {
  double largest = 0;
  for_stored_numbers(field.geometry(), columns, [&](int subfield, int parity, int s, int r, double number) {
    if (field.holds(parity))
      largest = std::max(largest, std::abs(get_real(field, subfield, parity, s, r) - number));
  });
  return largest;
}

// Big-endian numbers of `precision` (32 or 64) bits: x fastest, [column] and
// what it has at a site, re and im.
template <class Columns>
std::string big_endian_bytes(const Columns& columns, int precision) {
  std::string bytes;
  const auto put = [&](auto number, auto word) {
    static_assert(sizeof number == sizeof word);
    std::memcpy(&word, &number, sizeof word);
    for (std::size_t i = sizeof word; i-- > 0;) bytes.push_back(static_cast<char>(word >> 8 * i & 0xff));
  };
  for (std::size_t site = 0; site < columns[0].size(); ++site)
    for (const auto& column : columns)
      for_numbers(column[site], [&](const auto& z) {
        for (const double part : {z.real(), z.imag()})
          precision == 32 ? put(static_cast<float>(part), std::uint32_t{}) : put(part, std::uint64_t{});
      });
  return bytes;
}

}  // namespace plaq::test
