#include "jobs/run/job_transport.hpp"

#include "comms/transport/transport_checked.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

TransportChoice job_transport(const JobFile& job, const ProcessGrid& grid, Location location,
                              TransportKind wanted, const TransportChooser& choose) {
  TransportChoice made = choose(grid, location, wanted);
  if (job.get<CommsKeys>().halo_checksums) {
    made.transport = std::make_shared<CheckedTransport>(grid, location, made.transport);
    made.text += ", with checksums";
  }
  return made;
}

}  // namespace plaq::jobs
