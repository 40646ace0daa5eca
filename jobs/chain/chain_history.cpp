#include "jobs/chain/chain_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/system/error.hpp"
#include "core/system/machine.hpp"
#include "io/bytes/byte_stream.hpp"
#include "io/gauge/gauge_file.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/results/observable_columns.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/results/result_file.hpp"
#include "settings/gauge/gauge_action_table.hpp"

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
  std::uint32_t count = 0;
  if (event.kind == Kind::updated) good = good && take(count);
  event.numbers.resize(good ? count : 0);
  for (double& x : event.numbers) good = good && take(x);
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

// Numbers of the columns of all steps.
void add_steps(Results& results, const ChainPlan& plan, const std::vector<ChainEvent>& events) {
  std::vector<std::int64_t> steps;
  std::vector<std::vector<double>> columns(plan.kind.columns.size());
  for (const auto& event : events) {
    if (event.kind != Kind::updated) continue;
    steps.push_back(plan.origin + event.sweep);
    for (std::size_t k = 0; k < columns.size(); ++k) columns[k].push_back(event.numbers.at(k));
  }
  const std::size_t count = steps.size();
  if (count == 0) return;
  results.dataset("/steps/" + plan.kind.counter, {count}, std::move(steps), counting(plan.kind.steps));
  for (std::size_t k = 0; k < columns.size(); ++k)
    results.dataset("/steps/" + plan.kind.columns[k].name, {count}, std::move(columns[k]),
                    counting(plan.kind.columns[k].units));
}

Results results_of(const ChainPlan& plan, const std::vector<ChainEvent>& events,
                   const std::string& file_names) {
  Results results;
  for (const Kind kind : {Kind::measured, Kind::saved}) {
    std::vector<std::int64_t> sweeps;
    std::vector<GaugeObservables> rows;
    std::vector<LinkChecksum> checksums;
    for (const auto& event : events) {
      if (event.kind != kind) continue;
      sweeps.push_back(plan.origin + event.sweep);
      rows.push_back(event.observables);
      checksums.push_back(event.checksum);
    }
    const std::size_t count = sweeps.size();
    if (count == 0) continue;
    const std::string group = kind == Kind::measured ? "/history" : "/configurations";
    results.dataset(group + "/" + plan.kind.counter, {count}, std::move(sweeps), counting(plan.kind.steps));
    if (kind == Kind::saved) add_checksums(results, checksums);
    add_observable_columns(results, group, rows, "row");
    if (kind == Kind::saved) results.group(group, {{"file_names", file_names}});
  }
  add_steps(results, plan, events);
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
  if (event.kind == Kind::updated) {
    out.number(static_cast<std::uint32_t>(event.numbers.size()));
    for (const double x : event.numbers) out.number(x);
  }
  return {static_cast<std::uint32_t>(event.kind), "", out.bytes()};
}

ChainHistory history_of(const std::string& path, const std::vector<JournalRecord>& records) {
  ChainHistory history;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const JournalRecord& record = records[i];
    if (record.kind < 1 || record.kind > 4) continue;
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

void write_history(const ChainPlan& plan, const JobFile& job, const Extents& extents,
                   const std::vector<ChainEvent>& events) {
  OutputFile out(plan.history_name(), true);  // whether an older file may go was asked before the first step
  out.attribute("/", "plaq_version", std::string(version()));
  out.attribute("/", "job_type", job.type());
  out.attribute("/", "job", job.physics_text());
  const auto gauge = job.get<GaugeActionKeys>();
  out.attribute("/", "action", gauge.action);
  out.attribute("/", "beta", gauge.beta);
  out.attribute("/", "seed", plan.update.seed);
  out.attribute("/", "extents", std::vector<std::int64_t>(extents.begin(), extents.end()));
  out.write(results_of(
      plan, events,
      fmt::format("{}.{{{}:06}}.{}", plan.output.prefix, plan.kind.counter, short_name(plan.saved.format))));
  out.commit();
}

namespace {

// Datasets of a history file by path.
class StoredHistory {
 public:
  explicit StoredHistory(const std::string& path) : path_(path) {
    for (StoredObject& object : read_result_file(path, StoredValues::read).objects)
      objects_[object.path] = std::move(object);
  }

  bool has(const std::string& path) const { return objects_.contains(path); }

  // `count`: numbers that there must be; none: any.
  template <class T>
  const std::vector<T>& values(const std::string& path, std::optional<std::size_t> count = {}) const {
    const auto found = objects_.find(path);
    const auto* values = found == objects_.end() || !found->second.values
                             ? nullptr
                             : std::get_if<std::vector<T>>(&*found->second.values);
    if (values == nullptr || (count && values->size() != *count))
      throw Error(
          ErrorKind::output_file,
          fmt::format("{}: {} is not as this job writes it; the chain cannot go on from there", path_, path));
    return *values;
  }

  std::vector<GaugeObservables> observables(const std::string& group, std::size_t rows) const {
    const auto column = [&](const char* name, std::size_t width = 1) {
      return values<double>(fmt::format("{}/{}", group, name), width * rows);
    };
    const auto all = column("plaquette"), spatial = column("plaquette_spatial"),
               temporal = column("plaquette_temporal"), trace = column("link_trace"),
               loop = column("polyakov_loop", 2), violation = column("unitarity_violation");
    std::vector<GaugeObservables> found;
    for (std::size_t i = 0; i < rows; ++i)
      found.push_back(
          {{all[i], spatial[i], temporal[i]}, trace[i], {loop[2 * i], loop[2 * i + 1]}, violation[i]});
    return found;
  }

  std::vector<LinkChecksum> checksums(ChecksumKind kind, std::size_t rows) const {
    std::vector<LinkChecksum> found(rows, LinkChecksum{kind});
    if (kind == ChecksumKind::none) return found;
    const std::size_t width = kind == ChecksumKind::nersc ? 1 : 2;
    const auto& sums = values<std::int64_t>("/configurations/checksum", width * rows);
    for (std::size_t i = 0; i < rows; ++i) {
      found[i].a = static_cast<std::uint32_t>(sums[width * i]);
      if (width == 2) found[i].b = static_cast<std::uint32_t>(sums[width * i + 1]);
    }
    return found;
  }

 private:
  std::string path_;
  std::map<std::string, StoredObject> objects_;
};

}  // namespace

std::vector<ChainEvent> read_history(const ChainPlan& plan) {
  const StoredHistory stored(plan.history_name());
  std::vector<ChainEvent> events;
  for (const Kind kind : {Kind::measured, Kind::saved}) {
    const std::string group = kind == Kind::measured ? "/history" : "/configurations";
    const std::string counter = group + "/" + plan.kind.counter;
    if (!stored.has(counter)) continue;
    const auto& numbers = stored.values<std::int64_t>(counter);
    const auto observables = stored.observables(group, numbers.size());
    const bool saved = kind == Kind::saved;
    const auto checksums = saved ? stored.checksums(gauge_format(plan.saved.format).checksum, numbers.size())
                                 : std::vector<LinkChecksum>(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ChainEvent event{kind, numbers[i] - plan.origin, observables[i], checksums[i], 0};
      std::error_code missing;
      if (saved) event.bytes = std::filesystem::file_size(plan.configuration_name(event.sweep), missing);
      if (missing) event.bytes = 0;
      events.push_back(event);
    }
  }
  const std::string steps = "/steps/" + plan.kind.counter;
  if (stored.has(steps)) {
    const auto& numbers = stored.values<std::int64_t>(steps);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ChainEvent event{Kind::updated, numbers[i] - plan.origin};
      for (const StepColumn& column : plan.kind.columns)
        event.numbers.push_back(stored.values<double>("/steps/" + column.name, numbers.size())[i]);
      events.push_back(std::move(event));
    }
  }
  // The numbers of a step stand before what was measured after it.
  const auto place = [](const ChainEvent& event) {
    return std::pair(event.sweep, event.kind == Kind::updated ? 0 : 1);
  };
  std::stable_sort(events.begin(), events.end(),
                   [&](const ChainEvent& a, const ChainEvent& b) { return place(a) < place(b); });
  return events;
}

}  // namespace plaq::jobs
