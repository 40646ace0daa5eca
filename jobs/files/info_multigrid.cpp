#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "io/multigrid/multigrid_file.hpp"
#include "io/multigrid/multigrid_text.hpp"
#include "jobs/files/info_report.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

void print_text(const MultigridFileInfo& info, bool verified) {
  const MultigridSetupInfo& setup = info.setup;
  const WilsonParameters& action = setup.action;
  fmt::print("file        {}\n", info.path);
  fmt::print("format      SciDAC, multigrid setup, {} precision, {}\n", name_of(info.precision),
             name_of(ByteOrder::big));
  fmt::print("lattice     {}\n", to_string(info.extents));
  fmt::print("vectors     {} near-null vectors on the even sites\n", info.vectors);
  fmt::print("bytes       {} of numbers from byte {} on\n", info.data_bytes, info.data_offset);
  fmt::print("checksum    {}\n", info.checksum.text());
  fmt::print("\nwritten by  plaq {}\n", setup.plaq_version);
  fmt::print("action      mass {}, xi {}, nu {}, clover coefficients {} in space and {} in time\n",
             action.mass, action.xi, action.nu, action.clover.spatial, action.clover.temporal);
  fmt::print("boundary    {}\n", fmt::join(action.boundary, " "));
  fmt::print("links       checksum {}, in double precision\n", setup.links.text());
  for (std::size_t l = 0; l < setup.levels.size(); ++l) {
    const MultigridLevelInfo& level = setup.levels[l];
    fmt::print("level {}     blocks of {}, {} vectors, {} smoothing steps; below to {} or {} iterations\n", l,
               to_string(level.block), level.vectors, level.smoothing_steps, level.coarse_tolerance,
               level.coarse_iterations);
  }
  fmt::print("filter      {} iterations from noise of seed {}, {} on the levels below\n",
             setup.filter_iterations, setup.seed, setup.coarse_filter_iterations);
  fmt::print("omega       {}\n", setup.omega);
  fmt::print("rounds      {}, {}\n", setup.rounds, setup.finished ? "finished" : "more to come");
  fmt::print("reductions  {}\n",
             setup.reductions.empty() ? "not measured" : fmt::format("{}", fmt::join(setup.reductions, " ")));
  for (const auto& entry : setup.entries) fmt::print("header      {} = {}\n", entry.key, entry.value);
  fmt::print("\n{}\n",
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
    Field vectors(grid.geometry(extents), near_null_vectors_spec(info.vectors, Precision::single_precision));
    read_near_null_vectors(options.file, grid, vectors);
  });
  print_report(
      options, [&] { print_text(inspect_multigrid_file(options.file), !error); },
      [&] { return to_json(inspect_multigrid_file(options.file), error); }, error);
}

}  // namespace plaq::jobs
