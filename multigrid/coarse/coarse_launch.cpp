#include "multigrid/coarse/coarse_launch.hpp"

namespace plaq {
namespace {

// Of a team, so that several run at a time; one right-hand side with parts held is always there.
constexpr int most_scratch_bytes = 64 * 1024;

// Vectors and sums, two of each, of all matrices; what CoarseHop takes but for some pointers.
int scratch_bytes(Precision precision, int components, const Launch& launch) {
  const int numbers = 1 + 2 * (launch.held ? 1 : 4);
  return coarse_matrices * launch.width * components * numbers * 2 * static_cast<int>(bytes_of(precision));
}

}  // namespace

std::vector<Launch> coarse_hop_candidates(Location location, Precision precision, int components,
                                          int right_hand_sides) {
  const int widest = right_hand_sides > 2 ? 4 : right_hand_sides;
  if (location == Location::host) return {{0, widest, true, {}}};
  std::vector<Launch> all;
  for (int width = widest; width >= 1; width /= 2)
    for (const bool held : {true, false})
      for (const int block : {128, 64, 256}) {
        const Launch launch{block, width, held, {}};
        if (scratch_bytes(precision, components, launch) <= most_scratch_bytes || (width == 1 && held))
          all.push_back(launch);
      }
  return all;
}

}  // namespace plaq
