#include "jobs/common/number_pattern.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace plaq::jobs {
namespace {

constexpr std::string_view digits = "([0-9]{1,18})";

std::int64_t number_in(const std::string& text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

NumberPattern::NumberPattern(std::string_view text) {
  std::string expression = "(?:.*/)?";
  std::size_t groups = 0;
  const auto take = [&](std::string_view name, std::size_t& group) {
    if (!text.starts_with(name)) return false;
    if (group != 0) throw std::invalid_argument(fmt::format("{} twice", name));
    group = ++groups;
    expression += digits;
    text.remove_prefix(name.size());
    return true;
  };
  while (!text.empty()) {
    if (take("{trajectory}", trajectory_) || take("{replica}", replica_)) continue;
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '{' || c == '}')
      throw std::invalid_argument("braces of another name than trajectory or replica");
    if (c == '*' || c == '?')
      expression += c == '*' ? "[^/]*" : "[^/]";
    else if (std::string_view(R"(.^$|()[]+\)").find(c) != std::string_view::npos)
      expression.append({'\\', c});
    else
      expression += c;
  }
  if (trajectory_ == 0) throw std::invalid_argument("no {trajectory}");
  regex_ = std::regex(expression);
}

std::optional<ChainNumbers> NumberPattern::numbers_in(const std::string& path) const {
  std::smatch found;
  if (!std::regex_match(path, found, regex_)) return std::nullopt;
  ChainNumbers numbers;
  numbers.trajectory = number_in(found[trajectory_].str());
  if (replica_ != 0) numbers.replica = number_in(found[replica_].str());
  return numbers;
}

}  // namespace plaq::jobs
