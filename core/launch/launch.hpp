// The launch syntax of the tree. A functor names its machine (`using Arch = plaq::Arch<Target, T>`) and is
// called as
//   for_each(domain, queue, f, launch = {}):
//                                     f(site, inner)           launch: core/launch/launch_shape.hpp
//   reduce(domain, queue, f, sums, first = 0, blocks = 0):
//                                     f(site, inner, values)     values: RealDouble[F::sums], the site's own
//                                     terms, added exactly to sums[first + place * F::sums + k];
//                                     place = f.place(inner) where F has it, else inner. blocks: as many of a
//                                     device for each sum, where it is not 0
//   reduce_max(domain, queue, f):    f(site, inner, values)     values: RealDouble[F::maxima], not negative;
//   returns
//                                     the largest over sites and inner, NaN if any is NaN; waits for the
//                                     queue
//   for_each(lattice, queue, f):      f(parity, site, inner)          lattice: a LatticeDomain. On a device
//   reduce(lattice, queue, f, sums):  f(parity, site, inner, values)  a block of threads takes a small block
//                                     of the lattice with all inner indices, which add to the same sums
//   for_each_team(teams, queue, f):   f(team, index)             team: see core/launch/team.hpp
// A functor may bound its thread block: `static constexpr int block_size, min_blocks`. block_size threads are
// taken where a launch does not ask for fewer. `static constexpr bool sums_in_threads = true`: a thread of a
// device adds its values itself, where each has many sites and reduce() would spend its time on sums.
#pragma once

#include "core/lattice/domain.hpp"
#include "core/launch/queue.hpp"
#include "core/sums/sum_buffer.hpp"
#if defined(__CUDACC__)
#include "core/launch/launch_device.hpp"
#else
#include "core/launch/launch_host.hpp"
#endif
