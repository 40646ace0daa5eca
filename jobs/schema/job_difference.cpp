#include "jobs/schema/job_file.hpp"

#include <algorithm>
#include <sstream>

namespace plaq::jobs {
namespace {

struct Line {
  KeyName key;
  std::string value;
};

// The texts have one key a line.
std::vector<Line> lines_of(const std::string& text) {
  std::vector<Line> lines;
  std::istringstream stream(text);
  std::string table;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('[') && line.ends_with(']'))
      table = line.substr(1, line.size() - 2);
    else if (const auto equals = line.find(" = "); equals != std::string::npos)
      lines.push_back({{table, line.substr(0, equals)}, line.substr(equals + 3)});
  }
  return lines;
}

const Line* find(const std::vector<Line>& lines, const KeyName& key) {
  const auto at = std::find_if(lines.begin(), lines.end(), [&](const Line& line) { return line.key == key; });
  return at == lines.end() ? nullptr : &*at;
}

}  // namespace

std::vector<JobDifference> compare_jobs(const std::string& first, const std::string& second) {
  const auto a = lines_of(first), b = lines_of(second);
  std::vector<JobDifference> differences;
  for (const Line& line : a) {
    const Line* other = find(b, line.key);
    if (!other || other->value != line.value)
      differences.push_back({line.key, line.value, other ? other->value : ""});
  }
  for (const Line& line : b)
    if (!find(a, line.key)) differences.push_back({line.key, "", line.value});
  return differences;
}

}  // namespace plaq::jobs
