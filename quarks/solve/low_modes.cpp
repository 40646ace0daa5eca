#include "quarks/solve/low_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/trace_counts.hpp"
#include "io/bytes/exists_on_first_rank.hpp"
#include "io/eigenvectors/eigenvector_file.hpp"
#include "io/gauge/link_sum.hpp"
#include "kernels/quark/sources.hpp"
#include "quarks/operator/dirac_operators.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {
namespace {

// Number of modes of a dry run, which may be there before the file is.
int count_unread(const std::string& path, int modes) {
  std::error_code ignored;
  if (modes == 0 && !std::filesystem::exists(path, ignored))
    throw Error(
        ErrorKind::input_file,
        fmt::format("{}: there is no such file of eigenvectors; a number of modes to deflate says what "
                    "they would take",
                    path));
  return modes == 0 ? inspect_eigenvector_file(path).modes : modes;
}

// Eigenvalues of a dry run.
std::vector<double> unread_values(int modes) {
  return std::vector<double>(static_cast<std::size_t>(modes), 1);
}

}  // namespace

ModesOf modes_of(const Action& action) { return action.positive() ? ModesOf::hermitian : ModesOf::normal; }

std::vector<HeaderEntry> operator_entries(const Action& action, Preconditioning form) {
  std::vector<HeaderEntry> entries = action.description();
  entries.push_back({"form", std::string(preconditioning_names[static_cast<std::size_t>(form)])});
  entries.push_back({"modes_of", modes_of(action) == ModesOf::normal ? "S^dagger S" : "S"});
  return entries;
}

std::vector<HeaderEntry> operator_entries(const Action& action, Preconditioning form,
                                          const FermionLinks& links) {
  std::vector<HeaderEntry> entries = operator_entries(action, form);
  if (const auto clover = clover_links_entry(links)) entries.push_back(*clover);
  return entries;
}

StoredLowModes read_stored_modes(const std::string& path, int modes, const FermionLinks& links,
                                 const Action& action, Preconditioning form) {
  const ProcessGrid& grid = *links.grid;
  const GeometryPtr geometry = links.gauge.geometry_ptr();
  const Location location = links.queue.location();
  if (runs_dry()) {
    const int count = count_unread(path, modes);
    EigenvectorFileInfo unread;
    unread.modes = count;
    unread.spins = action.spins();
    unread.Ls = action.Ls();
    return {Field(geometry, eigenvectors_spec(unread, Precision::single_precision, location)),
            unread_values(count)};
  }
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", path, what));
  };
  if (!exists_on_first_rank(path, grid))
    refuse(
        "there is no such file of eigenvectors; the job type eigenvectors on the same gauge field writes it");
  const EigenvectorFileInfo file = read_eigenvector_info(path, grid);
  const std::string differences =
      differences_of(file, links.gauge.geometry().global(), operator_entries(action, form, links),
                     checksum_of_any_links(grid, links.gauge));
  if (!differences.empty()) refuse("its eigenvectors are of another operator: " + differences);
  if (modes > file.modes)
    refuse(fmt::format("it holds {} eigenvectors, {} are to deflate", file.modes, modes));
  const auto first = file.info.values.begin();
  Field all(geometry, eigenvectors_spec(file, Precision::single_precision, location));
  read_eigenvectors(path, grid, all);
  return {std::move(all), std::vector<double>(first, first + (modes == 0 ? file.modes : modes))};
}

std::unique_ptr<Deflation> read_deflation(const std::string& path, int modes, const FermionLinks& links,
                                          const Action& action, Preconditioning form, LinearOperator& s,
                                          int batch) {
  const MemoryName name("eigenvectors");
  const auto deflation_of = [&](const std::vector<double>& values) {
    return std::make_unique<Deflation>(s, *links.grid, batch, modes_of(action), values);
  };
  if (runs_dry()) return deflation_of(unread_values(count_unread(path, modes)));
  const StoredLowModes stored = read_stored_modes(path, modes, links, action, form);
  auto deflation = deflation_of(stored.values);
  const int Ls = action.Ls();
  for (int i = 0; i < static_cast<int>(stored.values.size()); ++i)
    for (int slice = 0; slice < Ls; ++slice)
      copy_subfield(deflation->mode(i), slice, stored.modes, i * Ls + slice);
  log::info(fmt::format("{}: {} of {} eigenvectors deflate, eigenvalues {:.3g} to {:.3g}", path,
                        stored.values.size(), stored.modes.subfields() / Ls, stored.values.front(),
                        stored.values.back()));
  return deflation;
}

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
  if (TraceCounts* counts = TraceCounts::current())
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
  found.operator_entries = operator_entries(*operators.action(), form, links);
  FieldSpec spec = Deflation::mode_spec(a);
  Field one(a.geometry(), spec);
  spec.subfields = settings.modes * spec.Ls;
  found.modes = Field(a.geometry(), spec);
  for (int i = 0; i < settings.modes; ++i) {
    copy(one, lanczos.vector(i));
    for (int slice = 0; slice < spec.Ls; ++slice) copy_subfield(found.modes, i * spec.Ls + slice, one, slice);
  }
  return found;
}

}  // namespace plaq
