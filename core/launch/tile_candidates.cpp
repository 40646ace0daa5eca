#include "core/launch/tile_candidates.hpp"

namespace plaq {
namespace {

constexpr std::size_t most_scratch_bytes = 64 * 1024;

}  // namespace

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
