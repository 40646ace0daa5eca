#include "jobs/propagator/three_point.hpp"

#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/dirac/action_keys.hpp"
#include "jobs/propagator/propagator_keys.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

std::string formula_of(Insertion insertion) {
  const std::string c3 = "C3(t) = sum_y exp(-i q (y - x_source)) ",
                    at = " at the sink time, p = 0, connected";
  if (insertion == Insertion::pion)
    return c3 + "<P(sink) J(y, t) P^dagger(source)>, J = qbar Gamma q of the quark that runs forward," + at;
  const bool polarized = insertion == Insertion::up_polarized || insertion == Insertion::down_polarized;
  const bool up = insertion == Insertion::up || insertion == Insertion::up_polarized;
  return fmt::format(
      "{}tr[P <chi(sink) J(y, t) chibar(source)>], J = {} Gamma {}, chi = eps (u^T C gamma5 d) u, P = {},{}; "
      "the boundary's sign in time is taken out as of C(t)",
      c3, up ? "ubar" : "dbar", up ? "u" : "d",
      polarized ? "(1 + gamma_t)/2 i gamma5 gamma_z" : "(1 + gamma_t)/2", at);
}

}  // namespace

ThreePoints::ThreePoints(const JobContext& context, const ThreePointKeys& keys, std::vector<Momentum> momenta)
    : context_(context),
      keys_(keys),
      momenta_(std::move(momenta)),
      currents_(*context.grid, context.geometry, local_currents(), momenta_, context.queue) {
  if (keys_.sink_time >= context.extents[3])
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: [three_point] sink_time {} is not on the lattice {}: time slices from the source "
                    "are 1 to {}",
                    context.job.file(), keys_.sink_time, to_string(context.extents), context.extents[3] - 1));
}

void ThreePoints::make_source(Field& b, Insertion insertion, const Field& quark, int sink_slice) const {
  if (insertion == Insertion::pion) {
    pion_sequential_source(b, quark, sink_slice, context_.queue);
  } else {
    const bool up = insertion == Insertion::up || insertion == Insertion::up_polarized;
    const bool flat = insertion == Insertion::up || insertion == Insertion::down;
    nucleon_sequential_source(b, quark, quark, up ? NucleonQuark::up : NucleonQuark::down,
                              flat ? unpolarized_projector() : polarized_projector(), sink_slice,
                              context_.queue);
  }
  context_.queue.synchronize();
}

void ThreePoints::add(DiracSystem& system, QuarkSmearing* smearing, const Field& quark,
                      const Extents& position, const std::string& file) {
  const MemoryName name("sequential propagators");
  Field at_sink = quark;
  if (keys_.smeared_sink) {
    at_sink = Field(context_.geometry, quark.spec());
    copy(at_sink, quark);
    smearing->apply(at_sink);
  }
  const int slices = context_.extents[3], sink_slice = (position[3] + keys_.sink_time) % slices;
  const bool crosses = position[3] + keys_.sink_time >= slices;
  Field b(context_.geometry, quark.spec()), psi(context_.geometry, quark.spec());
  for (const std::string& word : keys_.insertions) {
    const Insertion insertion = insertion_of(word);
    {
      const Phase phase("making the source");
      make_source(b, insertion, at_sink, sink_slice);
      // Smearing is its own adjoint.
      if (keys_.smeared_sink) smearing->apply(b);
    }
    const ColumnReport report = system.solve(
        psi,
        [&](Field& part, int first_column) {
          for (int subfield = 0; subfield < part.subfields(); ++subfield)
            copy_subfield(part, subfield, b, first_column + subfield);
        },
        file);
    warn_of_slices(report, file);
    const Phase phase("contracting");
    Kept& kept = kept_.emplace_back(Kept{word, currents_(quark, psi, position), report.true_residuals});
    const int sign = crosses && insertion != Insertion::pion ? context_.job.get<ActionKeys>().boundary[3] : 1;
    for (auto& current : kept.correlators)
      for (auto& correlator : current)
        for (auto& value : correlator) value *= sign;
  }
}

void ThreePoints::move_to(Results& results, const QuarkSources& sources) {
  for (const Kept& kept : kept_) {
    results.dataset(
        fmt::format("/three_point/{}/true_residual", kept.insertion), {kept.true_residuals.size()},
        kept.true_residuals,
        described({"column"}, "1", "||b - M x|| / ||b|| of the sequential propagator, as of /solves"));
    for (std::size_t current = 0; current < kept.correlators.size(); ++current)
      for (std::size_t momentum = 0; momentum < momenta_.size(); ++momentum)
        add_correlator(results, kept, current, momentum, sources);
  }
  kept_.clear();
}

void ThreePoints::add_correlator(Results& results, const Kept& kept, std::size_t current,
                                 std::size_t momentum, const QuarkSources& sources) const {
  const Momentum& n = momenta_[momentum];
  const auto& values = kept.correlators[current][momentum];
  std::vector<double> parts;
  for (const auto& c : values) parts.insert(parts.end(), {c.real(), c.imag()});
  results.dataset(fmt::format("/three_point/{}/{}/p_{}_{}_{}", kept.insertion,
                              currents_.channels()[current].name, n[0], n[1], n[2]),
                  {values.size(), 2}, std::move(parts),
                  {{"axes", std::vector<std::string>{"t", "real, imaginary"}},
                   {"units", std::string("lattice units")},
                   {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
                   {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
                   {"normalization", fmt::format("{}, summed {}, no volume factor, bare current",
                                                 formula_of(insertion_of(kept.insertion)), sources.summed())},
                   {"sink", std::string(keys_.smeared_sink ? "smeared" : "point")},
                   {"sink_time", std::int64_t{keys_.sink_time}},
                   {"t", std::string("of the current, counts from the source")}});
}

}  // namespace plaq::jobs
