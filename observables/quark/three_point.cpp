#include "observables/quark/three_point.hpp"

#include "core/system/dry_run.hpp"
#include "kernels/quark/sequential.hpp"

namespace plaq {

ThreePoints::ThreePoints(const SharedLattice& lattice, const ThreePointSettings& settings, int boundary)
    : lattice_(lattice),
      settings_(settings),
      currents_(*lattice.grid, lattice.geometry, local_currents(), settings.momenta, lattice.queue),
      boundary_(boundary) {
  if (settings.bilinears.any()) bilinears_.emplace(lattice, settings.bilinears, settings.momenta);
}

void ThreePoints::set_links(BilinearLinks links) {
  if (bilinears_) bilinears_->set_links(std::move(links));
}

void make_sequential_source(const SharedLattice& lattice, Field& b, Insertion insertion, const Field& at_sink,
                            const SequentialSink& sink) {
  if (insertion == Insertion::pion) {
    pion_sequential_source(b, at_sink, sink.slice, lattice.queue);
  } else {
    const bool up = insertion == Insertion::up || insertion == Insertion::up_polarized;
    const bool flat = insertion == Insertion::up || insertion == Insertion::down;
    nucleon_sequential_source(b, at_sink, at_sink, up ? NucleonQuark::up : NucleonQuark::down,
                              flat ? unpolarized_projector() : polarized_projector(), sink.slice,
                              lattice.queue);
  }
  lattice.queue.synchronize();
  if (sink.momentum != Momentum{}) multiply_by_plane_wave(b, sink.momentum, sink.position, lattice.queue);
  // Smearing is its own adjoint.
  if (sink.smearing != nullptr) sink.smearing->apply(b);
}

std::vector<ThreePointFunctions> ThreePoints::operator()(PropagatorSolver& solver, QuarkSmearing* smearing,
                                                         const Field& quark, const Extents& position,
                                                         const std::string& file,
                                                         const Approximation* approximation,
                                                         const Field* current) {
  const MemoryName name("sequential propagators");
  Field at_sink = quark;
  if (smearing != nullptr) {
    at_sink = Field(lattice_.geometry, quark.spec());
    copy(at_sink, quark);
    smearing->apply(at_sink);
  }
  const int slices = lattice_.geometry->global()[3];
  const std::vector<int> times = settings_.times();
  Field b(lattice_.geometry, quark.spec()), psi_current;
  if (current != nullptr) psi_current = Field(lattice_.geometry, current->spec());
  std::vector<ThreePointFunctions> all(settings_.insertions.size() * times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    const int at = position[3] + times[k];
    const SequentialSink sink{at % slices, settings_.sink_momentum, position, smearing};
    // 0: the first guess does not depend on the other sink times.
    Field psi(lattice_.geometry, quark.spec());
    for (std::size_t i = 0; i < settings_.insertions.size(); ++i) {
      const Insertion insertion = settings_.insertions[i];
      {
        const Phase phase("making the source");
        make_sequential_source(lattice_, b, insertion, at_sink, sink);
      }
      const PropagatorSolver::FillSource fill = [&](Field& part, int first_column) {
        for (int subfield = 0; subfield < part.subfields(); ++subfield)
          copy_subfield(part, subfield, b, first_column + subfield);
      };
      const WallFields walls{.current = current == nullptr ? nullptr : &psi_current};
      const ColumnReport report = approximation != nullptr
                                      ? solver.approximate(psi, fill, *approximation, file, {}, walls)
                                      : solver.solve(psi, walls, fill, file);
      if (approximation == nullptr) warn_of_slices(report, file);
      const Phase phase("contracting");
      ThreePointFunctions& found = all[i * times.size() + k];
      found = {insertion, currents_(quark, psi, position), report.true_residuals, times[k]};
      if (bilinears_ && current != nullptr)
        found.bilinears = (*bilinears_)(quark, psi, position, {current, &psi_current});
      else if (bilinears_)
        found.bilinears = (*bilinears_)(quark, psi, position);
      const int sign = at >= slices && is_of_proton(insertion) && boundary_ != 0 ? boundary_ : 1;
      for (auto& current : found.values)
        for (auto& correlator : current)
          for (auto& value : correlator) value *= sign;
      found.bilinears *= sign;
    }
  }
  return all;
}

}  // namespace plaq
