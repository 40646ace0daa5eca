#include "core/system/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace plaq {
namespace {

std::atomic<const Wording*> current = nullptr;

}  // namespace

std::string Wording::key(std::string_view table, std::string_view key) const {
  return fmt::format("key '{}'{}", key, place(table));
}

std::string Wording::place(std::string_view table) const {
  return table.empty() ? " at the top of the file" : fmt::format(" in [{}]", table);
}

std::string Wording::setting(std::string_view table, std::string_view key, std::string_view value) const {
  return fmt::format("{} = {}{}", key, value, place(table));
}

std::string Wording::label(std::string_view table, std::string_view key) const {
  constexpr std::string_view noun = "key ";
  const std::string text = this->key(table, key);
  return text.starts_with(noun) ? text.substr(noun.size()) : text;
}

const Wording& job_file_wording() {
  static const Wording of_job_files;
  return of_job_files;
}

const Wording& wording() {
  const Wording* found = current;
  return found ? *found : job_file_wording();
}

WordingScope::WordingScope(const Wording& wording) : before_(current.exchange(&wording)) {}
WordingScope::~WordingScope() { current = before_; }

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> before(width), last(width), row(width);
  for (std::size_t j = 0; j < width; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names) {
  const auto at = std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
    return edit_distance(wanted, a) < edit_distance(wanted, b);
  });
  return at == names.end() ? std::string() : *at;
}

std::string nearest_hint(std::string_view wanted, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  const std::string name = nearest_name(wanted, names);
  const int longest = static_cast<int>(std::max(wanted.size(), name.size()));
  const int distance = edit_distance(wanted, name);
  if (distance <= std::max(1, longest / 3) && distance < longest)
    return fmt::format("did you mean '{}'?", name);
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i)
    all += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return fmt::format("there {} {}", names.size() == 1 ? "is" : "are", all);
}

}  // namespace plaq
