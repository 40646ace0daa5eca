#include "observables/gluon/gluon_momenta.hpp"

#include <algorithm>
#include <cmath>

namespace plaq {

GluonMomenta::GluonMomenta(const GluonSettings& settings, const Extents& extents)
    : directions_(settings.gauge == Gauge::landau ? 4 : 3),
      orbits_(momentum_orbits(extents, settings.max_n)) {
  if (is_landau()) time_momenta_ = settings.cuts.last_in_time(settings.max_n, extents) + 1;
  for (std::size_t o = 0; o < orbits_.size(); ++o)
    for (int t = 0; t < time_momenta_; ++t) {
      const Momentum& n = orbits_[o].n;
      Row row{{n[0], n[1], n[2], t}, o};
      row.squared = momentum_squared(row.n, extents, directions_);
      const bool one_sign = t == 0 || 2 * t == extents[3];
      row.count = static_cast<std::int64_t>(orbits_[o].members.size()) * (one_sign ? 1 : 2);
      const DiagonalDistance distance = distance_to_diagonal(row.n, extents, directions_);
      row.in_cylinder = settings.cuts.in_cylinder(distance);
      row.in_cone = settings.cuts.in_cone(distance);
      rows_.push_back(row);
    }
}

std::vector<std::size_t> GluonMomenta::of_ghosts(const GhostSettings& settings) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rows_.size() && settings.momenta != GhostMomenta::none; ++i) {
    const Row& row = rows_[i];
    const bool survives = settings.momenta == GhostMomenta::all ||
                          (row.in_cylinder && (settings.momenta == GhostMomenta::cylinder || row.in_cone));
    if (survives && !row.is_zero()) found.push_back(i);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](std::size_t a, std::size_t b) { return rows_[a].squared < rows_[b].squared; });
  if (settings.count > 0 && found.size() > static_cast<std::size_t>(settings.count))
    found.resize(static_cast<std::size_t>(settings.count));
  return found;
}

}  // namespace plaq
