// How the faces of a job travel on one of its process grids.
#pragma once

#include <functional>

#include "comms/transport/transport_checked.hpp"
#include "comms/transport/transport_choice.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

using TransportChooser = std::function<TransportChoice(const ProcessGrid&, Location, TransportKind)>;

// A choice whose transport checks faces where the job wants it ([comms] halo_checksums).
struct JobTransport : TransportChoice {
  std::shared_ptr<CheckedTransport> checked;  // the same transport, or null
};

// Collective over the grid, which must outlive it.
JobTransport job_transport(const JobFile& job, const ProcessGrid& grid, Location location,
                           TransportKind wanted, const TransportChooser& choose = choose_transport);

}  // namespace plaq::jobs
