// The steps and the launches that make links of asqtad and HISQ fermions.
#pragma once

#include "core/field/field.hpp"
#include "kernels/gauge/asqtad_links.hpp"

namespace plaq {

// Collective. Links on an extended geometry with a halo of depth 2 that is filled, at the queue's location,
// in the precision that is computed in: a copy unless `gauge` is such links. `gauge`: as asqtad_links() has
// it.
Field extended_links(const ProcessGrid& grid, const Field& gauge, Precision precision, const Queue& queue,
                     std::shared_ptr<Transport> transport);

// Fat links of these, which are unitary, on the owned sites. Waits for the end.
Field fat_links(const Field& links, const AsqtadCoefficients& coefficients, const Queue& queue);

// Fat links and three-link products of these, on `geometry`, the one that is not extended. Waits for the end.
AsqtadLinks improved_links(const Field& links, const GeometryPtr& geometry,
                           const AsqtadCoefficients& coefficients, const Queue& queue);

// The launches for one machine and precision. All fields live on one extended geometry; `gauge` has a filled
// halo of depth 2, of `fat` and `product` the owned sites are written. `staples` and `sides` are work space:
// fields of three matrices a site, overwritten for each direction (kernels/site/asqtad_link.hpp).
template <class Target, class T>
void launch_fat_links(const Field& gauge, Field& staples, Field& sides, Field& fat,
                      const AsqtadCoefficients& coefficients, const Queue& queue);
// The unitary factors of `fat`, which was made of `links`, and where these are not defined the links.
// `unitary` may be `fat`.
template <class Target, class T>
void launch_unitary_links(const Field& links, const Field& fat, Field& unitary, const Queue& queue);
template <class Target, class T>
void launch_three_links(const Field& gauge, Field& product, const Queue& queue);

}  // namespace plaq
