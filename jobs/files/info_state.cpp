#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/world.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/gauge/link_sum.hpp"
#include "io/state/state_file.hpp"
#include "jobs/chain/chain_history.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/chain/step_title.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/files/info_report.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct FoundState {
  StateFileInfo file;
  StepTitle title;
  std::string type;          // of its job: "hmc"
  std::optional<bool> fits;  // its chain; none: that is not known
  std::string why;           // it fits, it does not, or it is not known
};

// Keys of a table in a job, "beta = 5.5, action = "wilson"", without those that are 0 or empty.
std::string keys_of(const std::string& job, const std::string& table,
                    const std::vector<std::string>& names = {}) {
  std::vector<std::string> found;
  for (const auto& [key, value, none] : compare_jobs(job, "")) {
    const bool wanted = names.empty() || std::find(names.begin(), names.end(), key.key) != names.end();
    if (key.table == table && wanted && value != "0.0" && value != "0" && value != "[]" && value != "\"\"")
      found.push_back(fmt::format("{} = {}", key.key, value));
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

std::string type_in(const std::string& job) {
  const auto begin = job.find('"'), end = job.find('"', begin + 1);
  return job.starts_with("job = \"") && end != std::string::npos ? job.substr(begin + 1, end - begin - 1)
                                                                 : "";
}

// The checksum of links in a file beside the state; a reason if there is none. Collective.
std::pair<std::string, std::string> checksum_of_file(const std::string& path, const Extents& extents) {
  int there = 0;
  on_first_rank([&] {
    std::error_code ignored;
    there = fs::exists(path, ignored) ? 1 : 0;
  });
  world().broadcast(std::span(&there, 1));
  if (there == 0) return {"", path + " is missing, which had the links before it"};
  std::string checksum;
  const Quiet quiet;
  const auto error = problem_of_numbers(extents, [&](const ProcessGrid& grid) {
    Field links(grid.geometry(extents), gauge_spec(Precision::double_precision, Location::host));
    read_gauge_file(path, grid, links);
    checksum = checksum_of_links(grid, links).text();
  });
  return {checksum, error ? std::string(error->what()) : ""};
}

// Steps of the checkpoint of links; 0 without one.
std::int64_t steps_of_checkpoint(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return 0;
  for (const auto& entry : inspect_gauge_file(path).entries)
    if (entry.key == sweep_key) return std::stoll(entry.value);
  return 0;
}

// Says whether files of the chain fit, on the first rank.
void compare_with_chain(FoundState& found, const fs::path& path) {
  const std::string journal = fs::path(path).replace_extension(".journal").string(),
                    checkpoint = fs::path(path).replace_extension(".checkpoint").string();
  std::error_code ignored;
  if (!fs::exists(journal, ignored)) {
    found.why = fmt::format("no {} of an unfinished chain is beside it", journal);
    return;
  }
  try {
    std::string job;
    const std::vector<JournalRecord> records = inspect_journal(journal).records;
    for (const JournalRecord& record : records)
      if (record.kind == job_record) job = record.payload;
    const std::string chain = chain_of_job(job);
    if (chain != found.title.chain) {
      found.fits = false;
      found.why = fmt::format("{} is of a job with other settings, chain {}", journal, chain);
      return;
    }
    std::int64_t steps = steps_of_checkpoint(checkpoint);
    for (const ChainEvent& event : history_of(journal, records).events)
      if (event.kind == ChainEvent::Kind::saved) steps = std::max(steps, event.sweep);
    found.fits = steps < found.title.number();
    if (!*found.fits)
      found.why = fmt::format("the chain is past it: a file has the links after {} {}", steps,
                              steps == 1 ? "step" : "steps");
  } catch (const Error& error) {
    found.fits.reset();
    found.why = error.what();
  }
}

// Collective.
FoundState look_at_state(const std::string& path, const Extents& extents) {
  FoundState found;
  int fits = -1;
  on_first_rank([&] {
    found.file = inspect_state(path);
    found.title = StepTitle::of(found.file.title);
    found.type = type_in(found.title.job);
    compare_with_chain(found, path);
    fits = found.fits ? (*found.fits ? 1 : 0) : -1;
  });
  world().broadcast(std::span(&fits, 1));
  if (fits != 1) return found;
  const std::string links_file = broadcast(world(), found.title.links_file),
                    checksum = broadcast(world(), found.title.links);
  const std::string links = (fs::path(path).parent_path() / links_file).string();
  const auto [there, error] = checksum_of_file(links, extents);
  on_first_rank([&] {
    if (there == checksum) {
      found.why = fmt::format("the links before it are in {}; plaq run goes on from here", links);
    } else if (there.empty()) {
      found.fits.reset();
      found.why = error;
    } else {
      found.fits = false;
      found.why = fmt::format("{} has other links than those before it, with checksum {}", links, there);
    }
  });
  return found;
}

std::string words_of_fit(const FoundState& found) {
  return fmt::format("{}: {}",
                     !found.fits   ? "it is not known whether it fits its chain"
                     : *found.fits ? "it fits its chain"
                                   : "it does NOT fit its chain",
                     found.why);
}

void print_text(const InfoOptions& options, const FoundState& found, bool verified) {
  const auto line = [](std::string_view name, std::string_view text) {
    if (!text.empty()) print_safely("{:<20} {}\n", name, text);
  };
  const StepTitle& title = found.title;
  line("file", options.file);
  line("state within", fmt::format("{} of {}, plaq {}", title.step,
                                   found.type.empty() ? "a chain" : found.type, title.version));
  line("place", title.place);
  line("lattice", to_string(found.file.extents));
  line("gauge action", keys_of(title.job, "gauge"));
  line("quarks", keys_of(title.job, "action"));
  line("trajectories", keys_of(title.job, "hmc",
                               {"length", "flavours", "epsilons", "joint_masses", "twists", "heavier_masses",
                                "heavier_kappas", "even_odd", "steps", "integrators"}));
  line("random numbers", keys_of(title.job, "update", {"seed"}));
  line("chain", title.chain);
  line("links before it", fmt::format("checksum {}, in {}", title.links, title.links_file));
  line("bytes", fmt::format("{}, {} fields", found.file.file_bytes, found.file.fields));
  if (options.all) print_safely("\nThe job file:\n\n{}", title.job);
  print_safely("\nnote: {}\n", words_of_fit(found));
  print_safely("{}{}\n",
               verified ? "verified: numbers with CRC-32, fields with their checksums" : "NOT VERIFIED",
               options.all ? "" : "; --all shows the job file");
}

Json to_json(const InfoOptions& options, const FoundState& found, const std::optional<Error>& error) {
  const StepTitle& title = found.title;
  Json out = {{"file", options.file},
              {"kind", "state within a step of a chain"},
              {"job_type", found.type},
              {"plaq_version", title.version},
              {"step", title.step},
              {"place", title.place},
              {"extents", found.file.extents},
              {"chain", title.chain},
              {"links_checksum", title.links},
              {"links_file", title.links_file},
              {"file_bytes", found.file.file_bytes},
              {"fields", found.file.fields},
              {"fits", found.fits ? Json(*found.fits) : Json()},
              {"fits_why", found.why},
              {"job", title.job},
              {"verified", !error}};
  if (error) out["error"] = error->what();
  return out;
}

}  // namespace

void show_state(const InfoOptions& options, const Extents& extents) {
  const std::optional<Error> error = problem_of_numbers(
      extents, [&](const ProcessGrid& grid) { read_state(options.file, grid, grid.geometry(extents)); });
  const FoundState found = look_at_state(options.file, extents);
  print_report(
      options, [&] { print_text(options, found, !error); }, [&] { return to_json(options, found, error); },
      error);
}

}  // namespace plaq::jobs
