#include "jobs/common/wrap.hpp"

#include <sstream>

namespace plaq::jobs {

std::string wrapped(std::string_view text, std::string_view before, std::size_t width) {
  std::string result;
  std::istringstream lines{std::string(text)};
  for (std::string source; std::getline(lines, source);) {
    std::string line(before);
    std::istringstream words(source);
    for (std::string word; words >> word;) {
      const bool first = line.size() == before.size();
      if (!first && line.size() + 1 + word.size() > width) {
        result += line + '\n';
        line = std::string(before) + word;
      } else {
        line += (first ? "" : " ") + word;
      }
    }
    result += line + '\n';
  }
  return result;
}

}  // namespace plaq::jobs
