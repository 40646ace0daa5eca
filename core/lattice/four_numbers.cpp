#include "core/lattice/geometry.hpp"

#include <algorithm>
#include <charconv>

namespace plaq {

std::optional<std::array<int, 4>> parse_four(const std::string& text) {
  std::array<int, 4> numbers{};
  const char *at = text.data(), *end = at + text.size();
  for (std::size_t d = 0; d < 4; ++d) {
    const auto [stop, problem] = std::from_chars(at, end, numbers[d]);
    if (problem != std::errc() || numbers[d] < 1 || numbers[d] > 4096) return {};
    const bool last = d == 3;
    if (last ? stop != end : stop == end || (*stop != 'x' && *stop != ',')) return {};
    at = stop + 1;
  }
  return numbers;
}

std::optional<std::array<int, 4>> parse_lattice(const std::string& text) {
  const auto extents = parse_four(text);
  if (!extents || std::any_of(extents->begin(), extents->end(), [](int n) { return n % 2 != 0; })) return {};
  return extents;
}

}  // namespace plaq
