// Common parts of conversions of all kinds of fields.
#pragma once

#include <functional>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/files/stored_field.hpp"

namespace plaq::jobs {

// All collective. IN is of this kind, and OUT can be made.
void convert_gauge(const ConvertOptions& options, const StoredField& input);
void convert_propagator(const ConvertOptions& options, const StoredField& input);

// Collective. Applies the gauge transformation in the file `path` to `links`, in double on the host without
// halo. Returns its entries. Throws Error(input_file), also when the plaquette is not what it was.
std::vector<HeaderEntry> transform_links(const std::string& path, const ProcessGrid& grid, Field& links,
                                         double plaquette);

// A look at the complete file under its temporary name: it reads `back` and compares; what it finds wrong is
// an Error(output_file) about OUT, which stays as it was.
void read_back(const ConvertOptions& options, const std::function<void()>& compare);

// Numbers of all ranks in which `back` is not `original` rounded to `precision`, bit by bit: of the first
// `reals` of each site and subfield. Both in double precision, on the host, without halo.
std::int64_t differing_numbers(const ProcessGrid& grid, const Field& back, const Field& original, int reals,
                               Precision precision);
// The error that says so.
Error differs(const std::string& checksum, const std::string& expected_checksum, std::int64_t numbers);

}  // namespace plaq::jobs
