#include "observables/quark/three_point.hpp"

#include "core/system/dry_run.hpp"
#include "kernels/quark/sequential.hpp"

namespace plaq {

ThreePoints::ThreePoints(const SharedLattice& lattice, const ThreePointSettings& settings, int boundary)
    : lattice_(lattice),
      settings_(settings),
      currents_(*lattice.grid, lattice.geometry, local_currents(), settings.momenta, lattice.queue),
      boundary_(boundary) {}

void ThreePoints::make_source(Field& b, Insertion insertion, const Field& quark, int sink_slice) const {
  if (insertion == Insertion::pion) {
    pion_sequential_source(b, quark, sink_slice, lattice_.queue);
  } else {
    const bool up = insertion == Insertion::up || insertion == Insertion::up_polarized;
    const bool flat = insertion == Insertion::up || insertion == Insertion::down;
    nucleon_sequential_source(b, quark, quark, up ? NucleonQuark::up : NucleonQuark::down,
                              flat ? unpolarized_projector() : polarized_projector(), sink_slice,
                              lattice_.queue);
  }
  lattice_.queue.synchronize();
}

std::vector<ThreePointFunctions> ThreePoints::operator()(PropagatorSolver& solver, QuarkSmearing* smearing,
                                                         const Field& quark, const Extents& position,
                                                         const std::string& file,
                                                         const Approximation* approximation) {
  const MemoryName name("sequential propagators");
  Field at_sink = quark;
  if (smearing != nullptr) {
    at_sink = Field(lattice_.geometry, quark.spec());
    copy(at_sink, quark);
    smearing->apply(at_sink);
  }
  const int slices = lattice_.geometry->global()[3],
            sink_slice = (position[3] + settings_.sink_time) % slices;
  const bool crosses = position[3] + settings_.sink_time >= slices;
  Field b(lattice_.geometry, quark.spec()), psi(lattice_.geometry, quark.spec());
  std::vector<ThreePointFunctions> all;
  for (const Insertion insertion : settings_.insertions) {
    {
      const Phase phase("making the source");
      make_source(b, insertion, at_sink, sink_slice);
      // Smearing is its own adjoint.
      if (smearing != nullptr) smearing->apply(b);
    }
    const PropagatorSolver::FillSource fill = [&](Field& part, int first_column) {
      for (int subfield = 0; subfield < part.subfields(); ++subfield)
        copy_subfield(part, subfield, b, first_column + subfield);
    };
    const ColumnReport report = approximation != nullptr ? solver.approximate(psi, fill, *approximation, file)
                                                         : solver.solve(psi, fill, file);
    if (approximation == nullptr) warn_of_slices(report, file);
    const Phase phase("contracting");
    ThreePointFunctions& found = all.emplace_back(
        ThreePointFunctions{insertion, currents_(quark, psi, position), report.true_residuals});
    const int sign = crosses && insertion != Insertion::pion ? boundary_ : 1;
    for (auto& current : found.values)
      for (auto& correlator : current)
        for (auto& value : correlator) value *= sign;
  }
  return all;
}

}  // namespace plaq
