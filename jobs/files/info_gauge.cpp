#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "comms/communicator/world.hpp"
#include "comms/placement/launch_site.hpp"
#include "core/system/error.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/files/info_report.hpp"
#include "jobs/files/stored_field.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

// Observables of the links; nothing if they could not be read.
struct FoundLinks {
  std::optional<GaugeReadReport> read;
  GaugeObservables observables;
  std::optional<Error> error;  // the first thing that does not verify
  bool stale() const { return read && read->stale_checksum; }
};

// Collective; every rank finds the same. On the host: a look at a file needs no GPU.
FoundLinks read_links(const InfoOptions& options, const Extents& extents) {
  const Quiet quiet;  // the report lists them itself
  choose_launch_site(world(), "host", 0);
  const ProcessGrid grid(world(), choose_grid(world_size(), extents));
  FoundLinks found;
  try {
    Field links(grid.geometry(extents), gauge_spec(Precision::double_precision, Location::host));
    found.read = read_gauge_file(options.file, grid, links, {.accept_checksums = options.accept_checksums});
    found.observables = measure_on_host(grid, links);
    verify_gauge_file(*found.read, found.observables.plaquette.all, found.observables.link_trace);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    found.error = error;
  }
  return found;
}

std::string or_absent(const std::optional<double>& x) { return x ? fmt::format("{:.12f}", *x) : "absent"; }

bool is_verified(const FoundLinks& found) {
  return !found.error && !compared_with_header(*found.read).empty();
}

// "checksum, plaquette and link trace".
std::string listed(const std::vector<std::string>& names, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? last : ", ") + names[i];
  return text;
}

std::string verdict(const FoundLinks& found) {
  if (found.error) return "NOT VERIFIED";
  const auto compared = compared_with_header(*found.read), absent = compared_with_header(*found.read, false);
  if (compared.empty())
    return "NOT VERIFIED: the links are SU(3), but the file states no number to compare with them";
  std::string text = fmt::format("verified{}: {} of the links {} with the header",
                                 found.stale() ? " but for the checksum" : "", listed(compared, " and "),
                                 compared.size() == 1 ? "agrees" : "agree");
  if (!absent.empty()) text += fmt::format("; it states no {}", listed(absent, " or "));
  return text;
}

// Steps of the chain whose checkpoint the file is; empty: it is none.
std::string checkpoint_steps(const GaugeFileInfo& info) {
  const auto found = std::find_if(info.entries.begin(), info.entries.end(),
                                  [](const auto& entry) { return entry.key == sweep_key; });
  return found == info.entries.end() ? "" : found->value;
}

void print_text(const GaugeFileInfo& info, const FoundLinks& found) {
  print_safely("file                 {}\n", info.path);
  print_safely("format               {}, {}, {} precision, {}\n", name_of(info.format),
               info.links.rows == 3 ? "3x3" : "3x2 (the third rows are rebuilt)",
               name_of(info.links.precision), name_of(info.links.order));
  print_safely("lattice              {}\n", to_string(info.extents));
  print_safely("bytes                {}, links from byte {}\n", info.file_bytes, info.data_offset);
  if (const std::string steps = checkpoint_steps(info); !steps.empty())
    print_safely("checkpoint           of a chain after {} step{}; plaq run continues the job from it\n",
                 steps, steps == "1" ? "" : "s");
  const auto& o = found.observables;
  const auto compare = [&](const char* name, const std::string& header, const std::string& links) {
    print_safely("{:<20} {:<18} {}\n", name, header, found.read ? links : "unknown");
  };
  compare("", "in the header", "of the links");
  compare("checksum", info.checksum ? info.checksum->text() : "absent",
          found.read ? found.read->checksum.text() : "");
  compare("plaquette", or_absent(info.plaquette), fmt::format("{:.12f}", o.plaquette.all));
  compare("  space", "", fmt::format("{:.12f}", o.plaquette.spatial));
  compare("  time", "", fmt::format("{:.12f}", o.plaquette.temporal));
  compare("link trace", or_absent(info.link_trace), fmt::format("{:.12f}", o.link_trace));
  compare("Polyakov loop", "",
          fmt::format("{:.12f} {:+.12f} i", o.polyakov_loop.real(), o.polyakov_loop.imag()));
  compare("unitarity violation", "", fmt::format("{:.1e}", o.unitarity_violation));
  print_safely("\n");
  for (const auto& entry : info.entries) print_safely("header   {} = {}\n", entry.key, entry.value);
  for (const auto& warning : info.warnings) print_safely("warning  {}\n", warning);
  if (found.stale())
    print_safely("accepted links of checksum {}, where the header states {}\n", found.read->checksum.text(),
                 info.checksum->text());
  print_safely("\n{}\n", verdict(found));
}

Json header_json(const GaugeFileInfo& info) {
  const auto number = [](const std::optional<double>& x) { return x ? Json(*x) : Json(); };
  Json header = {{"plaquette", number(info.plaquette)}, {"link_trace", number(info.link_trace)}};
  header["checksum"] = info.checksum ? Json(info.checksum->text()) : Json();
  header["entries"] = Json::array();
  for (const auto& entry : info.entries)
    header["entries"].push_back({{"key", entry.key}, {"value", entry.value}});
  return header;
}

Json to_json(const GaugeFileInfo& info, const FoundLinks& found) {
  Json out = {{"file", info.path},
              {"format", name_of(info.format)},
              {"extents", info.extents},
              {"precision", name_of(info.links.precision)},
              {"rows", info.links.rows},
              {"byte_order", name_of(info.links.order)},
              {"checksum_kind", name_of(info.checksum_kind)},
              {"file_bytes", info.file_bytes},
              {"data_offset", info.data_offset},
              {"header", header_json(info)},
              {"warnings", info.warnings},
              {"links", nullptr}};
  const auto& o = found.observables;
  if (found.read)
    out["links"] = {{"checksum", found.read->checksum.text()},
                    {"plaquette", o.plaquette.all},
                    {"plaquette_spatial", o.plaquette.spatial},
                    {"plaquette_temporal", o.plaquette.temporal},
                    {"link_trace", o.link_trace},
                    {"polyakov_loop", {o.polyakov_loop.real(), o.polyakov_loop.imag()}},
                    {"unitarity_violation", o.unitarity_violation}};
  if (found.stale()) out["accepted_checksum"] = found.read->checksum.text();
  out["verified"] = is_verified(found);
  out["compared"] = found.error ? Json::array() : Json(compared_with_header(*found.read));
  if (found.error) out["error"] = found.error->what();
  return out;
}

}  // namespace

void show_gauge(const InfoOptions& options, const Extents& extents) {
  const FoundLinks found = read_links(options, extents);
  print_report(
      options, [&] { print_text(inspect_gauge_file(options.file), found); },
      [&] { return to_json(inspect_gauge_file(options.file), found); }, found.error);
}

}  // namespace plaq::jobs
