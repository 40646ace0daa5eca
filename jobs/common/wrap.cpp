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

std::string plural_of(const std::string& word) {
  if (word.ends_with('y')) return word.substr(0, word.size() - 1) + "ies";
  return word + (word.ends_with('s') ? "es" : "s");
}

std::string counted(std::int64_t n, const std::string& what) {
  return std::to_string(n) + ' ' + (n == 1 ? what : plural_of(what));
}

}  // namespace plaq::jobs
