#include "core/launch/team_candidates.hpp"

#include <algorithm>

namespace plaq {
namespace {

constexpr std::size_t scratch_of_two_teams = 110 * 1024;  // two teams fit where there are 227 KB
constexpr int least_width = 4, most_width = 16;
constexpr std::size_t most_scratch_bytes = 64 * 1024;

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

std::vector<Launch> tile_candidates(Location location, int right_hand_sides, bool parts,
                                    const std::function<std::size_t(const Launch&)>& scratch_bytes) {
  const int widest = right_hand_sides > 2 ? 4 : right_hand_sides;
  if (location == Location::host) return {{0, widest, true, {}}};
  std::vector<Launch> all;
  for (int width = widest; width >= 1; width /= 2)
    for (const bool held : {true, false})
      for (const int block : {128, 64, 256}) {
        const Launch launch{block, width, held, {}};
        const bool fits = (width == 1 && held) || scratch_bytes(launch) <= most_scratch_bytes;
        if (fits && (held || parts)) all.push_back(launch);
      }
  return all;
}

}  // namespace plaq
