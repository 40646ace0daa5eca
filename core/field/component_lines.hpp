// Single complex numbers of sites as ScalarComponents has them, for inner loops: what depends on a site and a
// right-hand side alone is worked out once, and is a line of components.
#pragma once

#include <type_traits>

#include "core/algebra/complex.hpp"
#include "core/field/field_views.hpp"
#include "core/field/fixed8.hpp"
#include "core/field/layout.hpp"

namespace plaq {

// A complex number as it is stored, read at once.
template <class S>
struct alignas(2 * sizeof(S)) StoredComplex {
  S re, im;
};
// Storage by Fixed16 and Fixed8 integers.
template <class T, class S>
PLAQ_HD Complex<T> from_storage(const StoredComplex<S>& z) {
  if constexpr (std::is_same_v<S, Fixed16>) {
    std::uint32_t both;
    __builtin_memcpy(&both, &z, sizeof(both));
    return {from_storage<T>(S{static_cast<std::uint16_t>(both)}),
            from_storage<T>(S{static_cast<std::uint16_t>(both >> 16)})};
  } else {
    return {from_storage<T>(z.re), from_storage<T>(z.im)};
  }
}
template <class S>
PLAQ_HD const StoredComplex<S>& stored_complex(const S* at) {
  return *reinterpret_cast<const StoredComplex<S>*>(at);
}

template <class Target, class S>
struct ComponentLine {
  using T = Compute<S>;

  S* first;
  unsigned lanes, within, to_imaginary;  // as in Layout; chunk - 1

  // Loads component i.
  PLAQ_HD Complex<T> load(int i) const { return load_at(place(i)); }
  // Loads a component at a place that was computed before, for lines of one field.
  PLAQ_HD Complex<T> load_at(unsigned place) const {
    const S* at = first + place;
    if constexpr (std::is_same_v<Target, Device>) return from_storage<T>(stored_complex(at));
    return {from_storage<T>(at[0]), from_storage<T>(at[to_imaginary])};
  }
  PLAQ_HD unsigned place(int i) const {
    const unsigned real = 2 * static_cast<unsigned>(i), in = real & within;
    return (real - in) * lanes + in;
  }
  PLAQ_HD void store(int i, const Complex<T>& z, T steps = T(1)) const {
    S* at = first + place(i);
    at[0] = to_storage<S>(z.re, steps);
    at[to_imaginary] = to_storage<S>(z.im, steps);
  }
  // number(i) for begin <= i < end, of which begin is a multiple of a chunk's:
  // a device moves 16 bytes at once.
  template <class Number>
  PLAQ_HD void store_all(int begin, int end, const Number& number, T steps) const {
    constexpr int at_once = 8 / static_cast<int>(sizeof(S));
    if (std::is_same_v<Target, Device> && (within + 1) * sizeof(S) == 16) {
      for (int i = begin; i < end; i += at_once) {
        struct alignas(16) Chunk {
          StoredComplex<S> z[at_once];
        } chunk;
        for (int k = 0; k < at_once; ++k) {
          const Complex<T> z = number(i + k);
          chunk.z[k] = {to_storage<S>(z.re, steps), to_storage<S>(z.im, steps)};
        }
        *reinterpret_cast<Chunk*>(first + place(i)) = chunk;
      }
    } else {
      for (int i = begin; i < end; ++i) store(i, number(i), steps);
    }
  }
};

template <class Target, class S>
class ComponentLines {
 public:
  using T = Compute<S>;
  using Line = ComponentLine<Target, S>;
  static constexpr bool with_scale = sizeof(S) <= 2;

  ComponentLines() = default;
  // View of sites of one parity; subfield_stride in units of S. On a device a complex number is within a
  // chunk.
  ComponentLines(void* data, std::size_t subfield_stride, const Layout& layout)
      : data_(static_cast<S*>(data)), stride_(subfield_stride), layout_(layout) {}
  PLAQ_HD explicit operator bool() const { return data_ != nullptr; }

  PLAQ_HD Line line(int subfield, int site) const {
    return {at(subfield) + layout_.offset(site, 0), static_cast<unsigned>(layout_.lanes),
            static_cast<unsigned>(layout_.chunk - 1),
            layout_.chunk == 1 ? static_cast<unsigned>(layout_.lanes) : 1u};
  }
  // A number of a site and its scale, from the start of a subfield: the same for all
  // right-hand sides; sites fastest.
  struct Place {
    std::size_t number, scale;
    unsigned to_imaginary;
  };
  PLAQ_HD const S* subfield(int k) const { return at(k); }
  PLAQ_HD Place place(int site, int i) const {
    const Line line{nullptr, static_cast<unsigned>(layout_.lanes), static_cast<unsigned>(layout_.chunk - 1),
                    1};
    return {layout_.offset(site, 0) + line.place(i), layout_.scale_offset(site),
            layout_.chunk == 1 ? static_cast<unsigned>(layout_.lanes) : 1u};
  }
  static PLAQ_HD Complex<T> load(const S* subfield, const Place& at) {
    const Line line{const_cast<S*>(subfield + at.number), 0, 0, at.to_imaginary};
    T unit = T(1);
    if constexpr (with_scale) unit = static_cast<T>(*reinterpret_cast<const float*>(subfield + at.scale));
    return plaq::scale(unit, line.load_at(0));
  }
  // Component `i` of the first right-hand side at a site, for layouts in which right-hand sides are fastest.
  // Right-hand side k is 2 k further.
  PLAQ_HD const S* column(int site, int i) const { return data_ + layout_.offset(site, 2 * i); }
  PLAQ_HD std::size_t column_stride() const { return 2 * static_cast<std::size_t>(layout_.lanes); }
  // Unit of the stored numbers.
  PLAQ_HD T scale(int subfield, int site) const {
    if constexpr (with_scale) return static_cast<T>(*scale_at(subfield, site));
    return T(1);
  }
  // Sets the scale, like ScalarComponents.
  PLAQ_HD T set_scale(int subfield, int site, T most) const {
    if constexpr (with_scale)
      *scale_at(subfield, site) = static_cast<float>(most * (T(1) / T(fixed_steps<S>)));
    return steps(most);
  }
  // Returns the result of set_scale() without setting the scale.
  PLAQ_HD T steps([[maybe_unused]] T most) const {
    if constexpr (with_scale) return steps_of<S>(most);
    return T(1);
  }

 private:
  PLAQ_HD S* at(int subfield) const { return data_ + static_cast<std::size_t>(subfield) * stride_; }
  PLAQ_HD float* scale_at(int subfield, int site) const {
    return reinterpret_cast<float*>(at(subfield) + layout_.scale_offset(site, subfield));
  }

  S* data_ = nullptr;
  std::size_t stride_ = 0;
  Layout layout_;
};

// Lines of the sites of one parity; closed if the field does not hold it.
template <class Target, class S>
ComponentLines<Target, S> component_lines(const Field& field, int parity) {
  expect_components<Target, S>(field);
  if (!field.holds(parity)) return {};
  return {field.data(0, parity), field.subfield_stride(), field.layout()};
}
// Lines of a slice of the fifth dimension: subfields are right-hand sides.
template <class Target, class S>
ComponentLines<Target, S> slice_lines(const Field& field, int parity, int slice) {
  expect_components<Target, S>(field);
  if (!field.holds(parity)) return {};
  return {field.data(slice, parity), field.Ls() * field.subfield_stride(), field.layout()};
}

}  // namespace plaq
