#include "jobs/run/job_transport.hpp"

#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

JobTransport job_transport(const JobFile& job, const ProcessGrid& grid, Location location,
                           TransportKind wanted, const TransportChooser& choose) {
  JobTransport made{choose(grid, location, wanted), nullptr};
  if (job.get<CommsKeys>().halo_checksums) {
    made.checked = std::make_shared<CheckedTransport>(grid, location, made.transport);
    made.transport = made.checked;
    made.text += ", with checksums";
  }
  return made;
}

}  // namespace plaq::jobs
