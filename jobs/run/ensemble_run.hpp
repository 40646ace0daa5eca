// Computes the fields of an EnsembleJob, one after the other, part by part.
#pragma once

#include "jobs/run/ensemble_job.hpp"

namespace plaq::jobs {

/// Takes the steps of a job that has been prepared, from reads_links() to report(), and returns the results
/// of all fields, stacked with the axis "configuration", on rank 0; empty elsewhere. With them are
/// /configurations/trajectory and replica, where numbers are known. A part is not computed again when the
/// journal has it under the file's name and fingerprint, nor a field that an output which grows has. An Error
/// that stops it says what is kept; a StopRequest is one of kind stopped. Collective.
Results run_fields(EnsembleJob& job, const JobContext& context);

}  // namespace plaq::jobs
