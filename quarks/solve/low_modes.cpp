#include "quarks/solve/low_modes.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/runs_dry.hpp"
#include "io/bytes/exists_on_first_rank.hpp"
#include "io/eigenvectors/eigenvector_file.hpp"
#include "io/gauge/field_checksum.hpp"

namespace plaq {
namespace {

// Deflation of a dry run, which may be there before the file is.
std::unique_ptr<Deflation> unread_deflation(const std::string& path, int modes, const ProcessGrid& grid,
                                            const Action& action, LinearOperator& s, int batch) {
  std::error_code ignored;
  if (modes == 0 && !std::filesystem::exists(path, ignored))
    throw Error(
        ErrorKind::input_file,
        fmt::format("{}: there is no such file of eigenvectors; a number of modes to deflate says what "
                    "they would take",
                    path));
  if (modes == 0) modes = inspect_eigenvector_file(path).modes;
  return std::make_unique<Deflation>(s, grid, batch, modes_of(action),
                                     std::vector<double>(static_cast<std::size_t>(modes), 1));
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
  if (links.clover_links)
    entries.push_back({clover_links_key, checksum_of_any_links(*links.grid, links.clover_links).text()});
  return entries;
}

std::unique_ptr<Deflation> read_deflation(const std::string& path, int modes, const FermionLinks& links,
                                          const Action& action, Preconditioning form, LinearOperator& s,
                                          int batch) {
  const MemoryName name("eigenvectors");
  const ProcessGrid& grid = *links.grid;
  if (runs_dry()) return unread_deflation(path, modes, grid, action, s, batch);
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
  const int used = modes == 0 ? file.modes : modes;
  const auto& values = file.info.values;
  auto deflation = std::make_unique<Deflation>(s, grid, batch, modes_of(action),
                                               std::vector<double>(values.begin(), values.begin() + used));
  Field all(s.geometry(), eigenvectors_spec(file, Precision::single_precision, s.queue().location()));
  read_eigenvectors(path, grid, all);
  for (int i = 0; i < used; ++i)
    for (int slice = 0; slice < file.slices; ++slice)
      copy_subfield(deflation->mode(i), slice, all, i * file.slices + slice);
  log::info(fmt::format("{}: {} of {} eigenvectors deflate, eigenvalues {:.3g} to {:.3g}", path, used,
                        file.modes, values.front(), values[static_cast<std::size_t>(used - 1)]));
  return deflation;
}

}  // namespace plaq
