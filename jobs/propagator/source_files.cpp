#include "jobs/propagator/source_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "comms/grid/collective.hpp"
#include "comms/grid/world.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/runs_dry.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/common/number_pattern.hpp"
#include "jobs/propagator/propagator_keys.hpp"

namespace plaq::jobs {
namespace {

constexpr std::string_view field_word = "{field}";

std::string replaced(std::string text, std::string_view word, std::string_view by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

bool asks_for_numbers(const std::string& name) {
  return name.find("{trajectory}") != std::string::npos || name.find("{replica}") != std::string::npos;
}

// Of the files that a name may mean those with the numbers of the gauge field.
void choose_by_numbers(std::vector<std::string>& files, const JobFile& job, const std::string& name,
                       const std::string& gauge_file, const ChainNumbers& numbers) {
  const NumberPattern pattern(name);
  if (!numbers.trajectory || (pattern.has_replica() && !numbers.replica))
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: 'files' in [source]: {} is of a trajectory, but nothing says which one {} is; give "
                    "'numbering' in [gauge], or a name with {{field}}",
                    job.file(), name, gauge_file));
  std::erase_if(files, [&](const std::string& file) {
    const auto found = pattern.numbers_in(file);
    return !found || found->trajectory != numbers.trajectory ||
           (pattern.has_replica() && found->replica != numbers.replica);
  });
}

// The file that a name stands for. Serial.
std::string file_of(const JobFile& job, const std::string& name, const std::string& gauge_file,
                    const ChainNumbers& numbers) {
  const std::string field = std::filesystem::path(gauge_file).filename().string(),
                    mine = replaced(name, field_word, field),
                    pattern = replaced(replaced(mine, "{trajectory}", "*"), "{replica}", "*");
  std::vector<std::string> files = files_matching(pattern);
  if (asks_for_numbers(mine)) choose_by_numbers(files, job, mine, gauge_file, numbers);
  if (files.empty() && runs_dry()) return mine;  // to come
  if (files.size() != 1)
    throw Error(ErrorKind::input_file,
                fmt::format("{}: 'files' in [source]: {} stands for {} files with {}, must be one",
                            job.file(), mine, files.size(), gauge_file));
  return files.front();
}

std::string_view meaning(PropagatorKind quarks) {
  return quarks == PropagatorKind::spinors ? "twelve spinors" : "three color vectors";
}

std::optional<LinkChecksum> inspect(const std::string& path, const Extents& extents, PropagatorKind quarks) {
  std::error_code ignored;
  if (runs_dry() && !std::filesystem::exists(path, ignored)) return std::nullopt;
  const PropagatorFileInfo info = inspect_propagator(path);
  if (info.quarks != quarks)
    throw Error(ErrorKind::input_file, fmt::format("{}: expected a source of {} a site, found {}", path,
                                                   meaning(quarks), meaning(info.quarks)));
  if (info.extents != extents)
    throw Error(ErrorKind::input_file, fmt::format("{}: its sources are on {}, the gauge fields on {}", path,
                                                   to_string(info.extents), to_string(extents)));
  return info.checksum;
}

// Of the whole lattice, by column: whether any number is not 0; and the first and last time slice that has some.
struct Support {
  std::vector<double> columns;
  double first = -1e9, last = -1;  // the first one times -1
};

Support support_of(const Field& columns) {
  Support found;
  found.columns.assign(static_cast<std::size_t>(columns.subfields()), 0);
  const GeneralShape& shape = columns.geometry().general_shape();
  for (int column = 0; column < columns.subfields(); ++column)
    for (int parity = 0; parity < shape.parities(); ++parity)
      for (int site = 0; site < shape.parity_sites(parity); ++site) {
        bool some = false;
        for (int r = 0; r < columns.reals_per_site(); ++r)
          some = some || get_real(columns, column, parity, site, r) != 0;
        if (!some) continue;
        const double t = shape.global_coordinate(shape.coordinates(parity, site), 3);
        found.columns[static_cast<std::size_t>(column)] = 1;
        found.first = std::max(found.first, -t);
        found.last = std::max(found.last, t);
      }
  return found;
}

}  // namespace

std::string wrong_source_name(const std::string& name) {
  if (name.empty()) return "has an empty name";
  const std::string rest = replaced(name, field_word, "");
  try {
    if (asks_for_numbers(rest)) {
      NumberPattern pattern(rest);
    } else if (rest.find_first_of("{}") != std::string::npos) {
      throw std::invalid_argument("braces of another name than field, trajectory or replica");
    }
  } catch (const std::invalid_argument& error) {
    return fmt::format("{} has {}", name, error.what());
  }
  return {};
}

SourceFiles::SourceFiles(const JobFile& job, const EnsembleInput& input, PropagatorKind quarks)
    : quarks_(quarks) {
  const std::vector<std::string> wanted = job.get<SourceKeys>().files.value();
  std::string joined;  // each name with a null behind it
  on_first_rank([&] {
    for (std::size_t i = 0; i < input.files.size(); ++i)
      for (const std::string& name : wanted)
        joined.append(file_of(job, name, input.files[i], input.numbers.at(i))).push_back('\0');
  });
  joined = broadcast(world(), std::move(joined));
  std::size_t at = 0;
  for (const std::string& gauge_file : input.files)
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const std::string& file = names_[gauge_file].emplace_back(joined.c_str() + at);
      at += file.size() + 1;
    }
  on_first_rank([&] {
    for (const std::string& name : all_names()) checksums_[name] = inspect(name, input.extents, quarks_);
  });
}

std::vector<std::string> SourceFiles::all_names() const {
  std::vector<std::string> all;
  for (const auto& [gauge_file, names] : names_) all.insert(all.end(), names.begin(), names.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool SourceFiles::found_with(const Results& results) const {
  const Dataset* then = find_dataset(results, source_checksum_path);
  const auto of_gauge = std::find_if(results.groups.begin(), results.groups.end(), [](const Group& group) {
    return group.numbered && group.path == "/gauge";
  });
  if (then == nullptr || of_gauge == results.groups.end()) return false;
  const Attribute* file = find_attribute(of_gauge->attributes, "file");
  if (file == nullptr) return false;
  const auto names = names_.find(std::get<std::string>(*file));
  if (names == names_.end()) return false;
  return std::any_of(names->second.begin(), names->second.end(), [&](const std::string& name) {
    const auto now = checksums_.find(name);
    return now == checksums_.end() || !now->second ||
           then->values == Dataset::Values(std::vector<std::int64_t>{now->second->a, now->second->b});
  });
}

LoadedSource SourceFiles::read(const JobContext& context, const std::string& gauge_file, int k) const {
  const Phase phase("reading the source");
  const MemoryName name_of_memory("source as read");
  LoadedSource source;
  source.columns = Field(context.geometry, propagator_spec(quarks_, Precision::double_precision));
  if (runs_dry()) return source;
  const std::string& path = name(gauge_file, k);
  source.checksum = read_propagator(path, *context.grid, source.columns).checksum;
  const Support mine = support_of(source.columns);
  for (std::size_t column = 0; column < mine.columns.size(); ++column)
    if (global_max(*context.grid, mine.columns[column]) == 0)
      throw Error(ErrorKind::input_file,
                  fmt::format("{}: column {} of the source is 0 on the whole lattice", path, column));
  const auto first = static_cast<int>(-global_max(*context.grid, mine.first)),
             last = static_cast<int>(global_max(*context.grid, mine.last));
  if (first == last) source.slice = first;
  log::info(fmt::format("read the source {}, on time slice{}, checksum {}", path,
                        first == last ? fmt::format(" {}", first) : fmt::format("s {} to {}", first, last),
                        source.checksum.text()));
  return source;
}

void add_source_checksum(Results& results, const LinkChecksum& checksum) {
  results.dataset(source_checksum_path, {2}, std::vector<std::int64_t>{checksum.a, checksum.b},
                  described({"suma, sumb"}, "1", "of the source's file, of its numbers as they were found"));
}

}  // namespace plaq::jobs
