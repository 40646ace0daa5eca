#include "jobs/gaugefix/fixing_files.hpp"

#include <fmt/format.h>

#include "jobs/common/kept_metadata.hpp"
#include "jobs/run/saved_fields.hpp"
#include "settings/gauge/fixing_tables.hpp"

namespace plaq::jobs {
namespace {

constexpr std::string_view entry_prefix = "GAUGE_";

std::vector<std::string> files_of_field(const JobFile& job, const std::string& gauge_file) {
  const FixedFiles files = fixed_files(job, gauge_file);
  std::vector<std::string> names{files.field, files.transformation};
  std::erase(names, "");
  return names;
}

}  // namespace

FixedFiles fixed_files(const JobFile& job, const std::string& gauge_file) {
  const auto keys = job.get<FixedFileKeys>();
  const std::string gauge = gauge_names().of(job.get<FixingSettings>().gauge);
  const std::string stem = stem_of_made_file(keys.directory, gauge, gauge_file);
  FixedFiles files;
  if (keys.fields) files.field = fmt::format("{}.{}", stem, short_name(job.get<GaugeWriteOptions>().format));
  if (keys.transformations) files.transformation = fmt::format("{}.g.lime", stem);
  return files;
}

std::string fixed_field(const JobFile& job, const std::string& gauge_file) {
  return fixed_files(job, gauge_file).field;
}

void leave_out_fixed_files(const JobFile& job, std::vector<std::string>& gauge_files) {
  leave_out_made_fields([&](const std::string& file) { return fixed_field(job, file); }, gauge_files);
}

std::vector<std::string> fixed_file_names(const JobFile& job, const std::vector<std::string>& gauge_files) {
  return names_of_made_files(
      job, [&](const std::string& file) { return files_of_field(job, file); }, gauge_files);
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
