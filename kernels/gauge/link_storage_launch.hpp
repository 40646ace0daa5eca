// The launches of link_storage.cpp for one machine and storage.
#pragma once

#include "core/field/field.hpp"
#include "kernels/site/link_compression.hpp"

namespace plaq {

// `gauge` in double precision, 18 reals, at the location of `stored`.
template <class Target, class S, int Reconstruction>
void launch_link_compression(Field& stored, const Field& gauge, const ColorRotation& rotation,
                             const Queue& queue);
template <class Target, class S, int Reconstruction>
double launch_link_deviation(const Field& stored, const Field& gauge, const ColorRotation& rotation,
                             const Queue& queue);
// Largest |r - 1| on the diagonal, |r| elsewhere, of the stored rows of U_t on this rank's first `slices`
// slices in t, in units of the storage: 0 where they are exactly 1. Of 18 or 12 reals; NaN where one is.
template <class Target, class S, int Reconstruction>
double launch_time_link_deviation(const Field& stored, int slices, const Queue& queue);
template <class Target, class S>
void launch_rotate_color(Field& out, const Field& in, int parity, const ColorRotation& rotation, bool dagger,
                         const ActiveSet& active, const Queue& queue);

// "half 12"
constexpr std::string_view storage_text(Precision precision, int reconstruction) {
  constexpr std::string_view texts[3][3] = {{"single 18", "single 12", "single 8"},
                                            {"double 18", "double 12", "double 8"},
                                            {"half 18", "half 12", "half 8"}};
  return texts[static_cast<int>(precision)][reconstruction == 18 ? 0 : reconstruction == 12 ? 1 : 2];
}

// Calls f with the reconstruction as std::integral_constant.
template <class F>
decltype(auto) with_reconstruction(int reconstruction, F&& f) {
  switch (reconstruction) {
    case 18:
      return f(std::integral_constant<int, 18>{});
    case 12:
      return f(std::integral_constant<int, 12>{});
    case 8:
      return f(std::integral_constant<int, 8>{});
    default:
      throw Error(ErrorKind::internal, "links are stored as 18, 12 or 8 reals");
  }
}

}  // namespace plaq
