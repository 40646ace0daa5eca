#include "kernels/gluon/lattice_momenta.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>
#include <utility>

namespace plaq {
namespace {

// Sorted among axes of equal extents.
Momentum representative(const Momentum& n, const Extents& extents, const std::array<int, 3>& half) {
  Momentum r{};
  for (std::size_t i = 0; i < 3; ++i) r[i] = n[i] < 0 ? -n[i] - half[i] : n[i];
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = i + 1; j < 3; ++j)
        if (extents[i] == extents[j] && half[i] == half[j] && r[i] < r[j]) std::swap(r[i], r[j]);
  return r;
}

}  // namespace

std::vector<MomentumOrbit> momentum_orbits(const Extents& extents, int most, const std::array<int, 3>& half) {
  std::map<Momentum, std::vector<Momentum>> found;
  std::array<int, 3> last{}, first{};
  for (std::size_t i = 0; i < 3; ++i) {
    last[i] = std::min(most, extents[i] / 2 - half[i]);
    first[i] = half[i] != 0                ? -last[i] - 1
               : 2 * last[i] == extents[i] ? 1 - last[i]
                                           : -last[i];  // -L/2 is L/2
  }
  for (int x = first[0]; x <= last[0]; ++x)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int z = first[2]; z <= last[2]; ++z)
        found[representative({x, y, z}, extents, half)].push_back({x, y, z});
  std::vector<MomentumOrbit> orbits;
  for (auto& [n, members] : found) orbits.push_back({n, std::move(members)});
  const auto square = [&](const MomentumOrbit& o) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double p = 2 * std::sin(std::numbers::pi * (o.n[i] + 0.5 * half[i]) / extents[i]);
      sum += p * p;
    }
    return sum;
  };
  std::stable_sort(orbits.begin(), orbits.end(),
                   [&](const MomentumOrbit& a, const MomentumOrbit& b) { return square(a) < square(b); });
  return orbits;
}

double lattice_momentum(int n, int extent) { return 2 * std::sin(std::numbers::pi * n / extent); }

double momentum_squared(const Momentum4& n, const Extents& extents, int directions) {
  double sum = 0;
  for (std::size_t mu = 0; mu < static_cast<std::size_t>(directions); ++mu) {
    const double p = lattice_momentum(n[mu], extents[mu]);
    sum += p * p;
  }
  return sum;
}

DiagonalDistance distance_to_diagonal(const Momentum4& n, const Extents& extents, int directions) {
  std::array<double, 4> numbers{};
  std::copy(n.begin(), n.end(), numbers.begin());
  return distance_of_numbers(numbers, extents, directions);
}

DiagonalDistance distance_of_numbers(const std::array<double, 4>& n, const Extents& extents, int directions) {
  const int largest = std::max({extents[0], extents[1], extents[2]});
  double square = 0, along = 0;  // in units of 2 pi / L_s
  for (std::size_t mu = 0; mu < static_cast<std::size_t>(directions); ++mu) {
    const double p = std::abs(n[mu]) * largest / extents[mu];
    square += p * p;
    along += p;
  }
  if (square == 0) return {0, 0};
  const double across = std::sqrt(std::max(0.0, square - along * along / directions));
  const double angle = std::atan2(across, along / std::sqrt(directions));
  return {across, angle * 180 / std::numbers::pi};
}

}  // namespace plaq
