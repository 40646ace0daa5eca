// Single complex numbers of sites, one site at a time on both machines: for teams (core/launch/team.hpp),
// whose members are no lanes. Fields of any shape, order of memory and storage S.
#pragma once

#include "core/algebra/complex.hpp"
#include "core/field/fixed16.hpp"
#include "core/field/layout.hpp"

namespace plaq {

template <class S>
class ScalarComponents {
 public:
  using T = Compute<S>;
  static constexpr bool with_scale = sizeof(S) == 2;

  ScalarComponents() = default;
  // Components of sites of one parity; subfield_stride in units of S.
  ScalarComponents(void* data, std::size_t subfield_stride, const Layout& layout)
      : data_(static_cast<S*>(data)), stride_(subfield_stride), layout_(layout) {}
  PLAQ_HD explicit operator bool() const { return data_ != nullptr; }

  PLAQ_HD int components() const { return layout_.reals / 2; }

  PLAQ_HD Complex<T> load(int subfield, int site, int component) const {
    const S* at = subfield_at(subfield);
    const T factor = with_scale ? static_cast<T>(*scale(subfield, site)) : T(1);
    return {from_storage<T>(at[layout_.offset(site, 2 * component)]) * factor,
            from_storage<T>(at[layout_.offset(site, 2 * component + 1)]) * factor};
  }
  // `steps`: as set_scale() says; 1 where there are no scales.
  PLAQ_HD void store(int subfield, int site, int component, const Complex<T>& z, T steps = T(1)) const {
    S* at = subfield_at(subfield);
    at[layout_.offset(site, 2 * component)] = to_storage<S>(z.re, steps);
    at[layout_.offset(site, 2 * component + 1)] = to_storage<S>(z.im, steps);
  }
  // Sets the scale of a site whose largest magnitude is `most`, before its components are stored.
  PLAQ_HD T set_scale(int subfield, int site, T most) const {
    if constexpr (!with_scale) {
      return T(1);
    } else {
      *scale(subfield, site) = static_cast<float>(most * (T(1) / T(fixed16_steps)));
      return steps_for(most);
    }
  }

 private:
  PLAQ_HD S* subfield_at(int subfield) const { return data_ + static_cast<std::size_t>(subfield) * stride_; }
  PLAQ_HD float* scale(int subfield, int site) const {
    return reinterpret_cast<float*>(subfield_at(subfield) + layout_.scale_offset(site));
  }

  S* data_ = nullptr;
  std::size_t stride_ = 0;
  Layout layout_;
};

}  // namespace plaq
