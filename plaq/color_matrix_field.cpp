#include "plaq/color_matrix_field.hpp"

#include "comms/communicator/collective.hpp"
#include "comms/start/shared_lattice.hpp"
#include "gaugefix/run/gauge_fixer.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/transformation/transformation_file.hpp"
#include "kernels/gauge/temporal_gauge.hpp"

namespace plaq {

ColorMatrixField::ColorMatrixField(const Lattice& lattice)
    : LatticeField(lattice, gauge_frame_spec(Precision::double_precision, lattice.location())) {
  HostField<ColorMatrix> ones(lattice);
  for (int site = 0; site < lattice.local_volume(); ++site) ones[site] = unit<3>();
  set(ones);
}

HostField<ColorMatrix> ColorMatrixField::on_host() const {
  HostField<ColorMatrix> matrices(lattice());
  detail::read_sites(field(), matrices.data());
  return matrices;
}

void ColorMatrixField::set(const HostField<ColorMatrix>& matrices) {
  if (matrices.count() != 1 || !(matrices.lattice() == lattice()))
    throw Error(ErrorKind::usage,
                "ColorMatrixField::set: the numbers must be one matrix for each site of the same lattice");
  detail::write_sites(field(), matrices.data());
}

GaugeField transformed(const GaugeField& gauge, const ColorMatrixField& g) {
  if (!(gauge.lattice() == g.lattice()))
    throw Error(ErrorKind::usage, "the fields lie on different lattices; make all of them on one Lattice");
  const SharedLattice& lattice = gauge.lattice().shared();
  GaugeField made(gauge.lattice(), gauge.field());
  transform_gauge(*lattice.grid, made.field(), g.field(), lattice.queue, lattice.transport);
  lattice.queue.synchronize();
  made.field().touch();
  return made;
}

ColorMatrixField read_transformation(const std::string& path, const Lattice& lattice) {
  const SharedLattice& shared = lattice.shared();
  Field host(shared.geometry, gauge_frame_spec(Precision::double_precision, Location::host));
  read_transformation(path, *shared.grid, host);
  ColorMatrixField g(lattice);
  copy(g.field(), host);
  g.field().touch();
  return g;
}

void write_transformation(const ColorMatrixField& g, const std::string& path, bool overwrite) {
  const SharedLattice& lattice = g.lattice().shared();
  all_or_none(lattice.grid->comm(), [&] {
    if (lattice.rank() == 0) check_output(path, overwrite);
  });
  Field host(lattice.geometry, gauge_frame_spec(Precision::double_precision, Location::host));
  copy(host, g.field());
  write_transformation(path, *lattice.grid, host, {});
}

}  // namespace plaq
