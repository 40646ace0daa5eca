// Numbers of fields as arrays of numpy, or through DLPack for cupy, torch and others.
#pragma once

#include <nanobind/nanobind.h>

#include <complex>
#include <vector>

#include "core/field/stored_sites.hpp"
#include "plaq/correlators.hpp"
#include "python/bindings/arguments.hpp"

namespace plaq::python {

// A copy in numpy, of any C++ numbers.
nanobind::object numpy_of(const std::vector<double>& numbers, const std::vector<std::size_t>& shape);
nanobind::object numpy_of(const std::vector<std::int64_t>& numbers, const std::vector<std::size_t>& shape);
nanobind::object numpy_of(const std::vector<std::complex<double>>& numbers,
                          const std::vector<std::size_t>& shape);

/// Correlators at momenta: [momentum][t], or [t] for one momentum.
nanobind::object array_of_momenta(const std::vector<Correlator>& found, const Momenta& momenta);

// The memory of a field as it is stored (core/field/layout.hpp), not a copy:
// it stays while the array is there.
//   [subfield][parity][group of sites][chunk of reals][site of the group][real of the chunk]
// On the host an array of numpy, on a GPU a DeviceArray, which has DLPack's methods. Not of 16-bit storage.
nanobind::object raw_view(const Field& field, const Queue& queue);

// A copy at the field's location, of complex numbers,
//   checkerboard    [subfield][parity][t][z][y][x/2][row][column]
//   lexicographic   [subfield][t][z][y][x][row][column]
// of this rank's sites; a row or column of one is left out. In the field's precision; 16-bit storage as
// single. Ends with the queue's work done.
nanobind::object array_of(const Field& field, PackedOrder order, const Queue& queue);

/// array_of() on the host, in numpy, wherever the field is.
nanobind::object host_array_of(const Field& field, PackedOrder order, const Queue& queue);

// The way back: `array` has that shape, and any type that numpy makes complex numbers of; on a GPU those of
// the field. Arrays of the host may be given to fields on a GPU.
void set_array(Field& field, nanobind::handle array, PackedOrder order, const Queue& queue);

/// All numbers of an array of real numbers, on the host or on a GPU (there in double precision).
std::vector<double> real_numbers_of(nanobind::handle array, const Queue& queue);

/// Raises ValueError for copy = False of numpy's __array__().
void expect_copy(nanobind::handle copies);

PackedOrder packed_order(const std::string& name);  // "even-odd", "lexicographic"

void bind_arrays(nanobind::module_& module);

}  // namespace plaq::python
