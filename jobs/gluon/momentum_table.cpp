#include "jobs/gluon/momentum_table.hpp"

#include <algorithm>
#include <cmath>

namespace plaq::jobs {

MomentumTable::MomentumTable(const GluonKeys& keys, const Extents& extents)
    : directions_(keys.gauge == Gauge::landau ? 4 : 3), orbits_(momentum_orbits(extents, keys.max_n)) {
  if (is_landau()) time_momenta_ = keys.cuts.last_in_time(keys.max_n, extents) + 1;
  for (std::size_t o = 0; o < orbits_.size(); ++o)
    for (int t = 0; t < time_momenta_; ++t) {
      const Momentum& n = orbits_[o].n;
      Row row{{n[0], n[1], n[2], t}, o};
      row.squared = momentum_squared(row.n, extents, directions_);
      const bool one_sign = t == 0 || 2 * t == extents[3];
      row.count = static_cast<std::int64_t>(orbits_[o].members.size()) * (one_sign ? 1 : 2);
      const DiagonalDistance distance = distance_to_diagonal(row.n, extents, directions_);
      row.in_cylinder = keys.cuts.in_cylinder(distance);
      row.in_cone = keys.cuts.in_cone(distance);
      rows_.push_back(row);
    }
}

std::vector<std::size_t> MomentumTable::of_ghosts(const GhostKeys& keys) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rows_.size() && keys.momenta != GhostMomenta::none; ++i) {
    const Row& row = rows_[i];
    const bool survives = keys.momenta == GhostMomenta::all ||
                          (row.in_cylinder && (keys.momenta == GhostMomenta::cylinder || row.in_cone));
    if (survives && !row.is_zero()) found.push_back(i);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](std::size_t a, std::size_t b) { return rows_[a].squared < rows_[b].squared; });
  if (keys.count > 0 && found.size() > static_cast<std::size_t>(keys.count))
    found.resize(static_cast<std::size_t>(keys.count));
  return found;
}

Results MomentumTable::describe(const std::vector<std::size_t>& ghosts) const {
  Results results;
  const std::size_t count = rows_.size(), directions = static_cast<std::size_t>(directions_);
  std::vector<std::int64_t> n, members, cylinder, cone;
  std::vector<double> squared;
  for (const Row& row : rows_) {
    n.insert(n.end(), row.n.begin(), row.n.begin() + directions_);
    squared.push_back(row.squared);
    members.push_back(row.count);
    cylinder.push_back(row.in_cylinder ? 1 : 0);
    cone.push_back(row.in_cone ? 1 : 0);
  }
  const std::vector<std::string> axis{"momentum"};
  results.dataset("/momenta/n", {count, directions}, n,
                  described({"momentum", "direction"}, "2 pi / L of each direction",
                            "one of the momenta that are averaged"));
  results.dataset("/momenta/p_squared", {count}, squared,
                  described(axis, "a^-2", "sum over directions of 4 sin^2(pi n / L)"));
  results.dataset("/momenta/count", {count}, members, described(axis, "1", "momenta that are averaged"));
  results.dataset("/momenta/in_cylinder", {count}, cylinder,
                  described(axis, "1", "1 where the cylinder cut lets it through"));
  results.dataset("/momenta/in_cone", {count}, cone,
                  described(axis, "1", "1 where the cone cut lets it through"));
  if (!ghosts.empty())
    results.dataset("/ghost/momentum", {ghosts.size()},
                    std::vector<std::int64_t>(ghosts.begin(), ghosts.end()),
                    described({"ghost_momentum"}, "1", "number of the momentum in /momenta"));
  return results;
}

}  // namespace plaq::jobs
