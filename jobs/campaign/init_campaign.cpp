// plaq campaign init: a campaign.toml to begin with.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <set>

#include "core/system/error.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/campaign/campaign.hpp"
#include "jobs/campaign/campaign_options.hpp"
#include "jobs/common/path_registry.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

std::string task_name(const std::string& job) {
  std::string name = fs::path(job).stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  return name;
}

std::string text_for(const CampaignInitOptions& options) {
  std::string text = fmt::format(
      "# plaq campaign run {}\n"
      "[ensemble]\n"
      "files = {}\n",
      options.directory,
      value_text(options.files.empty() ? "fields/field.{trajectory}.nersc" : options.files));
  std::set<std::string> names;
  for (const std::string& job : options.jobs) {
    const std::string name = task_name(job);
    if (!names.insert(name).second)
      throw Error(ErrorKind::usage, fmt::format("campaign: two job files are called {}", name));
    text += fmt::format("\n[task.{}]\njob = {}\n", name, value_text(fs::path(job).filename().string()));
  }
  if (options.jobs.empty())
    text +=
        "\n# [task.measure]           # a job file, which runs for every gauge field\n"
        "# job = \"measure.toml\"\n"
        "\n# [task.landau]\n# job = \"landau.toml\"\n"
        "\n# [task.pion]\n# job = \"pion.toml\"\n"
        "# gauge = \"landau\"         # reads the fields that this task writes\n"
        "# ladder = [\"solver.method=bicgstab\"]   # fallback if a solve misses its tolerance\n";
  return text;
}

}  // namespace

int init_campaign(const CampaignInitOptions& options) {
  make_directory(options.directory);
  const fs::path directory(options.directory), file = directory / campaign_file;
  if (fs::exists(file))
    throw Error(ErrorKind::output_file,
                fmt::format("{} exists; take another directory, or delete it", file.string()));
  const std::string text = text_for(options);
  for (const std::string& job : options.jobs) {
    const std::string content = JobFile::read_text(job);
    const fs::path target = directory / fs::path(job).filename();
    if (fs::exists(target)) {
      if (!fs::equivalent(job, target))
        throw Error(ErrorKind::output_file,
                    fmt::format("{} exists; take another directory, or delete it", target.string()));
    } else {
      write_atomically(target.string(), content, false);
    }
  }
  write_atomically(file.string(), text, false);
  print_whole([&] {
    print_safely(
        "wrote {}: edit it (docs/campaigns.md), then run plaq campaign check {} and plaq campaign run {}\n",
        file.string(), options.directory, options.directory);
  });
  return 0;
}

}  // namespace plaq::jobs
