// A kernel's window on N reals a site in `subfields` (right-hand sides, link directions): loads them into
// registers and stores them back. Layout appears here and in layout.hpp only.
//
// SiteArray<Target, T, N, S, SiteScale>: computes in T, stores S (T itself, another precision, or Fixed16).
// SiteScale: each site has a factor of its own (core/field/fixed16.hpp).
//   load       the numbers
//   load_raw   the numbers divided by the factor that is returned, as they are stored: kernels that multiply
//   the
//              result by a weight anyway save the multiplications. The factor is 1 unless `scaled`.
//   load_offset  the same plus `offset` in every component: saves a subtraction each where something cancels
//   it store      the numbers; with a scale the largest magnitude of the site sets it store_raw  the
//   numbers divided by `factor`, and the factor (with a scale only, S not Fixed16)
#pragma once

#if defined(__CUDACC__)
#include "core/field/site_array_device.hpp"
#else
#include "core/field/site_array_host.hpp"
#endif
