#include "jobs/generate/generate_history.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "io/bytes/byte_stream.hpp"
#include "io/gauge/gauge_file.hpp"
#include "jobs/common/version.hpp"
#include "jobs/generate/chain_plan.hpp"
#include "jobs/results/observable_columns.hpp"
#include "jobs/results/output_file.hpp"

namespace plaq::jobs {
namespace {

using Kind = ChainEvent::Kind;

// The numbers of an event as a record has them.
std::vector<double> numbers_of(const GaugeObservables& o) {
  return {o.plaquette.all,        o.plaquette.spatial,    o.plaquette.temporal, o.link_trace,
          o.polyakov_loop.real(), o.polyakov_loop.imag(), o.unitarity_violation};
}

GaugeObservables observables_of(const std::vector<double>& x) {
  return {{x[0], x[1], x[2]}, x[3], {x[4], x[5]}, x[6]};
}

std::optional<ChainEvent> event_of(const JournalRecord& record) {
  ChainEvent event;
  event.kind = static_cast<Kind>(record.kind);
  ByteReader in(record.payload);
  const auto take = [&](auto& to) {
    const auto found = in.number<std::decay_t<decltype(to)>>();
    if (found) to = *found;
    return found.has_value();
  };
  std::vector<double> numbers(7);
  bool good = take(event.sweep);
  for (double& x : numbers) good = good && take(x);
  std::uint32_t kind = 0;
  good = good && take(kind) && take(event.checksum.a) && take(event.checksum.b) && take(event.bytes);
  if (!good || in.left() != 0) return std::nullopt;
  event.observables = observables_of(numbers);
  event.checksum.kind = static_cast<ChecksumKind>(kind);
  return event;
}

Attributes counting(const std::string& unit) {
  return {{"axes", std::vector<std::string>{"row"}}, {"units", unit}};
}

void add_checksums(Results& results, const std::vector<LinkChecksum>& checksums) {
  const ChecksumKind kind = checksums.front().kind;
  if (kind == ChecksumKind::none) return;  // openQCD, DDalphaAMG
  const bool one = kind == ChecksumKind::nersc;
  std::vector<std::int64_t> sums;
  for (const auto& checksum : checksums) {
    sums.push_back(checksum.a);
    if (!one) sums.push_back(checksum.b);
  }
  Attributes attributes = counting(fmt::format("{} checksum", name_of(kind)));
  std::vector<std::size_t> extents{checksums.size()};
  if (!one) {
    extents.push_back(2);
    attributes.front().second = std::vector<std::string>{"row", "sum"};
  }
  results.dataset("/configurations/checksum", extents, std::move(sums), std::move(attributes));
}

Results results_of(const std::vector<ChainEvent>& events, const std::string& file_names) {
  Results results;
  for (const Kind kind : {Kind::measured, Kind::saved}) {
    std::vector<std::int64_t> sweeps;
    std::vector<GaugeObservables> rows;
    std::vector<LinkChecksum> checksums;
    for (const auto& event : events) {
      if (event.kind != kind) continue;
      sweeps.push_back(event.sweep);
      rows.push_back(event.observables);
      checksums.push_back(event.checksum);
    }
    const std::size_t count = sweeps.size();
    if (count == 0) continue;
    const std::string group = kind == Kind::measured ? "/history" : "/configurations";
    results.dataset(group + "/sweep", {count}, std::move(sweeps), counting("compound sweeps"));
    if (kind == Kind::saved) add_checksums(results, checksums);
    add_observable_columns(results, group, rows, "row");
    if (kind == Kind::saved) results.group(group, {{"file_names", file_names}});
  }
  return results;
}

}  // namespace

JournalRecord to_record(const ChainEvent& event) {
  ByteWriter out;
  out.number(event.sweep);
  for (const double x : numbers_of(event.observables)) out.number(x);
  out.number(static_cast<std::uint32_t>(event.checksum.kind));
  out.number(event.checksum.a);
  out.number(event.checksum.b);
  out.number(event.bytes);
  return {static_cast<std::uint32_t>(event.kind), "", out.bytes()};
}

ChainHistory history_of(const std::string& path, const std::vector<JournalRecord>& records) {
  ChainHistory history;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const JournalRecord& record = records[i];
    if (record.kind < 1 || record.kind > 3) continue;
    const auto event = event_of(record);
    if (!event)
      throw Error(
          ErrorKind::output_file,
          fmt::format("{}: a record of another version of plaq; delete it, or choose another name for "
                      "the output",
                      path));
    history.events.push_back(*event);
    history.records_before.push_back(i);
  }
  return history;
}

void write_history(const std::string& path, const JobFile& job, const Extents& extents,
                   const std::vector<ChainEvent>& events) {
  OutputFile out(path, true);  // whether an older file may go was asked before the first sweep
  out.attribute("/", "plaq_version", std::string(version()));
  out.attribute("/", "job_type", job.type());
  out.attribute("/", "job", job.physics_text());
  const auto gauge = job.get<GaugeStartKeys>();
  out.attribute("/", "action", gauge.action);
  out.attribute("/", "beta", gauge.beta);
  out.attribute("/", "seed", job.get<UpdateKeys>().seed);
  out.attribute("/", "extents", std::vector<std::int64_t>(extents.begin(), extents.end()));
  out.write(results_of(events, fmt::format("{}.{{sweep:06}}.{}", job.get<ChainOutputKeys>().prefix,
                                           short_name(job.get<GaugeWriteOptions>().format))));
  out.commit();
}

}  // namespace plaq::jobs
