// The kinds of files that plaq info explains: on standard output, as text or as JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "comms/grid/process_grid.hpp"
#include "core/system/error.hpp"
#include "io/gauge/gauge_file.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/files/stored_field.hpp"

namespace plaq::jobs {

// Serial. Throws Error(input_file).
void show_results(const InfoOptions& options);

// Shows the job and the progress in the journal of a job that is not complete. Serial. Throws
// Error(output_file) for a journal of another version.
void show_journal(const InfoOptions& options);

// Collective. Reads the links on all ranks and compares what they are with what the header says. When they do
// not agree the report says so, and then the error is thrown.
void show_gauge(const InfoOptions& options, const Extents& extents);

// Collective. Reads the numbers on all ranks; when they are not finite or have another checksum, the report
// says so, and then the error is thrown.
void show_propagator(const InfoOptions& options, const StoredField& stored);

// Shows a gauge transformation like show_propagator; its matrices must be SU(3).
void show_transformation(const InfoOptions& options, const Extents& extents);

// Shows the near-null vectors of a multigrid setup, eigenvectors, and modes of the Laplacian, like
// show_propagator.
void show_multigrid(const InfoOptions& options, const Extents& extents);
void show_eigenvectors(const InfoOptions& options, const Extents& extents);
void show_laplacian_modes(const InfoOptions& options, const Extents& extents);

// Shows the state of a chain within a step like show_propagator, and whether a run goes on from it.
void show_state(const InfoOptions& options, const Extents& extents);

// Collective. Why the numbers of a file do not verify; none where they do. `read`: reads them on such a grid,
// and throws Error(input_file).
std::optional<Error> problem_of_numbers(const Extents& extents,
                                        const std::function<void(const ProcessGrid&)>& read);

// Collective: the end of these reports. The first rank calls `text`, or prints `json`; then all throw
// `error`.
void print_report(const InfoOptions& options, const std::function<void()>& text,
                  const std::function<nlohmann::ordered_json()>& json, const std::optional<Error>& error);

}  // namespace plaq::jobs
