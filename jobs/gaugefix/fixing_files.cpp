#include "jobs/gaugefix/fixing_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/system/error.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/files/convert_metadata.hpp"
#include "jobs/gaugefix/fixing_keys.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

constexpr std::string_view entry_prefix = "GAUGE_";

bool exists(const std::string& path) {
  std::error_code ignored;
  return path.empty() || std::filesystem::exists(path, ignored);
}

std::string without_format(const std::string& gauge_file) {
  const std::filesystem::path name = std::filesystem::path(gauge_file).filename();
  const std::string ending = name.extension().string();
  const auto formats = gauge_formats();
  const bool known = std::any_of(formats.begin(), formats.end(), [&](const GaugeFormat* format) {
    return ending == fmt::format(".{}", short_name(format->format));
  });
  return known || ending == ".lime" ? name.stem().string() : name.string();
}

}  // namespace

FixedFiles fixed_files(const JobFile& job, const std::string& gauge_file) {
  const auto keys = job.get<FixedFileKeys>();
  const std::string gauge = gauge_names().of(job.get<FixingSettings>().gauge);
  const std::string stem =
      (std::filesystem::path(keys.directory) / fmt::format("{}.{}", gauge, without_format(gauge_file)))
          .lexically_normal()
          .string();
  FixedFiles files;
  if (keys.fields) files.field = fmt::format("{}.{}", stem, short_name(job.get<GaugeWriteOptions>().format));
  if (keys.transformations) files.transformation = fmt::format("{}.g.lime", stem);
  return files;
}

std::string fixed_field(const JobFile& job, const std::string& gauge_file) {
  return fixed_files(job, gauge_file).field;
}

std::vector<std::string> files_of_fixed_field(const JobFile& job, const std::string& gauge_file) {
  return fixed_file_names(job, {gauge_file});
}

void leave_out_fixed_files(const JobFile& job, std::vector<std::string>& gauge_files) {
  const auto same = [](const std::string& a, const std::string& b) {
    return std::filesystem::path(a).lexically_normal() == std::filesystem::path(b).lexically_normal();
  };
  // Shorter names first: what is left out writes nothing.
  std::vector<std::string> by_length = gauge_files;
  std::stable_sort(by_length.begin(), by_length.end(),
                   [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  for (const std::string& file : by_length) {
    if (std::find(gauge_files.begin(), gauge_files.end(), file) == gauge_files.end()) continue;
    const std::string fixed = fixed_files(job, file).field;
    std::erase_if(gauge_files, [&](const std::string& other) { return same(other, fixed); });
  }
}

std::vector<std::string> fixed_file_names(const JobFile& job, const std::vector<std::string>& gauge_files) {
  std::vector<std::string> names;
  std::map<std::string, std::string> fields;  // by what they write
  for (const auto& field : gauge_files) {
    const FixedFiles files = fixed_files(job, field);
    for (const auto& name : {files.field, files.transformation}) {
      if (name.empty()) continue;
      if (const auto [at, is_new] = fields.emplace(name, field); !is_new)
        throw Error(ErrorKind::job_file, fmt::format("{}: 'files' in [gauge]: {} and {} would both write {}",
                                                     job.file(), at->second, field, name));
      names.push_back(name);
    }
  }
  return names;
}

bool has_fixed_files(const JobFile& job, const std::string& gauge_file) {
  const FixedFiles files = fixed_files(job, gauge_file);
  return exists(files.field) && exists(files.transformation);
}

JobFiles files_of_fixing(const JobFile& job, const EnsembleInput& input) {
  JobFiles files = files_of_ensemble(job, input);
  // Copies that are fixed are the same with more sweeps allowed. Those whose theta is small enough for this
  // job count, whichever was asked for (FixingCopies::counts).
  files.may_differ.push_back({"overrelaxation", "max_sweeps"});
  files.may_differ.push_back({"fixing", "theta"});
  for (const auto& name : fixed_file_names(job, input.files))
    files.paths.writes(name, "a fixed field or its transformation ([output] directory)");
  files.covers = [&job, &input, covers = files.covers](const std::vector<StoredObject>& found) {
    if (!covers(found)) return false;
    for (const auto& name : fixed_file_names(job, input.files))
      if (!exists(name))
        throw Error(ErrorKind::output_file,
                    fmt::format("{} says that this job is complete, but {} is missing; set overwrite = true "
                                "in [output] to compute all of it again",
                                job.get<OutputKeys>().file, name));
    return true;
  };
  return files;
}

void check_fixed_files(const JobFile& job, const std::vector<std::string>& gauge_files, bool ours) {
  for (const auto& name : fixed_file_names(job, gauge_files))
    check_output(name, ours || job.get<OutputKeys>().overwrite);
}

std::vector<HeaderEntry> fixing_entries(const FixingSettings& settings, int copy,
                                        const GaugeQuality& quality) {
  std::vector<HeaderEntry> entries = {{"GAUGE_FIXED", name_of(settings.gauge)},
                                      {"GAUGE_FUNCTIONAL", fmt::format("{:.15f}", quality.functional)},
                                      {"GAUGE_THETA", fmt::format("{:.6e}", quality.theta)}};
  if (settings.gauge == Gauge::coulomb)
    entries.push_back({"GAUGE_THETA_WORST_SLICE", fmt::format("{:.6e}", quality.worst_slice)});
  entries.push_back({"GAUGE_COPY", fmt::format("{}", copy)});
  entries.push_back({"GAUGE_SEED", fmt::format("{}", settings.seed)});
  return entries;
}

GaugeWriteOptions fixed_field_options(const JobFile& job, const GaugeFileInfo& original,
                                      const std::vector<HeaderEntry>& fixing) {
  auto options = job.get<GaugeWriteOptions>();
  options.metadata = keep_metadata(original, {}, options.format).metadata;
  auto& entries = options.metadata.entries;  // without what an earlier fixing said
  std::erase_if(entries, [](const HeaderEntry& entry) { return entry.key.starts_with(entry_prefix); });
  entries.insert(entries.end(), fixing.begin(), fixing.end());
  return options;
}

}  // namespace plaq::jobs
