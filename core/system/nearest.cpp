#include "core/system/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace plaq {

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
