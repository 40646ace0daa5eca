#include "jobs/chain/step_title.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <sstream>

namespace plaq::jobs {

std::string StepTitle::text() const {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", chain, step, links, place, links_file, version, job);
}

StepTitle StepTitle::of(const std::string& text) {
  std::istringstream lines(text);
  StepTitle title;
  for (std::string* line :
       {&title.chain, &title.step, &title.links, &title.place, &title.links_file, &title.version})
    std::getline(lines, *line);
  title.job = std::string(std::istreambuf_iterator<char>(lines), {});
  return title;
}

std::int64_t StepTitle::number() const {
  const std::string digits = step.substr(step.find_last_of(' ') + 1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? number : 0;
}

}  // namespace plaq::jobs
