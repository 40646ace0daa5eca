// The launches behind asqtad links for one machine and precision. All fields live on one extended geometry;
// `gauge` has a filled halo of depth 2, of the others the owned sites are written.
#pragma once

#include "core/field/field.hpp"
#include "kernels/gauge/asqtad_links.hpp"

namespace plaq {

template <class Target, class T>
void launch_fat_links(const Field& gauge, Field& fat, const AsqtadCoefficients& coefficients,
                      const Queue& queue);
// `links`, which `fat` was made of, become the unitary factors of `fat`; where
// these are not defined they stay.
template <class Target, class T>
void launch_unitary_links(const Field& fat, Field& links, const Queue& queue);
template <class Target, class T>
void launch_three_links(const Field& gauge, Field& product, const Queue& queue);

}  // namespace plaq
