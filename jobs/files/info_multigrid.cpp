#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "io/multigrid/multigrid_file.hpp"
#include "io/multigrid/multigrid_scidac.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/files/info_report.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

void print_text(const MultigridFileInfo& info, bool verified) {
  const MultigridSetupInfo& setup = info.setup;
  print_safely("file        {}\n", info.path);
  print_safely("format      SciDAC, multigrid setup, {} precision, {}\n", name_of(info.precision),
               name_of(ByteOrder::big));
  print_safely("lattice     {}\n", to_string(info.extents));
  print_safely("vectors     {} near-null vectors on the even sites{}\n", info.vectors,
               info.Ls == 1 ? "" : fmt::format(", of {} slices", info.Ls));
  print_safely("bytes       {} of numbers from byte {} on\n", info.data_bytes, info.data_offset);
  print_safely("checksum    {}\n", info.checksum.text());
  print_safely("\nwritten by  plaq {}\n", setup.plaq_version);
  for (const auto& entry : setup.operator_entries)
    print_safely("operator    {} = {}\n", entry.key, entry.value);
  print_safely("links       checksum {}, in double precision\n", setup.links.text());
  for (std::size_t l = 0; l < setup.levels.size(); ++l) {
    const MultigridLevelInfo& level = setup.levels[l];
    print_safely("level {}     blocks of {}, {} vectors, {} smoothing steps; below to {} or {} iterations\n",
                 l, to_string(level.block), level.vectors, level.smoothing_steps, level.coarse_tolerance,
                 level.coarse_iterations);
  }
  print_safely("filter      {} iterations from noise of seed {}, {} on the levels below\n",
               setup.filter_iterations, setup.seed, setup.coarse_filter_iterations);
  print_safely("omega       {}\n", setup.omega);
  print_safely("rounds      {}, {}\n", setup.rounds, setup.finished ? "finished" : "more to come");
  print_safely("reductions  {}\n", setup.reductions.empty()
                                       ? "not measured"
                                       : fmt::format("{}", fmt::join(setup.reductions, " ")));
  for (const auto& entry : setup.entries) print_safely("header      {} = {}\n", entry.key, entry.value);
  print_safely("\n{}\n",
               verified ? "verified: the numbers are finite and have the file's checksum" : "NOT VERIFIED");
}

Json to_json(const MultigridFileInfo& info, const std::optional<Error>& error) {
  Json out = {{"file", info.path},
              {"kind", "multigrid setup"},
              {"format", "SciDAC"},
              {"extents", info.extents},
              {"precision", name_of(info.precision)},
              {"byte_order", name_of(ByteOrder::big)},
              {"vectors", info.vectors},
              {"data_offset", info.data_offset},
              {"data_bytes", info.data_bytes},
              {"checksum", info.checksum.text()},
              {"setup", Json::parse(to_text(info))},
              {"verified", !error}};
  if (error) out["error"] = error->what();
  return out;
}

}  // namespace

void show_multigrid(const InfoOptions& options, const Extents& extents) {
  const std::optional<Error> error = problem_of_numbers(extents, [&](const ProcessGrid& grid) {
    const MultigridFileInfo info = read_multigrid_info(options.file, grid);
    Field vectors(grid.geometry(extents),
                  near_null_vectors_spec(info.vectors, Precision::single_precision, info.Ls));
    read_near_null_vectors(options.file, grid, vectors);
  });
  print_report(
      options, [&] { print_text(inspect_multigrid_file(options.file), !error); },
      [&] { return to_json(inspect_multigrid_file(options.file), error); }, error);
}

}  // namespace plaq::jobs
