// Studies with transports of the caller's choice.
#pragma once

#include <functional>

#include "comms/communicator/communicator.hpp"
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

// Collective over `all`. Its first `count` ranks call `action` with a communicator of their own, which is
// their world() meanwhile; it may communicate within that. An Error that all of them throw becomes that of
// every rank. One that reaches some of them only leaves the others waiting for each other: after some seconds
// it is thrown where it arose, and the program ends (FailureReporter). Others wait for as long as those give
// signs of life (Heartbeat).
void on_first_ranks(const Communicator& all, int count,
                    const std::function<void(const Communicator&)>& action);

}  // namespace plaq::jobs
