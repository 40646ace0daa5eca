#include "jobs/campaign/quarantine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "io/bytes/byte_source.hpp"
#include "io/bytes/names_now.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/campaign/lease.hpp"
#include "jobs/schema/job_file.hpp"
#include "settings/toml/toml.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* head =
    "# What this campaign leaves out: [TASK.FIELD], or [all.FIELD] for every task.\n"
    "# Delete a table to have it tried again (or: plaq campaign retry), add one to leave a field out.\n";
constexpr std::uint64_t most_bytes = 1 << 28;
constexpr double quarantine_timeout = 30;  // seconds: it is held for the time of a small write

std::string text_now() {
  return exists_now(quarantine_file) ? text_of_file(quarantine_file, most_bytes) : std::string(head);
}

std::vector<Exclusion> exclusions_in(const std::string& text) {
  std::vector<Exclusion> found;
  std::vector<RawEntry> entries = read_toml(text, quarantine_file);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const RawEntry& a, const RawEntry& b) { return a.line < b.line; });
  for (const RawEntry& entry : entries) {
    const auto dot = entry.name.table.find('.');
    if (dot == std::string::npos) continue;
    const std::string task = entry.name.table.substr(0, dot),
                      configuration = entry.name.table.substr(dot + 1);
    if (entry.name.key.empty()) {
      found.push_back({task, configuration, {}, {}, {}, {}});
      continue;
    }
    const auto* value = std::get_if<std::string>(&entry.value.value);
    const auto at = std::find_if(found.begin(), found.end(), [&](const Exclusion& e) {
      return e.task == task && e.configuration == configuration;
    });
    if (value == nullptr || at == found.end()) continue;
    const std::string& key = entry.name.key;
    if (key == "reason") at->reason = *value;
    if (key == "message") at->message = *value;
    if (key == "by") at->by = *value;
    if (key == "when") at->when = *value;
  }
  return found;
}

std::string text_of(const Exclusion& e) {
  return fmt::format("\n[{}.{}]\nreason = {}\nmessage = {}\nby = {}\nwhen = {}\n", e.task, e.configuration,
                     value_text(e.reason), value_text(e.message), value_text(e.by), value_text(e.when));
}

Lease wait_for(Leases& leases, const std::string& name) {
  while (true) {
    if (auto lease = leases.take(name)) return std::move(*lease);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

// Changes the file with nobody else at it.
void change(const std::string& by, const std::function<std::string(std::string)>& changed) {
  Leases leases("leases", Holder::of_this_process(by), quarantine_timeout);
  const Lease lease = wait_for(leases, "quarantine");
  const std::string before = text_now(), after = changed(before);
  if (after != before) write_atomically(quarantine_file, after, true);
}

}  // namespace

std::vector<Exclusion> read_quarantine() { return exclusions_in(text_now()); }

void add_to_quarantine(const std::vector<Exclusion>& exclusions, const std::string& by) {
  change(by, [&](std::string text) {
    std::vector<Exclusion> there = exclusions_in(text);
    // Two items of one field may be left out at once, both by the table of all tasks.
    for (const Exclusion& one : exclusions) {
      const bool known = std::any_of(there.begin(), there.end(), [&](const Exclusion& other) {
        return other.task == one.task && other.configuration == one.configuration;
      });
      if (known) continue;
      text += text_of(one);
      there.push_back(one);
    }
    return text;
  });
}

std::vector<Exclusion> remove_from_quarantine(const std::function<bool(const Exclusion&)>& chosen,
                                              const std::string& by) {
  std::vector<Exclusion> removed;
  change(by, [&](const std::string& text) {
    const auto there = exclusions_in(text);
    std::istringstream lines(text);
    std::string kept;
    bool leaves_out = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('[')) {
        const std::string name = line.substr(1, line.find(']') - 1);
        const auto at = std::find_if(there.begin(), there.end(), [&](const Exclusion& e) {
          return e.task + "." + e.configuration == name;
        });
        leaves_out = at != there.end() && chosen(*at);
        if (leaves_out) removed.push_back(*at);
      }
      if (!leaves_out) kept += line + '\n';
    }
    return kept;
  });
  return removed;
}

}  // namespace plaq::jobs
