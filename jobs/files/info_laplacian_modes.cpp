#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/laplacian_modes/laplacian_mode_file.hpp"
#include "io/laplacian_modes/laplacian_mode_scidac.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/files/info_report.hpp"

namespace plaq::jobs {
namespace {

void print_laplacian_modes(const LaplacianModeFileInfo& file, bool verified) {
  const LaplacianModeInfo& info = file.info;
  print_safely("file        {}\n", file.path);
  print_safely("format      SciDAC, modes of the Laplacian in space, {} precision, {}\n",
               name_of(file.precision), name_of(ByteOrder::big));
  print_safely("lattice     {}\n", to_string(file.extents));
  print_safely("modes       {} of each time slice\n", file.modes);
  print_safely("bytes       {} of numbers from byte {} on\n", file.data_bytes, file.data_offset);
  print_safely("checksum    {}\n", file.checksum.text());
  print_safely("\nwritten by  plaq {}\n", info.plaq_version);
  for (const auto& entry : info.operator_entries)
    print_safely("operator    {} = {}\n", entry.key, entry.value);
  print_safely("links       checksum {}, in double precision\n", info.links.text());
  const auto modes = static_cast<std::size_t>(file.modes);
  for (std::size_t first = 0; first < info.values.size(); first += modes) {
    const auto bounds = info.bounds.begin() + static_cast<std::ptrdiff_t>(first);
    print_safely("slice {:<5} eigenvalues {:.10g} to {:.10g}, +- {:.1e} at most\n", first / modes,
                 info.values[first], info.values[first + modes - 1],
                 *std::max_element(bounds, bounds + file.modes));
  }
  for (const auto& entry : info.entries) print_safely("header      {} = {}\n", entry.key, entry.value);
  print_safely("\n{}\n",
               verified ? "verified: the numbers are finite and have the file's checksum" : "NOT VERIFIED");
}

nlohmann::ordered_json json_of_laplacian_modes(const LaplacianModeFileInfo& file,
                                               const std::optional<Error>& error) {
  using Json = nlohmann::ordered_json;
  Json out = {{"file", file.path},
              {"kind", "laplacian_modes"},
              {"format", "SciDAC"},
              {"extents", file.extents},
              {"precision", name_of(file.precision)},
              {"byte_order", name_of(ByteOrder::big)},
              {"modes", file.modes},
              {"data_offset", file.data_offset},
              {"data_bytes", file.data_bytes},
              {"checksum", file.checksum.text()},
              {"laplacian_modes", Json::parse(to_text(file))},
              {"verified", !error}};
  if (error) out["error"] = error->what();
  return out;
}

}  // namespace

void show_laplacian_modes(const InfoOptions& options, const Extents& extents) {
  const std::optional<Error> error = problem_of_numbers(extents, [&](const ProcessGrid& grid) {
    const LaplacianModeFileInfo file = read_laplacian_mode_info(options.file, grid);
    Field modes(grid.geometry(extents),
                laplacian_modes_spec(file.modes, Precision::single_precision, Location::host));
    read_laplacian_modes(options.file, grid, modes);
  });
  print_report(
      options, [&] { print_laplacian_modes(inspect_laplacian_mode_file(options.file), !error); },
      [&] { return json_of_laplacian_modes(inspect_laplacian_mode_file(options.file), error); }, error);
}

}  // namespace plaq::jobs
