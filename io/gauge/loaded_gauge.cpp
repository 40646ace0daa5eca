#include "io/gauge/loaded_gauge.hpp"

#include <fmt/format.h>

#include "comms/halo/extended_halo.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"

namespace plaq {

LoadedGauge load_gauge(const SharedLattice& lattice, const std::string& path,
                       const GaugeReadOptions& options) {
  const Phase phase("reading a gauge field");
  LoadedGauge gauge;
  const MemoryName name("gauge field");
  Field host(lattice.geometry, gauge_spec(Precision::double_precision, Location::host));
  gauge.report = read_gauge_file(path, *lattice.grid, host, options);
  const auto extended = lattice.geometry->extended(1);
  gauge.field = Field(extended, gauge_spec(Precision::double_precision, lattice.location()));
  copy(gauge.field, host);
  ExtendedHalo(*lattice.grid, extended, gauge.field.spec(), lattice.transport)
      .exchange(gauge.field, lattice.queue);
  gauge.observables = measure_gauge(*lattice.grid, gauge.field, lattice.queue);
  lattice.expect_intact_faces();
  verify_gauge_file(gauge.report, gauge.observables.plaquette.all, gauge.observables.link_trace);
  log::info(fmt::format("{}: plaquette {:.12f}, link trace {:.12f}, checksum {}", path,
                        gauge.observables.plaquette.all, gauge.observables.link_trace,
                        gauge.report.checksum.text()));
  return gauge;
}

}  // namespace plaq
