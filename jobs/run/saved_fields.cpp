#include "jobs/run/saved_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/system/error.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

void check_format(Problems& problems, const GaugeWriteOptions& options) {
  try {
    links_to_write(options);
  } catch (const Error& error) {
    problems.add("output.format", error.what());
  }
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

Names<GaugeFileFormat> saved_field_formats() {
  Names<GaugeFileFormat> names;
  for (const auto format : {GaugeFileFormat::nersc, GaugeFileFormat::ildg, GaugeFileFormat::scidac,
                            GaugeFileFormat::milc, GaugeFileFormat::openqcd, GaugeFileFormat::ddalphaamg})
    names.add(std::string(short_name(format)), format);
  return names;
}

}  // namespace

std::vector<Key> saved_field_keys() {
  return {choice(&GaugeWriteOptions::format, "format",
                 "Format of the saved fields, and ending of their file names.", saved_field_formats()),
          choice(&GaugeWriteOptions::precision, "precision", "Precision of the numbers in the file.",
                 {{"double", Precision::double_precision}, {"single", Precision::single_precision}})
              .otherwise("double"),
          choice(&GaugeWriteOptions::rows, "rows",
                 "Shape in which a link is stored. 3x2: the third row is left out, and readers rebuild it.",
                 {{"3x3", 3}, {"3x2", 2}})
              .otherwise("3x3"),
          choice(&GaugeWriteOptions::order, "byte_order", "Byte order of the numbers.",
                 {{"big", ByteOrder::big}, {"little", ByteOrder::little}})
              .otherwise("big")};
}

Rule saved_field_rule() {
  return {
      {"output.format", "output.precision", "output.rows", "output.byte_order"},
      "The format must allow the precision, rows and byte order. MILC v5 is single and 3x3. openQCD is "
      "double, 3x3 and little-endian. DDalphaAMG is double and 3x3. ILDG and SciDAC are 3x3 and big-endian.",
      check_format};
}

std::string stem_of_made_file(const std::string& directory, const std::string& kind,
                              const std::string& gauge_file) {
  return (std::filesystem::path(directory) / fmt::format("{}.{}", kind, without_format(gauge_file)))
      .lexically_normal()
      .string();
}

void leave_out_made_fields(const MadeField& made, std::vector<std::string>& gauge_files) {
  const auto same = [](const std::string& a, const std::string& b) {
    return std::filesystem::path(a).lexically_normal() == std::filesystem::path(b).lexically_normal();
  };
  // Shorter names first: what is left out writes nothing.
  std::vector<std::string> by_length = gauge_files;
  std::stable_sort(by_length.begin(), by_length.end(),
                   [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  for (const std::string& file : by_length) {
    if (std::find(gauge_files.begin(), gauge_files.end(), file) == gauge_files.end()) continue;
    const std::string field = made(file);
    std::erase_if(gauge_files, [&](const std::string& other) { return same(other, field); });
  }
}

std::vector<std::string> names_of_made_files(const Settings& job, const MadeFiles& made,
                                             const std::vector<std::string>& gauge_files) {
  std::vector<std::string> names;
  std::map<std::string, std::string> fields;  // by what is made of them
  for (const auto& field : gauge_files)
    for (const auto& name : made(field)) {
      if (const auto [at, is_new] = fields.emplace(name, field); !is_new)
        throw Error(ErrorKind::job_file, fmt::format("{}: 'files' in [gauge]: {} and {} would both write {}",
                                                     job.origin(), at->second, field, name));
      names.push_back(name);
    }
  return names;
}

bool are_there(const std::vector<std::string>& files) {
  return std::all_of(files.begin(), files.end(), [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
  });
}

void check_made_files(const Settings& job, const std::vector<std::string>& names, bool ours) {
  for (const auto& name : names) check_output(name, ours || job.get<OutputKeys>().overwrite);
}

void add_made_files(JobFiles& files, const Settings& job, const std::vector<std::string>& names,
                    const std::string& meaning) {
  for (const auto& name : names) files.paths.writes(name, meaning);
  files.covers = [names, output = job.get<OutputKeys>().file,
                  covers = files.covers](const std::vector<StoredObject>& found) {
    if (!covers(found)) return false;
    for (const auto& name : names)
      if (!are_there({name}))
        throw Error(ErrorKind::output_file,
                    fmt::format("{} says that this job is complete, but {} is missing; set overwrite = true "
                                "in [output] to compute all of it again",
                                output, name));
    return true;
  };
}

}  // namespace plaq::jobs
