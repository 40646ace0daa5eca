#include "jobs/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/wording.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/names_now.hpp"
#include "jobs/campaign/campaign_keys.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/schema/job_types.hpp"
#include "settings/toml/toml.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* task_table = "task.";
constexpr const char* of_ensemble = "ensemble";

[[noreturn]] void refuse(const std::string& task, const std::string& key, const std::string& what) {
  throw Error(ErrorKind::job_file,
              fmt::format("{}: '{}' in [{}{}]: {}", campaign_file, key, task_table, task, what));
}

// In the order of the file.
std::vector<std::string> task_names(std::string_view text) {
  std::vector<std::pair<int, std::string>> found;
  for (const RawEntry& entry : read_toml(text, campaign_file)) {
    const std::string& table = entry.name.table;
    if (!table.starts_with(task_table) || !entry.name.key.empty()) continue;
    const std::string name = table.substr(std::string(task_table).size());
    const bool good =
        !name.empty() && name != of_ensemble && std::all_of(name.begin(), name.end(), [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '-' || c == '_';
        });
    if (!good)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: a task cannot be called '{}': letters, digits, - and _, and "
                              "not \"{}\"",
                              entry.place, name, of_ensemble));
    found.emplace_back(entry.line, name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& [line, name] : found) names.push_back(std::move(name));
  return names;
}

std::string name_of(const ChainNumbers& numbers, bool with_replica) {
  const std::string trajectory = fmt::format("{:06}", numbers.trajectory.value_or(0));
  return with_replica ? fmt::format("r{:02}.{}", numbers.replica.value_or(0), trajectory) : trajectory;
}

NumberPattern pattern_of(const EnsembleKeys& keys) {
  try {
    return NumberPattern(keys.files);
  } catch (const std::invalid_argument& error) {
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: 'files' in [ensemble]: \"{}\" has {}; such as \"field.{{trajectory}}.nersc\"",
                    campaign_file, keys.files, error.what()));
  }
}

std::string with_stars(std::string text) {
  const std::string star(1, '*');
  for (const std::string name : {"{trajectory}", "{replica}"})
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name))
      text.replace(at, name.size(), star);
  return text;
}

std::vector<std::string> words_of(const std::string& rung) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= rung.size()) {
    const std::size_t end = std::min(rung.find(';', begin), rung.size());
    std::string word = rung.substr(begin, end - begin);
    word.erase(0, std::min(word.find_first_not_of(' '), word.size()));
    while (word.ends_with(' ')) word.pop_back();
    if (!word.empty()) words.push_back(std::move(word));
    begin = end + 1;
  }
  return words;
}

}  // namespace

Campaign Campaign::read() {
  const std::string text = JobFile::read_text(campaign_file);
  const std::vector<std::string> names = task_names(text);
  const Schema schema = campaign_schema(names);
  const JobFile file = JobFile::parse_as(schema, text, campaign_file);
  if (names.empty())
    throw Error(ErrorKind::job_file,
                fmt::format("{}: there is no task; for example [task.measure] with job = "
                            "\"measure.toml\"",
                            campaign_file));
  Campaign campaign;
  campaign.ensemble = file.get<EnsembleKeys>();
  campaign.workers = file.get<WorkerKeys>();
  campaign.retry = file.get<RetryKeys>();
  campaign.budget = file.get<BudgetKeys>();
  campaign.slurm = file.get<SlurmKeys>();
  campaign.slurm_workers = file.get<SlurmWorkerKeys>();
  pattern_of(campaign.ensemble);
  for (const std::string& name : names) {
    Task task;
    task.name = name;
    task.keys = file.get<TaskKeys>(task_table + name);
    campaign.read_job(task);
    campaign.tasks.push_back(std::move(task));
  }
  for (Task& task : campaign.tasks) campaign.connect(task);
  campaign.expect_order();
  for (const Task& task : campaign.tasks) {
    const Configuration some{once, campaign.ensemble.files, {}};
    for (int rung = 0; rung < task.rungs(); ++rung)
      campaign.job(task, task.reads_fields ? &some : nullptr, rung, "results.h5").parse();
    campaign.expect_own_files(task);
  }
  return campaign;
}

int Campaign::find(const std::string& task) const {
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (tasks[i].name == task) return static_cast<int>(i);
  return -1;
}

void Campaign::read_job(Task& task) {
  task.job_text = JobFile::read_text(task.keys.job);
  std::string type;
  for (const RawEntry& entry : read_toml(task.job_text, task.keys.job))
    if (entry.name == KeyName{"", "job"})
      if (const auto* text = std::get_if<std::string>(&entry.value.value)) type = *text;
  const JobType* found = find_job_type(type);
  if (found == nullptr) JobFile::parse(task.job_text, task.keys.job);  // says what is wrong
  require(found != nullptr, "a job file without a type was taken");
  task.job_type = type;
  task.reads_fields = found->schema().find("gauge", "files") != nullptr;
}

void Campaign::connect(Task& task) const {
  std::vector<std::string> names;
  for (const Task& other : tasks) names.push_back(other.name);
  const auto find_task = [&](const std::string& key, const std::string& name) {
    const int found = find(name);
    if (found < 0)
      refuse(task.name, key, fmt::format("there is no task '{}'; {}", name, nearest_hint(name, names)));
    return found;
  };
  for (const std::string& rung : task.keys.ladder)
    for (const std::string& word : words_of(rung)) {
      const std::string table = read_override(word).name.table;
      if (table != "solver" && table != "multigrid" && table != "run" && table != "comms")
        refuse(task.name, "ladder",
               fmt::format("\"{}\" changes what is computed, not how: only keys of [solver], "
                           "[multigrid], [run] and [comms] may differ",
                           word));
    }
  for (const std::string& name : task.keys.after) task.needs.push_back(find_task("after", name));
  if (task.keys.gauge != of_ensemble) {
    const int source = find_task("gauge", task.keys.gauge);
    const Task& maker = tasks[static_cast<std::size_t>(source)];
    if (!task.reads_fields) refuse(task.name, "gauge", "its job reads no gauge fields");
    if (find_job_type(maker.job_type)->written_field == nullptr)
      refuse(task.name, "gauge",
             fmt::format("{} is a {} job, which writes no gauge field of each that it reads", maker.name,
                         maker.job_type));
    task.gauge_task = source;
    task.needs.push_back(source);
  }
  for (const int number : task.needs) {
    const Task& other = tasks[static_cast<std::size_t>(number)];
    if (other.reads_fields && !task.reads_fields)
      refuse(task.name, "after",
             fmt::format("{} is done for each gauge field, and this task once", other.name));
    if (other.reads_fields && task.keys.every % other.keys.every != 0)
      refuse(task.name, "every",
             fmt::format("{} must be a multiple of {}, that of {}, which it needs", task.keys.every,
                         other.keys.every, other.name));
  }
}

// Two configurations must not write the same files: names have all that tells the configurations apart.
void Campaign::expect_own_files(const Task& task) const {
  const auto written_files = find_job_type(task.job_type)->written_files;
  if (written_files == nullptr) return;
  const auto at = [&](int replica, int trajectory) {
    std::string name = ensemble.files;
    for (const auto& [text, number] :
         {std::pair{"{replica}", replica}, std::pair{"{trajectory}", trajectory}})
      if (const auto begin = name.find(text); begin != std::string::npos)
        name.replace(begin, std::string(text).size(), std::to_string(number));
    return Configuration{name, name, {}};
  };
  const Configuration one = at(1, 2);
  const std::vector<std::string> files =
      written_files(job(task, &one, 0, "x").parse(), gauge_file(task, one));
  for (const Configuration& other : {at(3, 2), at(1, 4)}) {
    if (other.file == one.file) continue;
    for (const std::string& file : written_files(job(task, &other, 0, "x").parse(), gauge_file(task, other)))
      if (std::find(files.begin(), files.end(), file) != files.end())
        refuse(task.name, "job",
               fmt::format("{} and {} would both write {}: the numbers must be in the name of the "
                           "file, not in that of its directory",
                           one.file, other.file, file));
  }
}

void Campaign::expect_order() const {
  enum class Seen { no, open, done };
  std::vector<Seen> seen(tasks.size(), Seen::no);
  const std::function<void(std::size_t)> visit = [&](std::size_t i) {
    if (seen[i] == Seen::done) return;
    if (seen[i] == Seen::open) refuse(tasks[i].name, "after", "it would have to wait for itself");
    seen[i] = Seen::open;
    for (const int other : tasks[i].needs) visit(static_cast<std::size_t>(other));
    seen[i] = Seen::done;
  };
  for (std::size_t i = 0; i < tasks.size(); ++i) visit(i);
}

std::vector<std::string> Campaign::written_directories() const {
  std::vector<std::string> directories;
  const auto add = [&](const std::string& file) {
    std::string directory = std::filesystem::path(file).parent_path().string();
    if (!directory.empty() && directory.find_first_of("*?{") == std::string::npos)
      directories.push_back(std::move(directory));
  };
  add(ensemble.files);
  const Configuration some{once, ensemble.files, {}};
  for (const Task& task : tasks)
    if (const auto written_files = find_job_type(task.job_type)->written_files;
        task.reads_fields && written_files)
      for (const std::string& file : written_files(job(task, &some, 0, "x").parse(), gauge_file(task, some)))
        add(file);
  return directories;
}

std::vector<Configuration> Campaign::configurations() const {
  const NumberPattern pattern = pattern_of(ensemble);
  std::vector<Configuration> found;
  for (const std::string& file : files_matching(with_stars(ensemble.files))) {
    try {
      if (const auto numbers = pattern.numbers_in(file))
        found.push_back({name_of(*numbers, pattern.has_replica()), file, *numbers});
    } catch (const std::invalid_argument& error) {
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: 'files' in [ensemble]: {}", campaign_file, error.what()));
    }
  }
  std::sort(found.begin(), found.end(), [](const Configuration& a, const Configuration& b) {
    return std::pair(a.numbers.replica, a.numbers.trajectory) <
           std::pair(b.numbers.replica, b.numbers.trajectory);
  });
  for (std::size_t i = 1; i < found.size(); ++i)
    if (found[i].name == found[i - 1].name)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: 'files' in [ensemble]: {} and {} have the same numbers", campaign_file,
                              found[i - 1].file, found[i].file));
  return found;
}

std::string Campaign::nothing_found() const {
  return fmt::format("{}: 'files' in [ensemble]: no gauge field {} is in {}, the directory of the campaign",
                     campaign_file, ensemble.files, std::filesystem::current_path().string());
}

std::string Campaign::gauge_file(const Task& task, const Configuration& configuration) const {
  if (!task.gauge_task) return configuration.file;
  const Task& maker = tasks[static_cast<std::size_t>(*task.gauge_task)];
  const JobFile made_by = job(maker, &configuration, 0, "results.h5").parse();
  const std::string file =
      find_job_type(maker.job_type)->written_field(made_by, gauge_file(maker, configuration));
  if (file.empty())
    refuse(task.name, "gauge",
           fmt::format("{} ({}) does not write the fields that it makes", maker.name, maker.keys.job));
  return file;
}

// Names of derived fields have the numbers in the same place.
std::string Campaign::gauge_numbering(const Task& task) const {
  if (!task.gauge_task) return ensemble.files;
  const Task& maker = tasks[static_cast<std::size_t>(*task.gauge_task)];
  const JobFile made_by =
      JobFile::parse(maker.job_text, maker.keys.job, {"gauge.files=x", "gauge.numbering=", "output.file=x"});
  return find_job_type(maker.job_type)->written_field(made_by, gauge_numbering(maker));
}

TaskJob Campaign::job(const Task& task, const Configuration* configuration, int rung,
                      const std::string& output, const JobFile::Overrides& extra) const {
  TaskJob job{task.job_text, task.keys.job, {}};
  if (task.reads_fields) {
    require(configuration != nullptr, "a task of gauge fields was asked for without one");
    job.overrides.push_back("gauge.files=" +
                            value_text(std::vector<std::string>{gauge_file(task, *configuration)}));
    job.overrides.push_back("gauge.numbering=" + value_text(gauge_numbering(task)));
    if (!task.gauge_task && !ensemble.accept_checksums.empty())
      job.overrides.push_back("gauge.accept_checksums=" + value_text(ensemble.accept_checksums));
    job.overrides.push_back("output.file=" + value_text(output));
  }
  if (rung > 0)
    for (std::string& word : words_of(task.keys.ladder.at(static_cast<std::size_t>(rung - 1))))
      job.overrides.push_back(std::move(word));
  job.overrides.insert(job.overrides.end(), extra.begin(), extra.end());
  return job;
}

std::string item_name(const Campaign& campaign, const Item& item) {
  return campaign.tasks[static_cast<std::size_t>(item.task)].name + "/" + item.configuration;
}

std::string row_file(const Campaign& campaign, const Item& item) {
  const Task& task = campaign.tasks[static_cast<std::size_t>(item.task)];
  return fmt::format("rows/{}/{}{}", task.name, item.configuration, task.reads_fields ? ".h5" : "");
}

std::string text_of_single_job(const Campaign& campaign, const Task& task) {
  return campaign.job(task, nullptr, 0, "").parse().physics_text();
}

bool has_row(const Campaign& campaign, const Item& item) {
  const Task& task = campaign.tasks[static_cast<std::size_t>(item.task)];
  const std::string row = row_file(campaign, item);
  if (!exists_now(row)) return false;
  return task.reads_fields || text_of_file(row, 1 << 20) == text_of_single_job(campaign, task);
}

std::string results_file(const Task& task) { return fmt::format("results/{}.h5", task.name); }

}  // namespace plaq::jobs
