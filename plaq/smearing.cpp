#include "plaq/smearing.hpp"

#include <algorithm>

#include "comms/grid/shared_lattice.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "observables/quark/quarks_together.hpp"

namespace plaq {

GaugeField smeared(const GaugeField& gauge, const LinkSmearing& smearing) {
  Field links = with_halo(gauge);
  smear_links(gauge.lattice().shared(), links, smearing);
  return {gauge.lattice(), links};
}

SpinorField smeared(const GaugeField& gauge, const SpinorField& quark,
                    const QuarkSmearingSettings& settings) {
  if (!(gauge.lattice() == quark.lattice()))
    throw Error(ErrorKind::usage, "smeared(): fields of two lattices");
  if (quark.slices() != 1 || quark.precision() != Precision::double_precision)
    throw Error(ErrorKind::usage, "smeared(): quarks in four dimensions and double precision are wanted");
  const SpaceSigns& boundary = settings.gaussian.boundary;
  if (const auto& stated = quark.note().space_boundary; stated && *stated != boundary)
    throw Error(
        ErrorKind::usage,
        "smeared(): the quarks have other signs around the lattice in space than settings.gaussian.boundary");
  if (const auto why = refuse_source_in_space(boundary, quark.note().source_type))
    throw Error(ErrorKind::usage, *why);
  const SharedLattice& lattice = quark.lattice().shared();
  const auto smearing = make_quark_smearing(lattice, with_halo(gauge), settings, quark.spins());
  SpinorField found = quark;
  found.note().space_boundary = boundary;
  // Staggered smearing takes three columns at a time.
  const int most = quark.spins() == 1 ? 3 : quark.columns();
  for (int first = 0; first < quark.columns(); first += most) {
    SpinorField part = quark.some_columns(first, std::min(most, quark.columns() - first));
    smearing->apply(part.field());
    lattice.queue.synchronize();
    for (int i = 0; i < part.columns(); ++i) copy_subfield(found.field(), first + i, part.field(), i);
  }
  found.field().touch();
  return found;
}

Propagator smeared(const GaugeField& gauge, const Propagator& quark, const QuarkSmearingSettings& settings) {
  return Propagator(smeared(gauge, static_cast<const SpinorField&>(quark), settings), quark.solved());
}

}  // namespace plaq
