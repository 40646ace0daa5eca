#include "plaq/gauge_field.hpp"

#include <filesystem>

#include "comms/communicator/collective.hpp"
#include "comms/start/lattice_start.hpp"
#include "comms/start/shared_lattice.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/gauge/gauge_file.hpp"
#include "kernels/gauge/gradient_flow.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq {
namespace {

FieldSpec links_at(const Lattice& lattice) {
  return gauge_spec(Precision::double_precision, lattice.location());
}

GaugeFileFormat format_named(const std::string& name) {
  std::string known;
  for (const GaugeFormat* format : gauge_formats()) {
    if (short_name(format->format) == name) return format->format;
    known += (known.empty() ? "" : ", ") + std::string(short_name(format->format));
  }
  throw Error(ErrorKind::usage, "format \"" + name + "\" is none of " + known);
}

GaugeObservables measured(const GaugeField& gauge) {
  const SharedLattice& lattice = gauge.lattice().shared();
  return measure_gauge(*lattice.grid, with_halo(gauge), lattice.queue);
}

CloverObservables measured_by_clover(const GaugeField& gauge) {
  const SharedLattice& lattice = gauge.lattice().shared();
  return measure_clover(*lattice.grid, with_halo(gauge), lattice.queue);
}

template <class Start>
GaugeField started(const Lattice& lattice, const Start& start) {
  const SharedLattice& shared = lattice.shared();
  Field links(shared.geometry, links_at(lattice));
  start(links, shared.queue);
  shared.queue.synchronize();
  return {lattice, links};
}

}  // namespace

GaugeField::GaugeField(const Lattice& lattice) : GaugeField(unit_gauge(lattice)) {}

GaugeField::GaugeField(const Lattice& lattice, const Field& links)
    : LatticeField(lattice, links_at(lattice)) {
  copy(field(), links);
  field().touch();
}

GaugeField::GaugeField(const GaugeField& other) : LatticeField(other) {
  set_file(other.file(), other.path());
}
GaugeField& GaugeField::operator=(const GaugeField& other) {
  if (this != &other) *this = GaugeField(other);
  return *this;
}

HostField<ColorMatrix> GaugeField::on_host() const {
  HostField<ColorMatrix> links(lattice(), 4);
  detail::read_sites(field(), links.data());
  return links;
}

void GaugeField::set(const HostField<ColorMatrix>& links) {
  if (links.count() != 4 || !(links.lattice() == lattice()))
    throw Error(ErrorKind::usage,
                "GaugeField::set: the numbers must be four links for each site of the same lattice");
  detail::write_sites(field(), links.data());
}

GaugeFileIdentity GaugeField::file() const {
  return read_version_ == field().version() ? file_ : GaugeFileIdentity();
}

void GaugeField::set_file(const GaugeFileIdentity& file, const std::string& path) {
  file_ = file;
  path_ = path;
  read_version_ = field().version();
}

GaugeField read_gauge(const std::string& path, const Lattice& lattice, const ReadGaugeSettings& settings) {
  const LoadedGauge loaded =
      load_gauge(lattice.shared(), path, {settings.antiperiodic, settings.accept_checksums});
  GaugeField gauge(lattice, loaded.field);
  const GaugeFileInfo& info = loaded.report.info;
  gauge.set_file({std::filesystem::path(path).filename().string(), std::string(name_of(info.format)),
                  info.checksum.value_or(loaded.report.checksum).text()},
                 path);
  return gauge;
}

GaugeField read_gauge(const std::string& path, const Session& session, const ReadGaugeSettings& settings) {
  Extents extents{};
  const Communicator& ranks = session.started().ranks;
  all_or_none(ranks, [&] {
    if (ranks.rank() == 0) extents = gauge_extents(path);
  });
  return read_gauge(path, Lattice(session, ranks.broadcast(extents)), settings);
}

Extents gauge_extents(const std::string& path) { return inspect_gauge_file(path).extents; }

std::string write_gauge(const GaugeField& gauge, const std::string& path,
                        const WriteGaugeSettings& settings) {
  const SharedLattice& lattice = gauge.lattice().shared();
  GaugeWriteOptions options;
  options.format = format_named(settings.format);
  options.precision = settings.precision;
  options.metadata.ildg_lfn = settings.lfn;
  all_or_none(lattice.grid->comm(), [&] {
    if (lattice.rank() == 0) check_output(path, settings.overwrite);
  });
  const GaugeObservables o = measured(gauge);
  Field host(lattice.geometry, gauge_spec(Precision::double_precision, Location::host));
  copy(host, gauge.field());
  return write_gauge_file(path, *lattice.grid, host, options, o.plaquette.all, o.link_trace).text();
}

GaugeField unit_gauge(const Lattice& lattice) {
  return started(lattice, [](Field& links, const Queue& queue) { cold_start(links, queue); });
}

GaugeField random_gauge(const Lattice& lattice, std::uint64_t seed) {
  return started(lattice, [&](Field& links, const Queue& queue) { hot_start(links, seed, queue); });
}

double plaquette(const GaugeField& gauge) { return measured(gauge).plaquette.all; }
std::array<double, 3> plaquettes(const GaugeField& gauge) {
  const PlaquetteAverages p = measured(gauge).plaquette;
  return {p.all, p.spatial, p.temporal};
}
double link_trace(const GaugeField& gauge) { return measured(gauge).link_trace; }
std::complex<double> polyakov_loop(const GaugeField& gauge) { return measured(gauge).polyakov_loop; }
double unitarity_violation(const GaugeField& gauge) { return measured(gauge).unitarity_violation; }
double clover_energy(const GaugeField& gauge) { return measured_by_clover(gauge).energy; }
double topological_charge(const GaugeField& gauge) { return measured_by_clover(gauge).topological_charge; }

Field with_halo(const GaugeField& gauge) { return links_with_halo(gauge.lattice().shared(), gauge.field()); }

}  // namespace plaq
