#include "kernels/quark/momentum.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace plaq {

std::vector<Momentum> momenta_up_to(int most, const Extents& extents) {
  std::vector<Momentum> found;
  const auto square = [](const Momentum& n) { return n[0] * n[0] + n[1] * n[1] + n[2] * n[2]; };
  int edge = 0;
  while ((edge + 1) * (edge + 1) <= most) ++edge;
  const auto last = [&](std::size_t i) { return std::min(edge, extents[i] / 2); };
  const auto first = [&](std::size_t i) { return std::max(-edge, -((extents[i] - 1) / 2)); };
  for (int x = first(0); x <= last(0); ++x)
    for (int y = first(1); y <= last(1); ++y)
      for (int z = first(2); z <= last(2); ++z)
        if (square({x, y, z}) <= most) found.push_back({x, y, z});
  std::stable_sort(found.begin(), found.end(),
                   [&](const Momentum& a, const Momentum& b) { return square(a) < square(b); });
  return found;
}

std::optional<std::string> validate_momentum(const Momentum& n, const Extents& extents) {
  for (std::size_t i = 0; i < 3; ++i) {
    const int extent = extents[i];
    if (std::abs(std::int64_t{n[i]}) <= extent / 2) continue;
    int same = n[i] % extent;
    if (2 * same > extent) same -= extent;
    if (2 * same <= -extent) same += extent;
    const std::string name = std::string("n_") + "xyz"[i];
    return name + " = " + std::to_string(n[i]) + " is the momentum " + name + " = " + std::to_string(same) +
           " on the lattice " + to_string(extents) + ": |" + name + "| is at most " +
           std::to_string(extent / 2);
  }
  return std::nullopt;
}

std::array<int, 4> half_momenta(const std::array<int, 4>& boundary) {
  std::array<int, 4> half{};
  for (std::size_t mu = 0; mu < 4; ++mu) half[mu] = boundary[mu] == -1 ? 1 : 0;
  return half;
}

std::optional<std::string> validate_momentum(const std::array<int, 4>& n, const std::array<int, 4>& half,
                                             const Extents& extents) {
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const int least = -(extents[mu] / 2), most = (extents[mu] - half[mu]) / 2;
    if (n[mu] < least || n[mu] > most)
      return std::string("n_") + "xyzt"[mu] + " = " + std::to_string(n[mu]) +
             " is outside the Brillouin zone of the lattice " + to_string(extents) + ", must be " +
             std::to_string(least) + " to " + std::to_string(most);
  }
  return std::nullopt;
}

}  // namespace plaq
