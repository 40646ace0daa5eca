// How the faces of a job travel on one of its process grids.
#pragma once

#include <functional>

#include "comms/transport/transport_choice.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

using TransportChooser = std::function<TransportChoice(const ProcessGrid&, Location, TransportKind)>;

// Collective over the grid, which must outlive it. The transport checks faces if the job wants it ([comms] halo_checksums).
TransportChoice job_transport(const JobFile& job, const ProcessGrid& grid, Location location,
                              TransportKind wanted, const TransportChooser& choose = choose_transport);

}  // namespace plaq::jobs
