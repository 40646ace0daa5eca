#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/eigenvectors/eigenvector_file.hpp"
#include "io/eigenvectors/eigenvector_scidac.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/files/info_report.hpp"

namespace plaq::jobs {
namespace {

void print_eigenvectors(const EigenvectorFileInfo& file, bool verified) {
  const EigenvectorInfo& info = file.info;
  print_safely("file        {}\n", file.path);
  print_safely("format      SciDAC, eigenvectors, {} precision, {}\n", name_of(file.precision),
               name_of(ByteOrder::big));
  print_safely("lattice     {}\n", to_string(file.extents));
  print_safely("modes       {} on the even sites, of {} spins{}\n", file.modes, file.spins,
               file.Ls == 1 ? "" : fmt::format(" and {} slices", file.Ls));
  print_safely("bytes       {} of numbers from byte {} on\n", file.data_bytes, file.data_offset);
  print_safely("checksum    {}\n", file.checksum.text());
  print_safely("\nwritten by  plaq {}\n", info.plaq_version);
  for (const auto& entry : info.operator_entries)
    print_safely("operator    {} = {}\n", entry.key, entry.value);
  print_safely("links       checksum {}, in double precision\n", info.links.text());
  for (std::size_t i = 0; i < info.values.size(); ++i)
    print_safely("eigenvalue  {:.10g} +- {:.1e}\n", info.values[i], info.bounds[i]);
  for (const auto& entry : info.entries) print_safely("header      {} = {}\n", entry.key, entry.value);
  print_safely("\n{}\n",
               verified ? "verified: the numbers are finite and have the file's checksum" : "NOT VERIFIED");
}

nlohmann::ordered_json json_of_eigenvectors(const EigenvectorFileInfo& file,
                                            const std::optional<Error>& error) {
  using Json = nlohmann::ordered_json;
  Json out = {{"file", file.path},
              {"kind", "eigenvectors"},
              {"format", "SciDAC"},
              {"extents", file.extents},
              {"precision", name_of(file.precision)},
              {"byte_order", name_of(ByteOrder::big)},
              {"modes", file.modes},
              {"data_offset", file.data_offset},
              {"data_bytes", file.data_bytes},
              {"checksum", file.checksum.text()},
              {"eigenvectors", Json::parse(to_text(file))},
              {"verified", !error}};
  if (error) out["error"] = error->what();
  return out;
}

}  // namespace

void show_eigenvectors(const InfoOptions& options, const Extents& extents) {
  const std::optional<Error> error = problem_of_numbers(extents, [&](const ProcessGrid& grid) {
    const EigenvectorFileInfo file = read_eigenvector_info(options.file, grid);
    Field modes(grid.geometry(extents), eigenvectors_spec(file, Precision::single_precision, Location::host));
    read_eigenvectors(options.file, grid, modes);
  });
  print_report(
      options, [&] { print_eigenvectors(inspect_eigenvector_file(options.file), !error); },
      [&] { return json_of_eigenvectors(inspect_eigenvector_file(options.file), error); }, error);
}

}  // namespace plaq::jobs
