// Masses of quark and antiquark of mesons in jobs with many masses, [correlators] pairs.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace plaq::jobs {

/// Mesons of quarks with equal masses, or also of any two.
enum class MassPairs { equal, all };
struct MassPairKeys {
  MassPairs pairs = MassPairs::equal;

  /// Quark and antiquark of each meson by the numbers of their masses, in the order of results.
  std::vector<std::pair<std::size_t, std::size_t>> of(std::size_t masses) const {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t i = 0; i < masses; ++i)
      for (std::size_t j = i; j < (pairs == MassPairs::all ? masses : i + 1); ++j) all.emplace_back(i, j);
    return all;
  }
};

}  // namespace plaq::jobs
