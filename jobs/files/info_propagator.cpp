#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "comms/communicator/world.hpp"
#include "comms/placement/launch_site.hpp"
#include "core/system/error.hpp"
#include "io/propagator/propagator_file.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/files/info_report.hpp"
#include "jobs/files/stored_field.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

// The checksum of the numbers; none where they do not verify.
struct FoundPropagator {
  std::optional<LinkChecksum> checksum;
  bool stale = false;  // it is not that of the file, and was accepted
  std::optional<Error> error;
};

FoundPropagator read_numbers(const InfoOptions& options, const StoredField& stored) {
  const Quiet quiet;  // the report lists them itself
  choose_launch_site(world(), "host", 0);
  const ProcessGrid grid(world(), choose_grid(world_size(), stored.extents));
  FoundPropagator found;
  try {
    Field propagator(grid.geometry(stored.extents),
                     propagator_spec(stored.quarks, stored.precision, stored.columns));
    const PropagatorReadReport report =
        read_propagator(options.file, grid, propagator, {options.accept_checksums});
    found.checksum = report.checksum;
    found.stale = report.stale_checksum;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    found.error = error;
  }
  return found;
}

std::string described_basis(const PropagatorFileInfo& info) {
  switch (info.basis) {
    case SpinBasis::milc:
      return "DeGrand-Rossi basis with MILC's signs of the gamma matrices";
    case SpinBasis::fnal:
      return "basis of FNAL";
    default:
      return "DeGrand-Rossi basis";
  }
}

std::string described_columns(const PropagatorFileInfo& info) {
  const bool spinors = info.quarks == PropagatorKind::spinors;
  const std::string what = spinors
                               ? described_basis(info)
                               : fmt::format("staggered quarks, phases {}{}", name_of(info.phases),
                                             info.phases == StaggeredPhases::txyz ? ", which is MILC's" : "");
  if (info.count == 1) return fmt::format("1: a single quark field; {}", what);
  return fmt::format("{}: {}color of the source{} {}", info.count, spinors ? "spin and " : "",
                     spinors ? "," : ";", what);
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

void print_text(const PropagatorFileInfo& info, const FoundPropagator& found) {
  const std::string unknown = "unknown";
  print_safely("file       {}\n", info.path);
  print_safely("format     {}, {}, {} precision, {}\n", name_of(info.format),
               info.count == 1 ? "quark field" : "propagator", name_of(info.precision), name_of(info.order));
  print_safely("lattice    {}\n", to_string(info.extents));
  print_safely("columns    {}\n", described_columns(info));
  print_safely("bytes      {} of numbers, {}\n", info.data_bytes, described_places(info));
  print_safely("checksum   {} in the file, {} of the numbers\n",
               info.checksum ? info.checksum->text() : "absent",
               found.checksum ? found.checksum->text() : unknown);
  if (!info.metadata.empty()) print_safely("\nIts text:\n\n{}\n", info.metadata);
  for (const auto& warning : info.warnings) print_safely("warning    {}\n", warning);
  if (found.stale)
    print_safely("accepted   numbers of checksum {}, where the file states {}\n", found.checksum->text(),
                 info.checksum ? info.checksum->text() : "others");
  print_safely("\n{}\n", found.error     ? "NOT VERIFIED"
                         : found.stale   ? "verified but for the checksum: the numbers are finite"
                         : info.checksum ? "verified: the numbers are finite and have the file's checksum"
                                         : "the numbers are finite; the file has no checksum to verify");
}

Json to_json(const PropagatorFileInfo& info, const FoundPropagator& found) {
  Json out = {{"file", info.path},
              {"kind", "propagator"},
              {"format", name_of(info.format)},
              {"extents", info.extents},
              {"precision", name_of(info.precision)},
              {"byte_order", name_of(info.order)},
              {"quarks", info.quarks == PropagatorKind::spinors ? "spinors" : "staggered"},
              {"columns", info.count},
              {"data_offset", info.data_offset},
              {"data_bytes", info.data_bytes},
              {"checksum", nullptr},
              {"numbers", nullptr},
              {"text", info.metadata},
              {"warnings", info.warnings}};
  if (info.quarks == PropagatorKind::spinors)
    out["spin_basis"] = name_of(info.basis);
  else
    out["staggered_phases"] = name_of(info.phases);
  if (!info.columns.empty()) out["column_offsets"] = places_of(info);
  if (info.checksum) out["checksum"] = info.checksum->text();
  if (found.checksum) out["numbers"] = {{"checksum", found.checksum->text()}, {"finite", true}};
  if (found.stale) out["accepted_checksum"] = found.checksum->text();
  out["verified"] = !found.error;
  if (found.error) out["error"] = found.error->what();
  return out;
}

}  // namespace

void show_propagator(const InfoOptions& options, const StoredField& stored) {
  const FoundPropagator found = read_numbers(options, stored);
  print_report(
      options, [&] { print_text(inspect_propagator(options.file), found); },
      [&] { return to_json(inspect_propagator(options.file), found); }, found.error);
}

}  // namespace plaq::jobs
