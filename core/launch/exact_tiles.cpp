#include "core/launch/exact_tiles.hpp"

#include <algorithm>

namespace plaq {
namespace {

constexpr std::size_t scratch_of_two_teams = 110 * 1024;  // two teams fit where there are 227 KB
constexpr int least_width = 4, most_width = 16;

}  // namespace

std::vector<Launch> exact_candidates(Location location, int right_hand_sides, int most,
                                     const std::function<std::size_t(const Launch&)>& scratch_bytes) {
  if (location == Location::host) return {{0, exact_host_tile, true, {}}};
  const int all = std::min(most_width, (right_hand_sides + 3) / 4 * 4), half = (all / 4 + 1) / 2 * 4;
  std::vector<Launch> candidates;
  const auto add = [&](int workers, int width) {
    const Launch launch{32 * workers, width, true, {}};
    if (workers <= most && scratch_bytes(launch) <= scratch_of_two_teams) candidates.push_back(launch);
  };
  for (const int workers : {4, 8, 2}) add(workers, all);
  if (half < all)
    for (const int workers : {4, 8}) add(workers, half);
  if (candidates.empty()) candidates.push_back({32 * std::min(2, most), least_width, true, {}});
  return candidates;
}

}  // namespace plaq
