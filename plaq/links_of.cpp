#include "plaq/links_of.hpp"

#include "comms/grid/shared_lattice.hpp"

namespace plaq {

FermionLinks links_of(const GaugeField& gauge) {
  const SharedLattice& lattice = gauge.lattice().shared();
  return {lattice.grid.get(), gauge.field(), lattice.queue, lattice.transport};
}

PropagatorNote note_of_solution(const Action& action, const GaugeField& gauge, const PropagatorNote& source) {
  PropagatorNote note = source;
  const GaugeFileIdentity file = gauge.file();
  note.gauge_file = file.file;
  note.gauge_format = file.format;
  note.gauge_checksum = file.checksum;
  note.action = action.name();
  note.mass = action.mass();
  const auto boundary = action.boundary();
  note.boundary = boundary[3];
  note.space_boundary = {boundary[0], boundary[1], boundary[2]};
  return note;
}

}  // namespace plaq
