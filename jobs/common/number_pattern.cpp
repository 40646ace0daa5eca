#include "jobs/common/number_pattern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <utility>

namespace plaq::jobs {
namespace {

constexpr std::size_t most_digits = 18;

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

std::int64_t number_in(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The last `slashes` + 1 parts of a path; all of it where there are fewer.
std::string_view last_parts(std::string_view path, std::size_t slashes) {
  std::size_t begin = path.size();
  for (std::size_t seen = 0; begin > 0; --begin)
    if (path[begin - 1] == '/' && seen++ == slashes) break;
  return path.substr(begin);
}

std::string several(const std::set<ChainNumbers>& numbers) {
  std::vector<std::string> said;
  for (const ChainNumbers& one : numbers) {
    said.push_back(fmt::format("trajectory {}", one.trajectory.value_or(0)));
    if (one.replica) said.back() += fmt::format(" of replica {}", *one.replica);
  }
  return fmt::format("{}", fmt::join(said, ", or "));
}

}  // namespace

NumberPattern::NumberPattern(std::string_view text) : text_(text) {
  const auto take = [&](std::string_view name, Kind kind, bool& had) {
    if (!text.starts_with(name)) return false;
    if (had) throw std::invalid_argument(fmt::format("{} twice", name));
    had = true;
    add({kind});
    text.remove_prefix(name.size());
    return true;
  };
  while (!text.empty()) {
    if (take("{trajectory}", Kind::trajectory, has_trajectory_) ||
        take("{replica}", Kind::replica, has_replica_))
      continue;
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '{' || c == '}')
      throw std::invalid_argument("braces of another name than trajectory or replica");
    add(c == '*' ? Part{Kind::any_text} : c == '?' ? Part{Kind::any_letter} : Part{Kind::letter, c});
    if (c == '/') ++slashes_;
  }
  if (!has_trajectory_) throw std::invalid_argument("no {trajectory}");
}

void NumberPattern::add(Part part) {
  if (part.is_number() && !parts_.empty() && parts_.back().is_number())
    throw std::invalid_argument("nothing between {replica} and {trajectory}");
  parts_.push_back(part);
}

bool NumberPattern::spells_digit(std::size_t part) const {
  return part < parts_.size() && parts_[part].kind == Kind::letter && is_decimal(parts_[part].letter);
}

std::optional<ChainNumbers> NumberPattern::numbers_in(const std::string& path) const {
  const std::string_view name = last_parts(path, slashes_);
  // Positions that the parts so far reach, with the numbers found on the way.
  using Reached = std::set<std::pair<std::size_t, ChainNumbers>>;
  Reached reached{{0, {}}};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    const bool before = i > 0 && spells_digit(i - 1), after = spells_digit(i + 1);
    Reached next;
    for (const auto& [at, numbers] : reached) {
      if (part.kind == Kind::letter) {
        if (at < name.size() && name[at] == part.letter) next.emplace(at + 1, numbers);
      } else if (part.kind == Kind::any_letter) {
        if (at < name.size() && name[at] != '/') next.emplace(at + 1, numbers);
      } else if (part.kind == Kind::any_text) {
        for (std::size_t end = at; end <= name.size() && (end == at || name[end - 1] != '/'); ++end)
          next.emplace(end, numbers);
      } else if (at == 0 || before || !is_decimal(name[at - 1])) {
        for (std::size_t end = at + 1;
             end <= name.size() && end - at <= most_digits && is_decimal(name[end - 1]); ++end) {
          if (!after && end < name.size() && is_decimal(name[end])) continue;
          ChainNumbers with = numbers;
          (part.kind == Kind::trajectory ? with.trajectory : with.replica) =
              number_in(name.substr(at, end - at));
          next.emplace(end, with);
        }
      }
    }
    reached = std::move(next);
  }
  std::set<ChainNumbers> found;
  for (const auto& [at, numbers] : reached)
    if (at == name.size()) found.insert(numbers);
  if (found.size() > 1)
    throw std::invalid_argument(fmt::format(
        "\"{}\" finds {} in {}: spell more of the name in place of * or ?", text_, several(found), path));
  return found.empty() ? std::nullopt : std::optional(*found.begin());
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The digits that `text` begins with, without zeros in front; what is behind all of them stays.
std::string_view take_number(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

}  // namespace

bool naturally_before(std::string_view a, std::string_view b) {
  std::string_view x = a, y = b;
  while (!x.empty() && !y.empty()) {
    if (is_digit(x.front()) && is_digit(y.front())) {
      const std::string_view m = take_number(x), n = take_number(y);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
      continue;
    }
    if (x.front() != y.front())
      return static_cast<unsigned char>(x.front()) < static_cast<unsigned char>(y.front());
    x.remove_prefix(1);
    y.remove_prefix(1);
  }
  if (x.empty() != y.empty()) return x.empty();
  return a < b;
}

}  // namespace plaq::jobs
