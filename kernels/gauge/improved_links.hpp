// The steps and the launches that make links of asqtad and HISQ fermions.
#pragma once

#include "core/field/field.hpp"
#include "kernels/gauge/asqtad_links.hpp"

namespace plaq {

// Collective. Links on an extended geometry with a halo of depth 2 that is filled, at the queue's location,
// in the precision that is computed in. `gauge`: as asqtad_links() has it.
Field extended_links(const ProcessGrid& grid, const Field& gauge, Precision precision, const Queue& queue,
                     std::shared_ptr<Transport> transport);

// Fat links of these, on the owned sites. Queued.
Field fat_links(const Field& links, const AsqtadCoefficients& coefficients, const Queue& queue);

// Fat links and three-link products of these, on `geometry`, the one that is not extended. Waits for the end.
AsqtadLinks improved_links(const Field& links, const GeometryPtr& geometry,
                           const AsqtadCoefficients& coefficients, const Queue& queue);

// The launches for one machine and precision. All fields live on one extended geometry; `gauge` has a filled
// halo of depth 2, of the others the owned sites are written.
template <class Target, class T>
void launch_fat_links(const Field& gauge, Field& fat, const AsqtadCoefficients& coefficients,
                      const Queue& queue);
// `links`, which `fat` was made of, become the unitary factors of `fat`; where these are not defined they
// stay.
template <class Target, class T>
void launch_unitary_links(const Field& fat, Field& links, const Queue& queue);
template <class Target, class T>
void launch_three_links(const Field& gauge, Field& product, const Queue& queue);

}  // namespace plaq
