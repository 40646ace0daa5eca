// A kernel's window on sites of any number of reals, known at run time: it loads and stores `Block` of them
// at a time. Where the number is known when the kernel is compiled, SiteArray does it in one
// (core/field/site_array.hpp).
//
// SiteShape<Target, S, SiteScale, Reals>: what the sites of all fields of one layout have in common.
//   reals()           of a site, an even number
//   place(index)      where a site is in its subfield
//   with_chunk(f)     calls f(chunk), chunk: what load and store move at once, known to the compiler
// SiteBlocks<Target, T, S, SiteScale, Block, Reals, ReadOnly>: computes in T, stores S.
//   load_packed  reals first ... first + Block - 1 as they are stored, in registers; 0 beyond the end of the
//                site
//   unpack       one of them, of Fixed16 divided by its scale
//   unpack_steps two of them, the integers of Fixed16
//   load_scale   a site's scale
//   store        numbers times `steps`, and nothing beyond the end of the site; store_scale: the site's scale
// Loads see what the same thread stored before, but with ReadOnly: then nothing is written while the kernel
// runs. To have many loads in flight, first load all that is packed, then unpack it. `Reals` is that number
// where a kernel is compiled for one after all; 0: it is not.
#pragma once

#if defined(__CUDACC__)
#include "core/field/site_blocks_device.hpp"
#else
#include "core/field/site_blocks_host.hpp"
#endif
