#include <algorithm>
#include <cstdlib>

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
  return joined({row.host, std::to_string(row.node), row.gpu, row.name, std::to_string(b.gpu), b.cores.text(),
                 b.bound ? "1" : "0", std::to_string(b.threads), b.numa, b.gpu_numa, b.card, faults});
}

LaunchRow launch_row(const std::string& text) {
  const std::vector<std::string> fields = fields_of(text);
  require(fields.size() == 12, "a launch text of another length");
  LaunchRow row{fields[0], number(fields[1]), fields[2], fields[3], {}};
  row.binding = {number(fields[4]), CoreSet::parse(fields[5]),
                 fields[6] == "1",  number(fields[7]),
                 fields[8],         fields[9],
                 fields[10],        {}};
  for (const char fault : fields[11]) row.binding.faults.push_back(static_cast<BindingFault>(fault - '0'));
  return row;
}

}  // namespace plaq
