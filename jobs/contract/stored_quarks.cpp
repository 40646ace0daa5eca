#include "jobs/contract/stored_quarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/world.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/runs_dry.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/run/field_names.hpp"
#include "quarks/source/source.hpp"
#include "settings/quark/note_text.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* checksum_path = "/quarks/checksum";

std::string_view meaning(PropagatorKind quarks) {
  return quarks == PropagatorKind::spinors ? "twelve spinors a site" : "three color vectors a site";
}

// Collective.
bool same_numbers(const ProcessGrid& grid, const Field& one, const Field& other) {
  const auto a = memory_of(one), b = memory_of(other);
  const bool same = a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
  return global_max(grid, same ? 0 : 1) == 0;
}

void refuse(const std::optional<std::string>& why) {
  if (why) throw Error(ErrorKind::input_file, *why);
}

}  // namespace

StoredQuarks::StoredQuarks(const JobFile& job, const EnsembleInput& input)
    : job_file_(job.file()),
      quarks_(job.get<QuarkKeys>()),
      keys_(job.get<StoredSourceKeys>()),
      channels_(channels_named(job.get<CorrelatorKeys>().channels, channels_of_flavours())),
      contents_(contents_of(job)),
      with_momenta_(job.get<CorrelatorKeys>().max_momentum_squared > 0),
      kind_(channels_.front().spins() == 1 ? PropagatorKind::staggered : PropagatorKind::spinors) {
  std::vector<Extents> sites(input.files.size() * index(keys_.count));
  names_ = found_on_first_rank([&] {
    FieldFiles found;
    auto site = sites.begin();
    for (std::size_t i = 0; i < input.files.size(); ++i)
      for (int k = 0; k < keys_.count; ++k) {
        Files files;
        for (const std::string& name : quarks_.files)
          files.push_back(file_of_field(job, "'files' in [quarks]",
                                        with_word(name, source_word, std::to_string(k)), input.files[i],
                                        input.numbers.at(i)));
        for (const std::string& file : files)
          if (!headers_.contains(file)) headers_[file] = inspect(file, input.extents);
        *site++ = expect_together(input.files[i], files, k, input.extents);
        found[input.files[i]].push_back(std::move(files));
      }
    return found;
  });
  world().broadcast(std::span(sites));
  auto site = sites.begin();
  for (const std::string& gauge_file : input.files)
    for (int k = 0; k < keys_.count; ++k) sites_[gauge_file].push_back(*site++);
}

StoredQuarks::Header StoredQuarks::inspect(const std::string& path, const Extents& extents) const {
  std::error_code ignored;
  if (runs_dry() && !std::filesystem::exists(path, ignored)) return {};
  const PropagatorFileInfo info = inspect_propagator(path);
  if (info.quarks != kind_)
    throw Error(ErrorKind::input_file,
                fmt::format("{}: expected a propagator of {} for the channel {}, found {}", path,
                            meaning(kind_), channels_.front().name, meaning(info.quarks)));
  if (info.count != columns_of(kind_))
    throw Error(ErrorKind::input_file, fmt::format("{}: expected the {} columns of a propagator, found {}",
                                                   path, columns_of(kind_), info.count));
  if (info.extents != extents)
    throw Error(ErrorKind::input_file, fmt::format("{}: its quarks are on {}, the gauge fields on {}", path,
                                                   to_string(info.extents), to_string(extents)));
  const PropagatorNote note = note_in(info.metadata);
  refuse(misplaced_source(note, path, extents));
  return {info.checksum, note};
}

std::optional<Extents> StoredQuarks::given_position(int k, const Extents& extents) const {
  if (!keys_.position) return std::nullopt;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if ((*keys_.position)[mu] >= extents[mu])
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: [source] position {} is outside the lattice {}", job_file_,
                              to_string(*keys_.position), to_string(extents)));
  return source_site(*keys_.position, keys_.shift, k, extents);
}

void StoredQuarks::expect_one_field(const std::string& gauge_file, const NotedQuarks& quarks,
                                    const Extents& extents) const {
  std::error_code ignored;
  const bool to_come = runs_dry() && !std::filesystem::exists(gauge_file, ignored);
  const GaugeFileInfo info = to_come ? GaugeFileInfo() : inspect_gauge_file(gauge_file, extents);
  PropagatorNote note;
  note.gauge_file = gauge_file;
  note.gauge_format = name_of(info.format);
  if (info.checksum) note.gauge_checksum = info.checksum->text();
  const NotedQuark gauge{"[gauge]", &note};
  refuse(mismatch_of_gauge_fields(&gauge, quarks));
}

void StoredQuarks::expect_contractible(const NotedQuarks& quarks) const {
  for (const auto& pair : contents_.mesons)
    refuse(mismatch_of_boundaries({quarks[pair[0]], quarks[pair[1]]}));
  for (const NotedQuark& quark : quarks) {
    const auto& in_space = quark.note->space_boundary;
    if (in_space && *in_space != quarks_.space_boundary)
      throw Error(
          ErrorKind::input_file,
          fmt::format("{}: its quark has the signs ({}) in x, y, z; set space_boundary = [{}] in [quarks]",
                      quark.name, fmt::join(*in_space, ", "), fmt::join(*in_space, ", ")));
    const auto boundary = quark.note->boundary;
    if (!contents_.baryons.empty() && boundary && *boundary != quarks_.boundary)
      throw Error(ErrorKind::input_file,
                  fmt::format("{}: its quark has the sign {} in time; set boundary = \"{}\" in [quarks]",
                              quark.name, *boundary,
                              *boundary == 0   ? "dirichlet"
                              : *boundary == 1 ? "periodic"
                                               : "antiperiodic"));
    for (const Channel& channel : channels_) refuse(refuse_noise(quark, channel, with_momenta_));
  }
}

Extents StoredQuarks::expect_together(const std::string& gauge_file, const Files& files, int k,
                                      const Extents& extents) const {
  NotedQuarks quarks;
  for (const std::string& file : files) quarks.push_back({file, &headers_.at(file).note});
  expect_one_field(gauge_file, quarks, extents);
  expect_contractible(quarks);
  std::optional<Extents> site = given_position(k, extents);
  for (const NotedQuark& quark : quarks)
    if (const auto& mine = quark.note->position; site && mine && *site != *mine)
      throw Error(ErrorKind::input_file,
                  fmt::format("{}: its source is at {}, [source] says {}: they do not belong together",
                              quark.name, to_string(*mine), to_string(*site)));
  refuse(mismatch_of_sources(quarks));
  for (const NotedQuark& quark : quarks)
    if (!site) site = quark.note->position;
  if (!site && !runs_dry())
    throw Error(ErrorKind::job_file,
                fmt::format("{}: {} does not say where its source is; give position in [source]", job_file_,
                            files.front()));
  return site.value_or(Extents{});
}

LoadedQuarks StoredQuarks::read(const JobContext& context, const std::string& gauge_file, int k) const {
  const Phase phase("reading propagators");
  const MemoryName name("quark fields");
  FieldSpec spec = propagator_spec(kind_, Precision::double_precision);
  const Files& files = names_.at(gauge_file).at(index(k));
  LoadedQuarks loaded;
  std::vector<Field> on_host;
  for (std::size_t quark = 0; quark < files.size(); ++quark) {
    Field host(context.geometry, spec);
    LinkChecksum checksum;
    if (!runs_dry()) {
      checksum = read_propagator(files[quark], *context.grid, host).checksum;
      log::info(fmt::format("read {}: {}, checksum {}", quarks_.names[quark], files[quark], checksum.text()));
    }
    loaded.checksums.push_back(checksum);
    std::optional<std::size_t> same;
    for (std::size_t other = 0; other < quark && !same && !runs_dry(); ++other)
      if (same_numbers(*context.grid, on_host[other], host)) same = other;
    on_host.push_back(same ? on_host[*same] : host);
    Field here = on_host.back();  // the same memory
    if (!same && context.location() != Location::host) {
      FieldSpec there = spec;
      there.location = context.location();
      here = Field(context.geometry, there);
      copy(here, host);
    }
    loaded.fields.push_back(same ? loaded.fields[*same] : here);
  }
  return loaded;
}

void StoredQuarks::add_to(Results& results, const std::string& gauge_file, int k,
                          const LoadedQuarks& loaded) const {
  std::vector<std::int64_t> sums;
  std::vector<double> masses;
  for (const LinkChecksum& one : loaded.checksums) sums.insert(sums.end(), {one.a, one.b});
  for (const std::string& file : names_.at(gauge_file).at(index(k)))
    masses.push_back(headers_.at(file).note.mass.value_or(std::numeric_limits<double>::quiet_NaN()));
  results.dataset(
      checksum_path, {count(), 2}, sums,
      described({"quark", "suma, sumb"}, "1", "of the propagator's file, of its numbers as they were found"));
  results.dataset(
      "/quarks/mass", {count()}, masses,
      described({"quark"}, "lattice units", "bare mass, as the propagator's file says it; NaN: it does not"));
}

bool StoredQuarks::found_with(const Results& results) const {
  const Dataset* then = find_dataset(results, checksum_path);
  const std::string* file = find_gauge_file(results);
  if (then == nullptr || file == nullptr) return false;
  const auto names = names_.find(*file);
  if (names == names_.end()) return false;
  const auto* sums = std::get_if<std::vector<std::int64_t>>(&then->values);
  if (sums == nullptr || sums->size() != 2 * count()) return false;
  return std::any_of(names->second.begin(), names->second.end(), [&](const Files& files) {
    for (std::size_t quark = 0; quark < files.size(); ++quark) {
      const auto& now = headers_.at(files[quark]).checksum;
      if (now && ((*sums)[2 * quark] != now->a || (*sums)[2 * quark + 1] != now->b)) return false;
    }
    return true;
  });
}

Attributes StoredQuarks::attributes() const {
  return {{"names", quarks_.names},
          {"files", quarks_.files},
          {"boundary", std::int64_t{quarks_.boundary}},
          {"space_boundary",
           std::vector<std::int64_t>(quarks_.space_boundary.begin(), quarks_.space_boundary.end())}};
}

Attributes StoredQuarks::source_attributes() const { return {{"count", std::int64_t{keys_.count}}}; }

}  // namespace plaq::jobs
