#include "jobs/measure/smeared_files.hpp"

#include <fmt/format.h>

#include <cctype>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "jobs/common/kept_metadata.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "settings/gauge/link_smearing.hpp"

namespace plaq::jobs {
namespace {

constexpr std::string_view smearing_prefix = "LINK_SMEARING";

void check_smeared_files(Problems& problems, const SmearedFileKeys& keys, const LinkSmearing& smearing) {
  if (keys.fields && !smearing.smears())
    problems.add("output.fields", "[link_smearing] smears nothing: there are no smeared links to write");
}

// LINK_SMEARING = hyp, LINK_SMEARING_STEPS = 1, ...
std::vector<HeaderEntry> smearing_entries(const LinkSmearing& keys) {
  std::vector<HeaderEntry> entries;
  for (const auto& [name, value] : link_smearing_attributes(keys)) {
    HeaderEntry entry;
    for (const char c : name) entry.key += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (const auto* text = std::get_if<std::string>(&value)) entry.value = *text;
    if (const auto* number = std::get_if<std::int64_t>(&value)) entry.value = fmt::format("{}", *number);
    if (const auto* number = std::get_if<double>(&value)) entry.value = fmt::format("{}", *number);
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<std::string> made_of(const JobFile& job, const std::string& gauge_file) {
  std::vector<std::string> files{smeared_file(job, gauge_file)};
  std::erase(files, "");
  return files;
}

}  // namespace

std::vector<Key> smeared_file_keys() {
  return joined<Key>({{field(&SmearedFileKeys::fields, "fields",
                             "true: the job also writes the smeared links of each field to "
                             "DIRECTORY/KIND.FIELD.FORMAT, where KIND is the type of [link_smearing]."),
                       field(&SmearedFileKeys::directory, "directory", "Directory for these files.")},
                      saved_field_keys()});
}

std::vector<Rule> smeared_file_rules() {
  return {{{"output.fields", "link_smearing.type", "link_smearing.steps"},
           "Fields are written only if the links are smeared.",
           check_smeared_files},
          saved_field_rule()};
}

std::string smeared_file(const JobFile& job, const std::string& gauge_file) {
  const auto keys = job.get<SmearedFileKeys>();
  if (!keys.fields) return "";
  const std::string kind = link_smearing_names().of(job.get<LinkSmearing>().type);
  return fmt::format("{}.{}", stem_of_made_file(keys.directory, kind, gauge_file),
                     short_name(job.get<GaugeWriteOptions>().format));
}

std::vector<std::string> smeared_file_names(const JobFile& job, const std::vector<std::string>& gauge_files) {
  return names_of_made_files(
      job, [&](const std::string& file) { return made_of(job, file); }, gauge_files);
}

void leave_out_smeared_files(const JobFile& job, std::vector<std::string>& gauge_files) {
  leave_out_made_fields([&](const std::string& file) { return smeared_file(job, file); }, gauge_files);
}

void write_smeared_field(const JobContext& context, const Field& smeared, const GaugeFileInfo& original,
                         const GaugeObservables& observables) {
  const JobFile& job = context.job;
  const std::string path = smeared_file(job, original.path);
  if (path.empty()) return;
  const Phase phase("writing smeared links");
  auto options = job.get<GaugeWriteOptions>();
  options.metadata = keep_metadata(original, {}, options.format).metadata;
  auto& entries = options.metadata.entries;  // without what an earlier smearing said
  std::erase_if(entries, [](const HeaderEntry& entry) { return entry.key.starts_with(smearing_prefix); });
  const auto mine = smearing_entries(job.get<LinkSmearing>());
  entries.insert(entries.end(), mine.begin(), mine.end());
  Field host(context.geometry, gauge_spec(Precision::double_precision, Location::host));
  copy(host, smeared);
  write_gauge_file(path, *context.grid, host, options, observables.plaquette.all, observables.link_trace);
  log::info(fmt::format("wrote {}", path));
}

}  // namespace plaq::jobs
