#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "comms/communicator/world.hpp"
#include "comms/placement/launch_site.hpp"
#include "io/transformation/transformation_file.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/files/info_report.hpp"
#include "jobs/files/stored_field.hpp"
#include "kernels/gauge/temporal_gauge.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

struct FoundTransformation {
  std::optional<TransformationReadReport> read;  // none where it does not verify
  std::optional<Error> error;
};

FoundTransformation read_matrices(const std::string& path, const Extents& extents) {
  const Quiet quiet;  // the report lists them itself
  choose_launch_site(world(), "host", 0);
  const ProcessGrid grid(world(), choose_grid(world_size(), extents));
  FoundTransformation found;
  try {
    Field g(grid.geometry(extents), gauge_frame_spec(Precision::double_precision, Location::host));
    found.read = read_transformation(path, grid, g);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    found.error = error;
  }
  return found;
}

void print_text(const TransformationFileInfo& info, const FoundTransformation& found) {
  const auto if_read = [&](const std::string& text) { return found.read ? text : "unknown"; };
  print_safely("file                 {}\n", info.path);
  print_safely("format               SciDAC, gauge transformation, {} precision, {}\n",
               name_of(info.precision), name_of(ByteOrder::big));
  print_safely("lattice              {}\n", to_string(info.extents));
  print_safely("bytes                {} of matrices from byte {} on\n", info.data_bytes, info.data_offset);
  print_safely("checksum             {} in the file, {} of the matrices\n",
               info.checksum ? info.checksum->text() : "absent",
               if_read(found.read ? found.read->checksum.text() : ""));
  print_safely("unitarity violation  {}\n",
               if_read(found.read ? fmt::format("{:.1e}", found.read->unitarity_violation) : ""));
  print_safely("\n");
  for (const auto& entry : info.entries) print_safely("header   {} = {}\n", entry.key, entry.value);
  for (const auto& warning : info.warnings) print_safely("warning  {}\n", warning);
  print_safely("\n{}\n", found.error     ? "NOT VERIFIED"
                         : info.checksum ? "verified: the matrices are SU(3) and have the file's checksum"
                                         : "the matrices are SU(3); the file has no checksum to verify");
}

Json to_json(const TransformationFileInfo& info, const FoundTransformation& found) {
  Json out = {{"file", info.path},
              {"kind", "gauge transformation"},
              {"format", "SciDAC"},
              {"extents", info.extents},
              {"precision", name_of(info.precision)},
              {"byte_order", name_of(ByteOrder::big)},
              {"data_offset", info.data_offset},
              {"data_bytes", info.data_bytes},
              {"checksum", nullptr},
              {"matrices", nullptr},
              {"entries", Json::array()},
              {"warnings", info.warnings}};
  if (info.checksum) out["checksum"] = info.checksum->text();
  for (const auto& entry : info.entries)
    out["entries"].push_back({{"key", entry.key}, {"value", entry.value}});
  if (found.read)
    out["matrices"] = {{"checksum", found.read->checksum.text()},
                       {"unitarity_violation", found.read->unitarity_violation}};
  out["verified"] = !found.error;
  if (found.error) out["error"] = found.error->what();
  return out;
}

}  // namespace

void show_transformation(const InfoOptions& options, const Extents& extents) {
  const FoundTransformation found = read_matrices(options.file, extents);
  print_report(
      options, [&] { print_text(inspect_transformation(options.file), found); },
      [&] { return to_json(inspect_transformation(options.file), found); }, found.error);
}

}  // namespace plaq::jobs
