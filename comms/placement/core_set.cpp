#include "comms/placement/core_set.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "core/system/error.hpp"

namespace plaq {

CoreSet::CoreSet(std::vector<int> cores) : cores_(std::move(cores)) {
  std::sort(cores_.begin(), cores_.end());
  cores_.erase(std::unique(cores_.begin(), cores_.end()), cores_.end());
}

CoreSet CoreSet::parse(std::string_view text) {
  constexpr int most = 1 << 20;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const char *at = text.data(), *end = at + text.size();
  const auto number = [&] {
    int value = 0;
    const auto [stop, problem] = std::from_chars(at, end, value);
    require(problem == std::errc() && value >= 0 && value < most, "a list of cores that is none");
    at = stop;
    return value;
  };
  std::vector<int> cores;
  while (at != end) {
    if (!cores.empty()) require(*at++ == ',', "a list of cores that is none");
    const int first = number();
    int last = first;
    if (at != end && *at == '-') {
      ++at;
      last = number();
    }
    require(first <= last, "a list of cores that is none");
    for (int core = first; core <= last; ++core) cores.push_back(core);
  }
  return CoreSet(std::move(cores));
}

std::string CoreSet::text() const {
  std::string text;
  for (auto first = cores_.begin(); first != cores_.end();) {
    auto last = first;
    while (std::next(last) != cores_.end() && *std::next(last) == *last + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(*first);
    if (last != first) text.append("-").append(std::to_string(*last));
    first = std::next(last);
  }
  return text;
}

bool CoreSet::contains(int core) const { return std::binary_search(cores_.begin(), cores_.end(), core); }

bool CoreSet::includes(const CoreSet& other) const {
  return std::includes(cores_.begin(), cores_.end(), other.cores_.begin(), other.cores_.end());
}

bool CoreSet::meets(const CoreSet& other) const { return !(*this & other).empty(); }

CoreSet operator&(const CoreSet& a, const CoreSet& b) {
  std::vector<int> both;
  std::set_intersection(a.cores().begin(), a.cores().end(), b.cores().begin(), b.cores().end(),
                        std::back_inserter(both));
  return CoreSet(std::move(both));
}

CoreSet operator|(const CoreSet& a, const CoreSet& b) {
  std::vector<int> any;
  std::set_union(a.cores().begin(), a.cores().end(), b.cores().begin(), b.cores().end(),
                 std::back_inserter(any));
  return CoreSet(std::move(any));
}

}  // namespace plaq
