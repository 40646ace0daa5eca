#include "quarks/solve/mode_search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/tape_counts.hpp"
#include "kernels/quark/sources.hpp"
#include "quarks/operator/dirac_operators.hpp"
#include "quarks/solve/low_modes.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {
namespace {

void expect_all_modes(const LanczosReport& report, const EigenvectorSettings& settings) {
  const auto good = std::count_if(
      report.bounds.begin(), report.bounds.end(),
      [&, i = 0u](double bound) mutable { return bound <= settings.tolerance * report.values[i++]; });
  if (!report.converged())
    throw Error(
        ErrorKind::not_converged,
        fmt::format(
            "{} of {} modes were found within the tolerance {:g} by {} applications of the operator{}: {}",
            good, settings.modes, settings.tolerance, report.applications,
            good < settings.modes ? "" : ", but the search for others as low did not end",
            name_of(report.reason)));
  if (!(report.values.front() > 0))
    throw Error(ErrorKind::not_converged,
                fmt::format("the lowest eigenvalue that was found is {:g}: it cannot be told "
                            "from 0, and its mode cannot deflate",
                            report.values.front()));
}

}  // namespace

FoundModes find_modes(const FermionLinks& links, const ActionPtr& action, Preconditioning form,
                      const EigenvectorSettings& settings) {
  const Phase phase("finding modes");
  if (TapeCounts* counts = TapeCounts::current())
    counts->cannot_say("how many applications of the operator the Lanczos method takes");
  DiracOperators operators(links, action, form, 1);
  const auto s = operators.outer(high_precision_storage);
  operators.release_clover();
  const ModesOf of = modes_of(*action);
  const MemoryName name("Lanczos basis");
  NormalOperator normal(s->iterated(), 1);
  LinearOperator& a = of == ModesOf::normal ? normal : s->iterated();
  const auto random_start = [&](Field& v, int n) {
    Field full(a.geometry(), action->full_spec(1, links.queue.location()));
    random_source(full, Noise::z4, static_cast<std::uint64_t>(settings.seed),
                  static_cast<std::uint32_t>(n * full.subfields()));
    copy_parity(v, full, schur_parity, links.queue);
    links.queue.synchronize();
  };
  Field start(a.geometry(), a.spec(1));
  random_start(start, 0);
  LanczosParameters parameters;
  parameters.values = settings.modes;
  parameters.tolerance = 0;
  parameters.relative_tolerance = settings.tolerance;
  parameters.max_applications = settings.max_applications;
  parameters.filter_degree = settings.filter_degree;
  Lanczos lanczos(a, *links.grid, settings.vectors());
  FoundModes found;
  found.report = lanczos.run(start, parameters, [&](Field& v, int n) { random_start(v, n + 1); });
  expect_all_modes(found.report, settings);
  found.operator_entries = operator_entries(operators.action(), form, links);
  FieldSpec spec = Deflation::mode_spec(a);
  Field one(a.geometry(), spec);
  spec.subfields = settings.modes * spec.slices;
  found.modes = Field(a.geometry(), spec);
  for (int i = 0; i < settings.modes; ++i) {
    copy(one, lanczos.vector(i));
    for (int slice = 0; slice < spec.slices; ++slice)
      copy_subfield(found.modes, i * spec.slices + slice, one, slice);
  }
  return found;
}

}  // namespace plaq
