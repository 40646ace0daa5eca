#include "kernels/quark/momentum.hpp"

#include <algorithm>

namespace plaq {

std::vector<Momentum> momenta_up_to(int most) {
  std::vector<Momentum> found;
  const auto square = [](const Momentum& n) { return n[0] * n[0] + n[1] * n[1] + n[2] * n[2]; };
  int edge = 0;
  while ((edge + 1) * (edge + 1) <= most) ++edge;
  for (int x = -edge; x <= edge; ++x)
    for (int y = -edge; y <= edge; ++y)
      for (int z = -edge; z <= edge; ++z)
        if (square({x, y, z}) <= most) found.push_back({x, y, z});
  std::stable_sort(found.begin(), found.end(),
                   [&](const Momentum& a, const Momentum& b) { return square(a) < square(b); });
  return found;
}

}  // namespace plaq
