#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "jobs/common/number_pattern.hpp"
#include "jobs/common/path_registry.hpp"
#include "jobs/results/same_fields.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

std::vector<std::string> files_matching(const std::string& pattern) {
  std::error_code ignored;
  if (std::filesystem::exists(pattern, ignored) || pattern.find_first_of("*?") == std::string::npos)
    return {pattern};
  glob_t found{};
  std::vector<std::string> names;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    names.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::sort(names.begin(), names.end(), naturally_before);
  return names;
}

namespace {

void expect_each_once(const JobFile& job, const std::vector<std::string>& files) {
  FileIdentities identity;
  std::map<std::string, const std::string*> seen;
  for (const auto& file : files) {
    const auto [at, is_new] = seen.emplace(identity(file), &file);
    if (is_new) continue;
    const std::string& first = *at->second;
    throw Error(ErrorKind::job_file,
                fmt::format("{}: 'files' in [gauge]: {}{} and would count twice", job.file(), file,
                            first == file ? " is listed twice" : " is the same file as " + first));
  }
}

// Copies, by what headers state; others are found when links are read. Sums that
// files state wrongly tell nothing.
void expect_no_copies(const JobFile& job, const std::vector<FieldSums>& stated, const Extents& extents) {
  if (!job.get<GaugeReadOptions>().accept_checksums.empty()) return;
  double sites = 1;
  for (const int extent : extents) sites *= extent;
  for (const SameFields& pair : find_same_fields(stated, sites))
    if (pair.likeness == Likeness::same)
      throw Error(
          ErrorKind::job_file,
          fmt::format("{}: 'files' in [gauge]: {}; leave one of them out", job.file(),
                      same_fields_text(stated[pair.second].file, stated[pair.first].file, pair.likeness)));
}

std::string fingerprint_of(const GaugeFileInfo& info) {
  return fmt::format("{} bytes, checksum {}, plaquette {}", info.file_bytes,
                     info.checksum ? info.checksum->text() : "none",
                     info.plaquette ? fmt::format("{}", *info.plaquette) : "none");
}

// Numbering of [gauge], if it has one.
std::optional<NumberPattern> numbering_of(const JobFile& job) {
  const std::string text = job.get<GaugeFilesKeys>().numbering;
  if (text.empty()) return std::nullopt;
  try {
    return NumberPattern(text);
  } catch (const std::invalid_argument& error) {
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: 'numbering' in [gauge]: \"{}\" has {}; such as \"field.{{trajectory}}.nersc\"",
                    job.file(), text, error.what()));
  }
}

std::string number_text(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : std::string();
}
std::optional<std::int64_t> number_in(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return std::stoll(text);
}

ChainNumbers numbers_of(const JobFile& job, const std::optional<NumberPattern>& numbering,
                        const GaugeFileInfo& info) {
  if (!numbering) {
    const auto number = sequence_number_of(info);
    return {number && *number >= 0 ? number : std::nullopt, {}};
  }
  try {
    if (const auto numbers = numbering->numbers_in(info.path)) return *numbers;
  } catch (const std::invalid_argument& error) {
    throw Error(ErrorKind::job_file, fmt::format("{}: 'numbering' in [gauge]: {}", job.file(), error.what()));
  }
  throw Error(ErrorKind::job_file,
              fmt::format("{}: {} has no name such as \"{}\", which is 'numbering' in [gauge]", job.file(),
                          info.path, job.get<GaugeFilesKeys>().numbering));
}

}  // namespace

EnsembleInput inspect_ensemble(const JobFile& job, const ChooseFiles& choose,
                               std::optional<Extents> lattice) {
  EnsembleInput input;
  if (job.schema().find("lattice", "extents") != nullptr) lattice = job.get<LatticeKeys>().extents;
  for (const auto& pattern : job.get<GaugeFilesKeys>().files) {
    auto files = files_matching(pattern);
    if (files.empty() && runs_dry()) files.push_back(pattern);  // to come
    if (files.empty())
      throw Error(ErrorKind::input_file,
                  fmt::format("no file matches {}, a pattern in [gauge] files", pattern));
    for (auto& file : files) input.files.push_back(std::move(file));
  }
  if (choose) choose(input.files);
  expect_each_once(job, input.files);
  const auto numbering = numbering_of(job);
  std::vector<FieldSums> stated;
  for (const auto& file : input.files) {
    const GaugeFileInfo info = inspect_gauge_file(file, lattice);
    if (&file == &input.files.front()) input.extents = info.extents;
    if (info.extents != input.extents)
      throw Error(ErrorKind::input_file,
                  fmt::format("{} has a lattice of {}, but {} has {}: a job takes fields of one lattice",
                              file, to_string(info.extents), input.files.front(), to_string(input.extents)));
    input.checksums.push_back(info.checksum ? info.checksum->text() : "");
    input.fingerprints.push_back(fingerprint_of(info));
    input.numbers.push_back(numbers_of(job, numbering, info));
    stated.push_back({file, input.checksums.back(), info.plaquette, info.link_trace});
  }
  expect_no_copies(job, stated, input.extents);
  return input;
}

EnsembleInput find_ensemble(const JobFile& job, const ChooseFiles& choose, std::optional<Extents> lattice) {
  EnsembleInput input;
  std::string joined;  // each name, trajectory and replica with a null behind it
  input.extents = extents_from_first_rank([&] {
    input = inspect_ensemble(job, choose, lattice);
    for (std::size_t i = 0; i < input.files.size(); ++i)
      for (const std::string& text :
           {input.files[i], number_text(input.numbers[i].trajectory), number_text(input.numbers[i].replica)})
        joined.append(text).push_back('\0');
    return input.extents;
  });
  joined = broadcast(world(), std::move(joined));
  input.files.clear();
  input.numbers.clear();
  std::size_t at = 0;
  const auto next = [&] {
    const std::string text = joined.c_str() + at;
    at += text.size() + 1;
    return text;
  };
  while (at < joined.size()) {
    input.files.push_back(next());
    input.numbers.push_back({number_in(next()), number_in(next())});
  }
  return input;
}

void note_fields(const EnsembleInput& input) {
  if (DryRun* dry = DryRun::current())
    dry->note(fmt::format("{} gauge field{}, one after the other.", input.files.size(),
                          input.files.size() == 1 ? "" : "s"));
}

std::vector<int> rows_of_ensemble(const std::vector<StoredObject>& results, const EnsembleInput& input) {
  std::vector<int> rows(input.files.size(), -1);
  int row = 0;
  for (const StoredObject& object : results) {
    if (object.dataset || !object.path.starts_with("/gauge/")) continue;
    const auto* name = find_attribute<std::string>(object.attributes, "file");
    const Attribute* checksum = find_attribute(object.attributes, "stated_checksum");
    if (checksum == nullptr) checksum = find_attribute(object.attributes, "checksum");
    if (name == nullptr || checksum == nullptr) return {};
    const auto at = std::find(input.files.begin(), input.files.end(), *name);
    if (at == input.files.end()) return {};
    const auto i = static_cast<std::size_t>(at - input.files.begin());
    if (!input.checksums[i].empty() && *checksum != Attribute(input.checksums[i])) return {};
    rows[i] = row++;
  }
  return row > 0 ? rows : std::vector<int>();
}

std::vector<std::string> files_to_come(const EnsembleInput& input, const EarlierRun& earlier) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < input.files.size(); ++i)
    if (!earlier.has(i)) files.push_back(input.files[i]);
  return files;
}

JobFiles files_of_ensemble(const JobFile& job, const EnsembleInput& input) {
  const std::string output = job.get<OutputKeys>().file;
  // Each field stands for itself: those of the journal that are asked for now are used.
  const auto rows = [&](const std::vector<StoredObject>& found) { return rows_of_ensemble(found, input); };
  JobFiles files{
      output, output + ".journal", {{"gauge", "files"}}, [rows](const std::vector<StoredObject>& found) {
        const std::vector<int> there = rows(found);
        for (std::size_t i = 0; i < there.size(); ++i)
          if (there[i] != static_cast<int>(i)) return false;
        return !there.empty();
      }};
  files.rows = [rows](const std::vector<StoredObject>& found) {
    std::vector<int> there = rows(found);
    if (std::find(there.begin(), there.end(), -1) == there.end()) there.clear();
    return there;
  };
  for (const auto& file : input.files) files.paths.reads(file, "a gauge field ([gauge] files)");
  return files;
}

}  // namespace plaq::jobs
