#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "comms/placement/launch_site.hpp"
#include "core/system/error.hpp"
#include "io/propagator/propagator_file.hpp"
#include "jobs/files/host_gauge.hpp"
#include "jobs/files/info_report.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

// The checksum of the numbers; none where they do not verify.
struct Found {
  std::optional<LinkChecksum> checksum;
  std::optional<Error> error;
};

Found read_numbers(const std::string& path, const StoredField& stored) {
  const QuietWarnings quiet;  // the report lists them itself
  choose_launch_site(MPI_COMM_WORLD, "host", 0);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(ranks, stored.extents));
  Found found;
  try {
    Field propagator(grid.geometry(stored.extents), propagator_spec(stored.quarks, stored.precision));
    found.checksum = read_propagator(path, grid, propagator).checksum;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    found.error = error;
  }
  return found;
}

std::string described_columns(const PropagatorFileInfo& info) {
  const int columns = columns_of(info.quarks);
  if (info.quarks == PropagatorKind::spinors)
    return fmt::format("{}: spin and color of the source, DeGrand-Rossi basis", columns);
  return fmt::format("{}: color of the source; staggered quarks, phases {}{}", columns, name_of(info.phases),
                     info.phases == StaggeredPhases::txyz ? ", which is MILC's" : "");
}

std::vector<std::uint64_t> places_of(const PropagatorFileInfo& info) {
  std::vector<std::uint64_t> places;
  for (const ColumnRecord& column : info.columns) places.push_back(column.offset);
  return places;
}

std::string described_places(const PropagatorFileInfo& info) {
  if (info.columns.empty()) return fmt::format("from byte {} on", info.data_offset);
  return fmt::format("columns from bytes {} on", fmt::join(places_of(info), ", "));
}

void print_text(const PropagatorFileInfo& info, const Found& found) {
  const std::string unknown = "unknown";
  fmt::print("file       {}\n", info.path);
  fmt::print("format     {}, propagator, {} precision, {}\n", name_of(info.format), name_of(info.precision),
             name_of(info.order));
  fmt::print("lattice    {}\n", to_string(info.extents));
  fmt::print("columns    {}\n", described_columns(info));
  fmt::print("bytes      {} of numbers, {}\n", info.data_bytes, described_places(info));
  fmt::print("checksum   {} in the file, {} of the numbers\n",
             info.checksum ? info.checksum->text() : "absent",
             found.checksum ? found.checksum->text() : unknown);
  if (!info.metadata.empty()) fmt::print("\nIts text:\n\n{}\n", info.metadata);
  for (const auto& warning : info.warnings) fmt::print("warning    {}\n", warning);
  fmt::print("\n{}\n", found.error     ? "NOT VERIFIED"
                       : info.checksum ? "verified: the numbers are finite and have the file's checksum"
                                       : "the numbers are finite; the file has no checksum to verify");
}

Json to_json(const PropagatorFileInfo& info, const Found& found) {
  Json out = {{"file", info.path},
              {"kind", "propagator"},
              {"format", name_of(info.format)},
              {"extents", info.extents},
              {"precision", name_of(info.precision)},
              {"byte_order", name_of(info.order)},
              {"quarks", info.quarks == PropagatorKind::spinors ? "spinors" : "staggered"},
              {"columns", columns_of(info.quarks)},
              {"data_offset", info.data_offset},
              {"data_bytes", info.data_bytes},
              {"checksum", nullptr},
              {"numbers", nullptr},
              {"text", info.metadata},
              {"warnings", info.warnings}};
  if (info.quarks == PropagatorKind::spinors)
    out["spin_basis"] = "DeGrand-Rossi";
  else
    out["staggered_phases"] = name_of(info.phases);
  if (!info.columns.empty()) out["column_offsets"] = places_of(info);
  if (info.checksum) out["checksum"] = info.checksum->text();
  if (found.checksum) out["numbers"] = {{"checksum", found.checksum->text()}, {"finite", true}};
  out["verified"] = !found.error;
  if (found.error) out["error"] = found.error->what();
  return out;
}

}  // namespace

void show_propagator(const InfoOptions& options, const StoredField& stored) {
  const Found found = read_numbers(options.file, stored);
  print_report(
      options, [&] { print_text(inspect_propagator(options.file), found); },
      [&] { return to_json(inspect_propagator(options.file), found); }, found.error);
}

}  // namespace plaq::jobs
