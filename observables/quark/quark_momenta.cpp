#include "observables/quark/quark_momenta.hpp"

#include <algorithm>
#include <numbers>

#include "core/system/error.hpp"

namespace plaq {
namespace {

FreeQuark known_free_quark(const Action& action, const std::array<double, 4>& p) {
  const auto free = action.free_quark(p);
  require(free.has_value(), "a quark propagator of quarks without a known one on unit links");
  return *free;
}

}  // namespace

QuarkMomenta::QuarkMomenta(int max_n, const MomentumCuts& cuts, const Extents& extents,
                           const std::array<int, 4>& boundary, const Action& action)
    : extents_(extents) {
  for (std::size_t mu = 0; mu < 4; ++mu) half_[mu] = boundary[mu] < 0 ? 1 : 0;
  orbits_ = momentum_orbits(extents, max_n, {half_[0], half_[1], half_[2]});
  time_momenta_ = cuts.last_in_time(max_n, extents, half_[3]) + 1;
  const FreeQuark at_rest = known_free_quark(action, {});
  tree_mass_ = at_rest.scalar / at_rest.vector;
  for (std::size_t o = 0; o < orbits_.size(); ++o)
    for (int t = 0; t < time_momenta_; ++t) {
      const Momentum& n = orbits_[o].n;
      Row row;
      row.n = {n[0], n[1], n[2], t};
      row.orbit = o;
      std::array<double, 4> numbers{};
      for (std::size_t mu = 0; mu < 4; ++mu) {
        numbers[mu] = row.n[mu] + 0.5 * half_[mu];
        row.p[mu] = 2 * std::numbers::pi * numbers[mu] / extents[mu];
        row.squared += row.p[mu] * row.p[mu];
      }
      row.count = static_cast<std::int64_t>(orbits_[o].members.size() * in_time(t).size());
      const DiagonalDistance distance = distance_of_numbers(numbers, extents);
      row.in_cylinder = cuts.in_cylinder(distance);
      row.in_cone = cuts.in_cone(distance);
      row.free = known_free_quark(action, row.p);
      rows_.push_back(row);
    }
}

std::vector<int> QuarkMomenta::in_time(int n_t) const {
  if (sign(n_t, 3) == 0) return {n_t};
  return {n_t, -n_t - half_[3]};
}

int QuarkMomenta::sign(int n, std::size_t mu) const {
  const int twice = 2 * n + half_[mu];
  return twice % extents_[mu] == 0 ? 0 : twice > 0 ? 1 : -1;
}

}  // namespace plaq
