// Studies with transports of the caller's choice.
#pragma once

#include "comms/start/lattice_start.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/study/study_spec.hpp"

namespace plaq::jobs {

/// Collective. `choose`: for each point, on the grid of its ranks.
int run_study(const JobFile& job, const TransportChooser& choose);

/// Enters efficiencies and speed-ups, which compare rows with each other.
void compare_rows(std::vector<Row>& rows);
/// Throws Error(internal), which names the target, if a row has other bits than a known one of the same
/// lattice that must have the same.
void expect_same_bits(const StudySpec& spec, const std::vector<Row>& rows, const std::vector<Row>& known);

}  // namespace plaq::jobs
