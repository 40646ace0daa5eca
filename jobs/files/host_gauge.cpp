#include "jobs/files/host_gauge.hpp"

#include "comms/halo/extended_halo.hpp"
#include "core/launch/queue.hpp"

namespace plaq::jobs {

GaugeObservables measure_on_host(const ProcessGrid& grid, const Field& links) {
  const Queue queue(Location::host);
  const auto extended = links.geometry().extended(1);
  Field gauge(extended, links.spec());
  copy(gauge, links);
  ExtendedHalo(grid, extended, gauge.spec(), make_host_transport(grid, Location::host))
      .exchange(gauge, queue);
  return measure_gauge(grid, gauge, queue);
}

}  // namespace plaq::jobs
