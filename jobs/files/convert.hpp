// What conversions of all kinds of fields have in common.
#pragma once

#include <functional>

#include "comms/process_grid.hpp"
#include "core/error.hpp"
#include "core/field.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/files/stored_field.hpp"

namespace plaq::jobs {

// All collective. IN is of this kind, and OUT can be made.
void convert_gauge(const ConvertOptions& options, const StoredField& input);
void convert_propagator(const ConvertOptions& options, const StoredField& input);

// A look at the complete file under its temporary name: it reads `back` and compares; what it finds wrong is
// an Error(output_file) about OUT, which stays as it was.
void read_back(const ConvertOptions& options, const std::function<void()>& compare);

// Numbers of all ranks in which `back` is not `original` rounded to `precision`, bit by bit: of the first
// `reals` of each site and slot. Both in double precision, on the host, without halo.
std::int64_t differing_numbers(const ProcessGrid& grid, const Field& back, const Field& original, int reals,
                               Precision precision);
// The error that says so.
Error differs(const std::string& checksum, const std::string& expected_checksum, std::int64_t numbers);

}  // namespace plaq::jobs
