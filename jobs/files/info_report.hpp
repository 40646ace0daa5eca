// The kinds of files that plaq info explains: on standard output, as text or as JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/files/stored_field.hpp"

namespace plaq::jobs {

// Serial. Throws Error(input_file).
void show_results(const InfoOptions& options);

// Collective. Reads the links on all ranks and compares what they are with what the header says. When they do
// not agree the report says so, and then the error is thrown.
void show_gauge(const InfoOptions& options, const Extents& extents);

// Collective. Reads the numbers on all ranks; when they are not finite or have another checksum, the report
// says so, and then the error is thrown.
void show_propagator(const InfoOptions& options, const StoredField& stored);

// As show_propagator, of a gauge transformation; its matrices must be SU(3).
void show_transformation(const InfoOptions& options, const Extents& extents);

// As show_propagator, of the near-null vectors of a multigrid setup.
void show_multigrid(const InfoOptions& options, const Extents& extents);

// Collective: the end of these reports. The first rank calls `text`, or prints `json`; then all throw
// `error`.
void print_report(const InfoOptions& options, const std::function<void()>& text,
                  const std::function<nlohmann::ordered_json()>& json, const std::optional<Error>& error);

}  // namespace plaq::jobs
