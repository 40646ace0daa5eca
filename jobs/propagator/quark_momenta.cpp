#include "jobs/propagator/quark_momenta.hpp"

#include <algorithm>
#include <numbers>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

FreeQuark known_free_quark(const Action& action, const std::array<double, 4>& p) {
  const auto free = action.free_quark(p);
  require(free.has_value(), "a quark propagator of quarks without a known one on unit links");
  return *free;
}

}  // namespace

QuarkMomenta::QuarkMomenta(const QuarkPropagatorKeys& keys, const Extents& extents,
                           const std::array<int, 4>& boundary, const Action& action)
    : extents_(extents) {
  for (std::size_t mu = 0; mu < 4; ++mu) half_[mu] = boundary[mu] < 0 ? 1 : 0;
  orbits_ = momentum_orbits(extents, *keys.max_n, {half_[0], half_[1], half_[2]});
  time_momenta_ = keys.cuts.last_in_time(*keys.max_n, extents, half_[3]) + 1;
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
      row.in_cylinder = keys.cuts.in_cylinder(distance);
      row.in_cone = keys.cuts.in_cone(distance);
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

Results QuarkMomenta::describe() const {
  Results results;
  const std::size_t count = rows_.size();
  std::vector<std::int64_t> n, members, cylinder, cone;
  std::vector<double> p, k, squared, k_squared, vector, scalar;
  for (const Row& row : rows_) {
    n.insert(n.end(), row.n.begin(), row.n.end());
    p.insert(p.end(), row.p.begin(), row.p.end());
    k.insert(k.end(), row.free.k.begin(), row.free.k.end());
    squared.push_back(row.squared);
    k_squared.push_back(row.free.k_squared());
    members.push_back(row.count);
    cylinder.push_back(row.in_cylinder ? 1 : 0);
    cone.push_back(row.in_cone ? 1 : 0);
    vector.push_back(row.free.vector);
    scalar.push_back(row.free.scalar);
  }
  const std::vector<std::string> axis{"momentum"}, axes{"momentum", "direction"};
  const auto add = [&](const char* name, Dataset::Values values, const char* units, const char* meaning) {
    results.dataset(std::string("/quark_propagator/") + name, {count}, std::move(values),
                    described(axis, units, meaning));
  };
  const auto add_directions = [&](const char* name, Dataset::Values values, const char* units,
                                  const char* meaning) {
    results.dataset(std::string("/quark_propagator/") + name, {count, 4}, std::move(values),
                    described(axes, units, meaning));
  };
  add_directions("n", n, "2 pi / L of each direction",
                 "one of the momenta that are averaged; p has n + 1/2 where the quark is antiperiodic");
  add_directions("p", p, "a^-1", "that momentum");
  add_directions("k", k, "a^-1", "sin p, in space times nu/xi of the action");
  add("p_squared", squared, "a^-2", "sum over directions of p^2");
  add("k_squared", k_squared, "a^-2", "sum over directions of k^2");
  add("count", members, "1", "momenta that are averaged");
  add("in_cylinder", cylinder, "1", "1 where the cylinder cut lets it through");
  add("in_cone", cone, "1", "1 where the cone cut lets it through");
  add("tree_vector", vector, "a^2", "v of S(p) = -i k-slash v + s on unit links");
  add("tree_scalar", scalar, "a", "s of the same");
  results.dataset("/quark_propagator/tree_mass", {}, std::vector<double>{tree_mass_},
                  described({}, "a^-1", "s/v on unit links at p = 0"));
  return results;
}

}  // namespace plaq::jobs
