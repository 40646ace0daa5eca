#include "jobs/propagator/source_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/runs_dry.hpp"
#include "jobs/run/field_names.hpp"

namespace plaq::jobs {
namespace {

constexpr std::string_view column_word = "{column}";

std::string_view meaning(PropagatorKind quarks, int columns) {
  if (quarks == PropagatorKind::spinors) return columns == 1 ? "one spinor" : "twelve spinors";
  return columns == 1 ? "one color vector" : "three color vectors";
}

std::optional<LinkChecksum> inspect(const std::string& path, const Extents& extents, PropagatorKind quarks,
                                    int columns) {
  std::error_code ignored;
  if (runs_dry() && !std::filesystem::exists(path, ignored)) return std::nullopt;
  const PropagatorFileInfo info = inspect_propagator(path);
  if (info.quarks != quarks || info.count != columns)
    throw Error(ErrorKind::input_file,
                fmt::format("{}: expected a source of {} a site, found {}", path, meaning(quarks, columns),
                            meaning(info.quarks, info.count)));
  if (info.extents != extents)
    throw Error(ErrorKind::input_file, fmt::format("{}: its sources are on {}, the gauge fields on {}", path,
                                                   to_string(info.extents), to_string(extents)));
  return info.checksum;
}

// Support of the columns on the whole lattice: whether any number is not 0; and the first and last time slice
// that has some.
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

std::optional<std::string> validate_source_name(const std::string& name) {
  return validate_field_name(name, {std::string(column_word)});
}

SourceFiles::SourceFiles(const JobFile& job, const EnsembleInput& input, PropagatorKind quarks)
    : quarks_(quarks) {
  const std::vector<std::string> wanted = job.get<FileSourceKeys>().files.value();
  const auto parts = [&](const std::string& name) {
    return name.find(column_word) == std::string::npos ? 1 : columns_of(quarks);
  };
  names_ = found_on_first_rank([&] {
    FieldFiles found;
    for (std::size_t i = 0; i < input.files.size(); ++i)
      for (const std::string& name : wanted) {
        Files& files = found[input.files[i]].emplace_back();
        for (int part = 0; part < parts(name); ++part)
          files.push_back(file_of_field(job, "'files' in [source]",
                                        with_word(name, column_word, std::to_string(part)), input.files[i],
                                        input.numbers.at(i)));
      }
    for (const auto& [gauge_file, sources] : found)
      for (const Files& files : sources)
        for (const std::string& file : files)
          if (!checksums_.contains(file))
            checksums_[file] =
                inspect(file, input.extents, quarks_, files.size() == 1 ? columns_of(quarks_) : 1);
    return found;
  });
}

std::optional<LinkChecksum> SourceFiles::checksum_of(const Files& files) const {
  LinkChecksum all{ChecksumKind::scidac, 0, 0};
  for (const std::string& file : files) {
    const auto one = checksums_.find(file);
    if (one == checksums_.end() || !one->second) return std::nullopt;
    all.a ^= one->second->a;
    all.b ^= one->second->b;
  }
  return all;
}

bool SourceFiles::found_with(const Results& results) const {
  const Dataset* then = find_dataset(results, source_checksum_path);
  const std::string* file = find_gauge_file(results);
  if (then == nullptr || file == nullptr) return false;
  const auto names = names_.find(*file);
  if (names == names_.end()) return false;
  return std::any_of(names->second.begin(), names->second.end(), [&](const Files& files) {
    const auto now = checksum_of(files);
    return !now || then->values == Dataset::Values(std::vector<std::int64_t>{now->a, now->b});
  });
}

LoadedSource SourceFiles::read(const JobContext& context, const std::string& gauge_file, int k) const {
  const Phase phase("reading the source");
  const MemoryName name_of_memory("source as read");
  LoadedSource source;
  source.columns = Field(context.geometry, propagator_spec(quarks_, Precision::double_precision));
  if (runs_dry()) return source;
  const Files& files = names_.at(gauge_file).at(static_cast<std::size_t>(k));
  const std::string& path = files.front();
  if (files.size() == 1) {
    source.checksum = read_propagator(path, *context.grid, source.columns).checksum;
  } else {
    source.checksum = {ChecksumKind::scidac, 0, 0};
    Field one(context.geometry, propagator_spec(quarks_, Precision::double_precision, 1));
    for (std::size_t column = 0; column < files.size(); ++column) {
      const LinkChecksum found = read_propagator(files[column], *context.grid, one).checksum;
      source.checksum.a ^= found.a;
      source.checksum.b ^= found.b;
      copy_subfield(source.columns, static_cast<int>(column), one, 0);
    }
  }
  const Support mine = support_of(source.columns);
  for (std::size_t column = 0; column < mine.columns.size(); ++column)
    if (global_max(*context.grid, mine.columns[column]) == 0)
      throw Error(ErrorKind::input_file, fmt::format("{}: column {} of the source is 0 on the whole lattice",
                                                     files[files.size() == 1 ? 0 : column], column));
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
