#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "jobs/chain/chain_history.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/files/info_report.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/results/resume.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

// Progress of a chain: steps of it, and numbers of steps at which fields were saved.
struct ChainProgress {
  std::string step;
  std::int64_t done = 0, planned = 0;
  std::vector<std::int64_t> saved;
};

struct FoundJournal {
  JournalFile file;
  std::string version, job, type;  // of its last job; empty: no job was recorded
  std::optional<ChainProgress> chain;
  std::vector<std::string> results;  // names of pieces that are complete, of other jobs
};

std::string without_quotes(const std::string& text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

// The value of a key of a job file as JobFile::physics_text() has it; empty: the key is absent.
std::string value_in_job(const std::string& job, const KeyName& key) {
  for (const auto& [name, value, none] : compare_jobs(job, ""))
    if (name == key) return value;
  return "";
}

// `job = "hmc"` is the first line of a job file.
std::string type_of_job(const std::string& job) {
  const std::string begin = "job = ";
  return job.starts_with(begin) ? without_quotes(job.substr(begin.size(), job.find('\n') - begin.size()))
                                : "";
}

ChainProgress progress_of(const std::string& path, const FoundJournal& found) {
  ChainProgress chain;
  chain.step = found.type == "hmc" ? "trajectory" : "compound sweep";
  const auto number = [&](const char* key) {
    const std::string value = value_in_job(found.job, {"update", key});
    return value.empty() ? 0 : std::stoll(value);
  };
  chain.planned = number("thermalization") + number("separation") * (number("configurations") - 1);
  for (const ChainEvent& event : history_of(path, found.file.records).events) {
    chain.done = std::max(chain.done, event.sweep);
    if (event.kind == ChainEvent::Kind::saved) chain.saved.push_back(event.sweep);
  }
  return chain;
}

FoundJournal look_at_journal(const std::string& path) {
  FoundJournal found;
  found.file = inspect_journal(path);
  for (const JournalRecord& record : found.file.records)
    if (record.kind == job_record) {
      found.version = record.key;
      found.job = record.payload;
    }
  found.type = type_of_job(found.job);
  if (found.type == "hmc" || found.type == "generate") {
    found.chain = progress_of(path, found);
    return found;
  }
  std::set<std::string> known;
  for (const JournalRecord& record : found.file.records)
    if (record.kind != job_record && !record.key.empty() && known.insert(record.key).second)
      found.results.push_back(record.key);
  return found;
}

void print_journal_line(std::string_view name, std::string_view text) {
  print_safely("{:<20} {}\n", name, text);
}

void print_text(const InfoOptions& options, const FoundJournal& found) {
  print_journal_line("file", options.file);
  print_journal_line("journal of", found.type.empty() ? "a job that recorded nothing yet"
                                                      : fmt::format("{}, plaq {}; the job is not complete",
                                                                    found.type, found.version));
  if (const auto& chain = found.chain) {
    print_journal_line("steps",
                       fmt::format("{} of {} {}", chain->done, chain->planned, plural_of(chain->step)));
    if (!chain->saved.empty())
      print_journal_line("gauge fields",
                         fmt::format("{} saved, the last one after {} {}", chain->saved.size(),
                                     chain->saved.back(), plural_of(chain->step)));
  }
  if (!found.results.empty())
    print_journal_line("results", fmt::format("{}: {}{}", found.results.size(), found.results.front(),
                                              found.results.size() > 1 ? " to " + found.results.back() : ""));
  if (options.all && !found.job.empty()) print_safely("\nThe job file:\n\n{}", found.job);
  print_safely("\nnote: plaq run with the job file continues this job, and removes the journal at its end\n");
  const std::uint64_t rest = found.file.file_bytes - found.file.bytes;
  if (rest > 0)
    print_safely("note: {} bytes behind the last whole record are {}; the job computes them again\n", rest,
                 found.file.damaged ? "damaged" : "of a record that was cut off");
  print_safely("verified: {} with CRC-32 each{}\n",
               counted(static_cast<std::int64_t>(found.file.records.size()), "record"),
               options.all ? "" : "; --all shows the job file");
}

Json to_json(const std::string& path, const FoundJournal& found) {
  Json out = {{"file", path},
              {"format", "journal"},
              {"job_type", found.type},
              {"plaq_version", found.version},
              {"job", found.job},
              {"records", found.file.records.size()},
              {"bytes", found.file.bytes},
              {"file_bytes", found.file.file_bytes},
              {"verified", found.file.bytes == found.file.file_bytes}};
  if (found.chain)
    out["chain"] = {{"step", found.chain->step},
                    {"done", found.chain->done},
                    {"planned", found.chain->planned},
                    {"saved", found.chain->saved}};
  else
    out["results"] = found.results;
  return out;
}

}  // namespace

void show_journal(const InfoOptions& options) {
  const FoundJournal found = look_at_journal(options.file);
  if (options.json)
    print_safely("{}\n", to_json(options.file, found).dump(2, ' ', false, Json::error_handler_t::replace));
  else
    print_text(options, found);
}

}  // namespace plaq::jobs
