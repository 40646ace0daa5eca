#include <algorithm>
#include <cstdlib>
#include <utility>

#include "comms/placement/launch_table.hpp"
#include "core/system/error.hpp"

namespace plaq {
namespace {

constexpr char between = '\t';

std::string joined(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& field : fields) {
    text += field;
    // Names come from outside; no line may look like another.
    std::replace_if(
        text.end() - static_cast<std::ptrdiff_t>(field.size()), text.end(),
        [](char c) { return c == between || c == '\n'; }, ' ');
    text += between;
  }
  return text;
}

std::vector<std::string> fields_of(const std::string& text) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find(between, begin);
    require(end != std::string::npos, "a launch text without an end");
    fields.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

int number(const std::string& text) { return std::atoi(text.c_str()); }

}  // namespace

std::string text_of(const RankPlace& place) {
  std::vector<std::string> fields = {place.cores.text(), place.may_bind ? "1" : "0",
                                     std::to_string(place.threads)};
  fields.insert(fields.end(), place.gpus.begin(), place.gpus.end());
  return joined(fields);
}

RankPlace rank_place(const std::string& text) {
  const std::vector<std::string> fields = fields_of(text);
  require(fields.size() >= 3, "a launch text that is too short");
  return {CoreSet::parse(fields[0]), fields[1] == "1", number(fields[2]), {fields.begin() + 3, fields.end()}};
}

std::string text_of(const LaunchRow& row) {
  const Binding& b = row.binding;
  std::string faults;
  for (const BindingFault fault : b.faults) faults += static_cast<char>('0' + static_cast<int>(fault));
  return joined({row.host, row.gpu, row.name, std::to_string(b.gpu), b.cores.text(), b.bound ? "1" : "0",
                 std::to_string(b.threads), b.numa, b.gpu_numa, b.card, faults});
}

LaunchRow launch_row(const std::string& text) {
  const std::vector<std::string> fields = fields_of(text);
  require(fields.size() == 11, "a launch text of another length");
  LaunchRow row{fields[0], fields[1], fields[2], {}};
  row.binding = {number(fields[3]), CoreSet::parse(fields[4]),
                 fields[5] == "1",  number(fields[6]),
                 fields[7],         fields[8],
                 fields[9],         {}};
  for (const char fault : fields[10]) row.binding.faults.push_back(static_cast<BindingFault>(fault - '0'));
  return row;
}

// A line of faults, and for each kind of node a line with its ranks and one for each row.
std::string text_of(const LaunchSummary& summary) {
  std::vector<std::string> faults;
  for (const LaunchSummary::Fault& fault : summary.faults) {
    faults.push_back(std::to_string(fault.cases));
    faults.push_back(fault.first);
  }
  std::string text = joined(faults) + '\n';
  for (const LaunchSummary::Kind& kind : summary.kinds) {
    text += joined({std::to_string(kind.fingerprint), std::to_string(kind.nodes),
                    CoreSet(kind.first.ranks).text()}) +
            '\n';
    for (const LaunchRow& row : kind.first.rows) text += text_of(row) + '\n';
  }
  return text;
}

LaunchSummary launch_summary(const std::string& text) {
  std::size_t begin = 0;
  const auto next_line = [&] {
    const std::size_t end = text.find('\n', begin);
    require(end != std::string::npos, "a launch text without an end");
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    return line;
  };
  LaunchSummary summary;
  const std::vector<std::string> faults = fields_of(next_line());
  require(faults.size() == 2 * summary.faults.size(), "a launch text of another length");
  for (std::size_t f = 0; f < summary.faults.size(); ++f)
    summary.faults[f] = {std::stoull(faults[2 * f]), faults[2 * f + 1]};
  while (begin < text.size()) {
    const std::vector<std::string> fields = fields_of(next_line());
    require(fields.size() == 3, "a launch text of another length");
    LaunchSummary::Kind kind{std::stoull(fields[0]), std::stoull(fields[1]), {}};
    kind.first.ranks = CoreSet::parse(fields[2]).cores();
    for (std::size_t i = 0; i < kind.first.ranks.size(); ++i)
      kind.first.rows.push_back(launch_row(next_line()));
    summary.kinds.push_back(std::move(kind));
  }
  return summary;
}

}  // namespace plaq
