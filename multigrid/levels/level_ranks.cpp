#include "multigrid/levels/level_ranks.hpp"

namespace plaq {
namespace {

int smallest_factor(int n) {
  for (int factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0) return factor;
  return n;
}

}  // namespace

Extents ranks_for_level(const Extents& ranks, const Extents& global, int least_sites) {
  Extents fewer = ranks;
  const auto local = [&](std::size_t mu) { return global[mu] / fewer[mu]; };
  while (std::int64_t{local(0)} * local(1) * local(2) * local(3) < least_sites) {
    std::size_t most = 3;
    for (std::size_t mu : {2, 1, 0})
      if (fewer[mu] > fewer[most] || (fewer[mu] == fewer[most] && local(mu) < local(most))) most = mu;
    if (fewer[most] == 1) break;
    fewer[most] /= smallest_factor(fewer[most]);
  }
  return fewer;
}

Extents ranks_for_blocks(const Extents& ranks, const Extents& global, const Extents& block) {
  Extents fewer = ranks;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto suits = [&](int n) { return ranks[mu] % n == 0 && global[mu] % (n * block[mu]) == 0; };
    int n = ranks[mu];
    while (n > 0 && !suits(n)) --n;
    if (n > 0) fewer[mu] = n;
  }
  return fewer;
}

}  // namespace plaq
