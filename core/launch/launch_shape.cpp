#include "core/launch/launch_shape.hpp"

#include <algorithm>

namespace plaq {

std::string to_string(const Launch& launch) {
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  if (launch.block != 0) add("block=" + std::to_string(launch.block));
  if (launch.width != 0) add("width=" + std::to_string(launch.width));
  if (launch.held) add("held");
  if (launch.tiles) add("tiles");
  if (launch.box != BoxRows{})
    add("box=" + std::to_string(launch.box.y) + "x" + std::to_string(launch.box.z) + "x" +
        std::to_string(launch.box.t));
  return text.empty() ? "default" : text;
}

std::vector<Launch> launch_candidates(Location location, int largest_block, std::span<const int> widths) {
  std::vector<Launch> all;
  for (const int width : widths) {
    if (location == Location::host) {
      all.push_back({0, width, false, {}});
      continue;
    }
    all.push_back({largest_block, width, false, {}});
    for (const int block : {64, 96, 128, 192, 256, 384, 512, 768, 1024})
      if (block < largest_block) all.push_back({block, width, false, {}});
  }
  return all;
}

std::vector<BoxRows> box_candidates(const LatticeShape& shape, int largest_block) {
  constexpr std::size_t most = 6;
  struct Choice {
    BoxRows rows;
    double surface;  // neighbours outside of the box for each row
  };
  std::vector<Choice> choices;
  for (int y = 1; y <= shape.extent[1]; y *= 2)
    for (int z = 1; z <= shape.extent[2]; z *= 2)
      for (int t = 1; t <= shape.extent[3]; t *= 2) {
        const int threads = shape.half_x * y * z * t;
        if (threads > largest_block || 2 * threads * 2 <= largest_block || threads < 32) continue;
        choices.push_back({{y, z, t}, 2.0 / y + 2.0 / z + 2.0 / t});
      }
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Choice& a, const Choice& b) { return a.surface < b.surface; });
  std::vector<BoxRows> rows;
  for (const Choice& c : choices)
    if (rows.size() < most) rows.push_back(c.rows);
  return rows;
}

}  // namespace plaq
