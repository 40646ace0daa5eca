// Arrays of numpy with numbers on the sites of a lattice, and what is done with them: Fourier transforms, which fields have too, and
// halos.
#pragma once

#include <nanobind/nanobind.h>

namespace plaq::python {

/// fft() and Lattice.with_halo(). Call it after the classes Lattice, QuarkField and GaugeTransformation are bound.
void bind_site_arrays(nanobind::module_& module);

}  // namespace plaq::python
