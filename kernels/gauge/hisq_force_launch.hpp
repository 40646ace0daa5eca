// The launches behind kernels/gauge/hisq_smearer.hpp for one machine, in double precision. Fields live on one
// extended geometry; the owned sites are written.
#pragma once

#include "core/field/field.hpp"
#include "core/sums/sum_buffer.hpp"
#include "kernels/gauge/asqtad_links.hpp"

namespace plaq {

// Work space of fat links and their chain rule: matrices of a site for each direction of a staple, one
// direction of links at a time (kernels/site/fat_link_gradient.hpp).
struct FatLinkSpace {
  Field staples, sides, gradient_staples, gradient_sides;
};

// kernels/site/fat_link_gradient.hpp, u3_adjoint.hpp
template <class Target>
struct HisqForceLaunch {
  // sum <- sum + the gradient on links of the gradient on their fat links. `links` and `gradient` have a
  // filled halo of depth 2.
  static void fat_links(Field& sum, const Field& gradient, const Field& links,
                        const AsqtadCoefficients& coefficients, FatLinkSpace& space, const Queue& queue);
  // sum <- sum + that of the gradient on three-link products. `links` and `gradient` have a filled halo of
  // depth 2, that of the gradient without corners.
  static void three_links(Field& sum, const Field& gradient, const Field& links, const Queue& queue);
  // From the gradient on the unitary factors of fat links to that on the fat links, in its place. Adds the
  // number of links that the filter acts on.
  static void unitary_links(Field& gradient, const Field& fat, const Field& unitary, double filter,
                            const Queue& queue, SumBuffer& filtered);
  // to <- keep to + weight from^dagger; `to` may be `from`.
  static void add_adjoint(Field& to, const Field& from, double keep, double weight, const Queue& queue);
  // to <- to + weight from
  static void add(Field& to, const Field& from, double weight, const Queue& queue);
  // F <- F - TA(U G^dagger)/2
  static void force(Field& force, const Field& gradient, const Field& links, const Queue& queue);
};

}  // namespace plaq
