// The launches behind smearing of staggered quarks for one machine, in double precision. All fields live on
// one extended geometry; of what is read the halo of depth 2 is filled, of
// what is written the owned sites are.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

// W_i(x) = U_i(x) U_i(x+i), i = x, y, z; that of t is left alone.
template <class Target>
void launch_two_links(const Field& gauge, Field& product, const Queue& queue);
// out = a in + b sum_i [ W_i(x) in(x+2i) + W_i(x-2i)^dagger in(x-2i) ], of all subfields.
template <class Target>
void launch_two_link_step(const Field& two_links, const Field& in, Field& out, double a, double b,
                          const Queue& queue);

}  // namespace plaq
