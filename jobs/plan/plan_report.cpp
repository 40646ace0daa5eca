// A plan as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/launch/queue.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/dirac/multigrid_memory.hpp"
#include "jobs/plan/plan.hpp"
#include "jobs/schema/common_keys.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_listed = 8;  // files, then the rest is counted

// Memory of this machine; 0: unknown.
std::uint64_t memory_of_host() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
}

std::string human(double bytes) { return bytes_text(bytes); }
std::string human(std::uint64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

bool file_exists(const std::string& path) {
  std::error_code unreadable;
  return std::filesystem::exists(path, unreadable) || unreadable;
}

std::string split_directions(const Geometry& geometry) {
  std::string text;
  for (int mu = 0; mu < 4; ++mu) {
    if (!geometry.partitioned(mu)) continue;
    const bool forced = geometry.decomposition().ranks[static_cast<std::size_t>(mu)] == 1;
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", "xyzt"[mu], forced ? " (forced)" : "");
  }
  return text.empty() ? "none" : text;
}

std::uint64_t disk_bytes(const Plan& plan, bool with_temporary = true) {
  std::uint64_t total = 0;
  for (const DryFile& file : plan.run().files())
    if (with_temporary || !file.temporary) total += file.bytes;
  return total;
}

std::string lattice_text(const Plan& plan) {
  const Geometry& geometry = plan.geometry();
  const bool given = plan.job().get<CommsKeys>().process_grid.has_value();
  const Extents& grid = geometry.decomposition().ranks;
  const std::string nodes =
      plan.ranks_per_node() == 0
          ? std::string()
          : fmt::format(", of it {} on a node",
                        to_string(choose_block(grid, geometry.global(), plan.ranks_per_node())));
  return fmt::format(
      "lattice        {}\nprocess grid   {}, {}{}\nlocal lattice  {}, {} sites a rank\nhalo exchange  {}\n",
      to_string(geometry.global()), to_string(grid), given ? "of the job file" : "chosen", nodes,
      to_string(geometry.local()), geometry.local_volume(), split_directions(geometry));
}

bool is_exact(const MemoryItem& item) { return item.kind != MemoryItem::Kind::container; }

// True if it solves with multigrid, or may: of studies the names of solvers say it.
bool may_have_multigrid(const JobFile& job) {
  const Schema& schema = job.schema();
  if (schema.find("multigrid") == nullptr) return false;
  return schema.find("solver", "preconditioner") == nullptr || has_multigrid(job);
}

// Text on plans of the same job in which a rank has at most `most` bytes there.
std::string other_plans_text(const Plan& plan, Location location, double most) {
  const JobFile& job = plan.job();
  if (!may_have_multigrid(job)) return {};
  const std::vector<int> vectors = job.get<MultigridOptions>().vectors;
  const int of_node = plan.ranks_per_node() > 0 ? plan.ranks_per_node() : plan.ranks();
  return ' ' + what_would_fit(vectors, plan.ranks(), [&](const std::vector<int>& fewer, int ranks) {
           const std::string setting = fmt::format("multigrid.vectors=[{}]", fmt::join(fewer, ", "));
           const JobFile other = JobFile::parse(job.canonical_text(), job.file(), {setting});
           const Plan of_other(other, ranks, plan.location(), ranks > of_node ? of_node : 0,
                               plan.run().assumptions());
           return static_cast<double>(of_other.peak(location).bytes) <= most;
         });
}

std::string memory_text(const Plan& plan, Location location) {
  const Ledger::Peak& peak = plan.peak(location);
  const bool gpu = location == Location::device;
  std::string text =
      wrapped(fmt::format("Memory of each rank on the {}: {} at most, while {}:", gpu ? "GPU" : "host",
                          human(peak.bytes), peak.phase)) +
      '\n';
  for (const MemoryItem& item : peak.items)
    text += fmt::format("{:>12}  {}{}\n", human(item.bytes), is_exact(item) ? "" : "about, ",
                        item.name.empty() ? "others" : item.name);
  text += '\n';
  const bool known = gpu && plan.machine() && plan.machine()->memory > 0;
  const std::uint64_t machine = known ? static_cast<std::uint64_t>(plan.machine()->memory)
                                : gpu ? device_memory()
                                      : memory_of_host();
  const double all = static_cast<double>(peak.bytes) * (gpu ? 1 : plan.ranks());
  const bool fits = machine == 0 || all <= static_cast<double>(machine);
  const std::string better =
      fits ? "" : other_plans_text(plan, location, static_cast<double>(machine) / (gpu ? 1 : plan.ranks()));
  if (gpu && machine > 0)
    text += wrapped(fmt::format("A GPU {} has {}{}.{}", known ? "of " + plan.machine()->name : "here",
                                human(machine), fits ? "" : ": it does not fit", better));
  if (gpu || machine == 0) return text;
  const std::string ranks =
      plan.ranks() == 1 ? "One rank needs" : fmt::format("All {} ranks need", plan.ranks());
  return text + wrapped(fmt::format(
                    "{} {}; this machine has {}{}. The program, MPI and libraries come on top.{}", ranks,
                    human(all), human(machine), fits ? "" : ": on it alone they do not fit", better));
}

// The sentence of what plaq run would make of what is there; `there`: how many of its files exist.
std::string outlook_text(const Plan& plan, std::size_t there) {
  const auto& [kind, reason] = plan.run().outlook();
  switch (kind) {
    case Outlook::Kind::complete:
      return wrapped(reason + ": plaq run would do nothing.");
    case Outlook::Kind::goes_on:
      return wrapped(reason + ": plaq run would go on from there.");
    case Outlook::Kind::stops:
      return wrapped("plaq run would stop: " + reason + '.');
    case Outlook::Kind::begins:
      break;
  }
  if (!reason.empty()) return wrapped(reason + ": plaq run would begin again.");
  if (there == 0) return {};
  return wrapped(
      fmt::format("{} of these files exist{} and will be replaced.", there, there == 1 ? "s" : ""));
}

std::string_view name_of(Outlook::Kind kind) {
  switch (kind) {
    case Outlook::Kind::complete:
      return "complete";
    case Outlook::Kind::goes_on:
      return "goes on";
    case Outlook::Kind::stops:
      return "stops";
    case Outlook::Kind::begins:
      break;
  }
  return "begins";
}

std::string files_text(const Plan& plan) {
  const std::vector<DryFile> files = plan.files();
  std::string text = "Files, with about as many bytes:\n\n";
  std::size_t there = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool exists = file_exists(files[i].name), many = files.size() > most_listed;
    there += exists ? 1 : 0;
    if (many && i == most_listed - 2)
      text += fmt::format("{:>12}  {} more\n", "...", files.size() - most_listed + 1);
    if (many && i >= most_listed - 2 && i + 1 < files.size()) continue;
    text +=
        fmt::format("{:>12}  {}{}{}\n", human(files[i].bytes), files[i].name,
                    files[i].temporary ? "  (until the job is complete)" : "", exists ? "  (exists)" : "");
  }
  const std::uint64_t all = disk_bytes(plan), stays = disk_bytes(plan, false);
  text += '\n' + wrapped(fmt::format("At most {} on disk, of which {} stay.", human(all), human(stays)));
  return text + outlook_text(plan, there);
}

// Bytes that a rank sends in a pass of the first section that has faces, in one direction.
struct Messages {
  int mu = 0;
  double count = 0, bytes = 0;  // bytes: of one
};
std::vector<Messages> messages_of(const PerformanceTrace::Section& section) {
  std::vector<Messages> all;
  for (const auto& [step, count] : section.rows)
    for (std::size_t d = 0; d < 8; ++d) {
      const double bytes = step.faces.bytes[d], times = static_cast<double>(count) / section.passes;
      if (!(bytes > 0)) continue;
      const auto same = std::find_if(all.begin(), all.end(), [&](const Messages& m) {
        return m.mu == static_cast<int>(d / 2) && m.bytes == bytes;
      });
      if (same != all.end()) {
        same->count += times;
      } else {
        all.push_back({static_cast<int>(d / 2), times, bytes});
      }
    }
  std::stable_sort(all.begin(), all.end(), [](const Messages& a, const Messages& b) { return a.mu < b.mu; });
  return all;
}
const PerformanceTrace::Section* section_with_faces(const Plan& plan) {
  for (const PerformanceTrace::Section* section : plan.sections())
    if (!messages_of(*section).empty()) return section;
  return nullptr;
}

std::string messages_text(const Plan& plan) {
  const PerformanceTrace::Section* section = section_with_faces(plan);
  if (section == nullptr) return {};
  std::string text = wrapped(fmt::format("Messages that a rank sends ({}):", section->name)) + '\n';
  for (const Messages& m : messages_of(*section))
    text += fmt::format("  {}  {:.3g} x {} = {}\n", "xyzt"[m.mu], m.count, human(m.bytes),
                        human(m.count * m.bytes));
  return text + '\n';
}

Json memory_json(const Plan& plan, Location location) {
  const Ledger::Peak& peak = plan.peak(location);
  Json out = {{"bytes", peak.bytes}, {"buffer_bytes", peak.buffer_bytes}, {"phase", peak.phase}};
  out["machine_bytes"] =
      location == Location::device ? static_cast<std::uint64_t>(device_memory()) : memory_of_host();
  out["items"] = Json::array();
  for (const MemoryItem& item : peak.items)
    out["items"].push_back({{"name", item.name}, {"bytes", item.bytes}, {"exact", is_exact(item)}});
  return out;
}

}  // namespace

std::string plan_text(const Plan& plan) {
  const bool gpu = plan.location() == Location::device;
  std::string text = fmt::format("{}: {}, {} rank{} on {}\n\n", plan.job().file(), plan.job().type(),
                                 plan.ranks(), plan.ranks() == 1 ? "" : "s", gpu ? "GPUs" : "the host");
  text += lattice_text(plan) + '\n';
  for (const auto& note : plan.run().notes()) text += wrapped(note);
  if (!plan.run().notes().empty()) text += '\n';
  if (gpu || plan.peak(Location::device).bytes > 0)
    text += memory_text(plan, Location::device) + (device_memory() > 0 || plan.machine() ? "\n" : "");
  text += memory_text(plan, Location::host) + '\n' + messages_text(plan) + prediction_text(plan) +
          files_text(plan);
  return text;
}

std::string plan_json(const Plan& plan) {
  const Geometry& geometry = plan.geometry();
  Json out = {{"file", plan.job().file()},
              {"job", plan.job().type()},
              {"ranks", plan.ranks()},
              {"ranks_per_node", plan.ranks_per_node() > 0 ? plan.ranks_per_node() : plan.ranks()},
              {"location", plan.location() == Location::device ? "gpu" : "host"}};
  out["lattice"] = geometry.global();
  out["process_grid"] = geometry.decomposition().ranks;
  out["local_lattice"] = geometry.local();
  out["partitioned"] = Json::array();
  for (int mu = 0; mu < 4; ++mu)
    if (geometry.partitioned(mu)) out["partitioned"].push_back(std::string(1, "xyzt"[mu]));
  out["notes"] = plan.run().notes();
  out["memory_of_a_rank"] = {{"host", memory_json(plan, Location::host)},
                             {"gpu", memory_json(plan, Location::device)}};
  out["messages_of_a_rank"] = Json::array();
  const PerformanceTrace::Section* section = section_with_faces(plan);
  for (const Messages& m : section == nullptr ? std::vector<Messages>() : messages_of(*section))
    out["messages_of_a_rank"].push_back({{"occasion", section->name},
                                         {"direction", std::string(1, "xyzt"[m.mu])},
                                         {"count", m.count},
                                         {"bytes", m.bytes}});
  if (plan.machine()) out["prediction"] = prediction_json(plan);
  out["files"] = Json::array();
  for (const DryFile& file : plan.files())
    out["files"].push_back({{"name", file.name},
                            {"bytes", file.bytes},
                            {"temporary", file.temporary},
                            {"exists", file_exists(file.name)}});
  out["disk_bytes"] = disk_bytes(plan);
  out["disk_bytes_that_stay"] = disk_bytes(plan, false);
  out["outlook"] = {{"kind", name_of(plan.run().outlook().kind)}, {"reason", plan.run().outlook().reason}};
  out["overwrite"] = plan.job().get<OutputKeys>().overwrite;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace plaq::jobs
