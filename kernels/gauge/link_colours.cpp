#include "kernels/gauge/link_colours.hpp"

#include <algorithm>
#include <array>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"

namespace plaq {
namespace {

struct Steps {
  std::vector<int> four, six;
};

// p(0), p(1), ... around an extent; the last number would be p of the extent, which is p(0) mod m.
std::vector<int> walk_around(int extent, const Steps& steps) {
  std::vector<int> walk{0};
  const auto go = [&](const std::vector<int>& block) {
    for (const int step : block) walk.push_back(walk.back() + step);
  };
  if (extent < 4) {  // colours are parities
    go({1, 1});
    return walk;
  }
  if (extent % 4 == 2) go(steps.six);
  while (static_cast<int>(walk.size()) <= extent) go(steps.four);
  return walk;
}

bool all_multiples(const Extents& extents, int of) {
  return std::all_of(extents.begin(), extents.end(), [of](int extent) { return extent % of == 0; });
}

}  // namespace

std::optional<std::string> LinkColours::fault_of(const LoopWeights& weights, const Extents& extents) {
  if (!weights.has_rectangles() && weights.chair == 0) return std::nullopt;
  if (std::all_of(extents.begin(), extents.end(), [](int extent) { return extent >= 4; }))
    return std::nullopt;
  return "heatbath and overrelaxation with rectangles need extents of at least 4, and the lattice is " +
         to_string(extents) + ": a link would be in a loop twice; take larger extents, or hybrid Monte Carlo";
}

LinkColours::LinkColours(const LoopWeights& weights, const Extents& extents) {
  if (const auto fault = fault_of(weights, extents)) throw Error(ErrorKind::job_file, *fault);
  const std::vector<int> ones(4, 1);
  Steps steps{ones, std::vector<int>(6, 1)};
  if (weights.chair != 0) {
    const bool eight = all_multiples(extents, 8);
    count_ = eight ? 8 : 14;
    factors_ = eight ? std::array{1, 2, 3} : std::array{1, 3, 5};
    if (!eight) steps = {{1, 6, 1, 6}, {6, -1, 6, 1, 1, 1}};
  } else if (weights.has_rectangles()) {
    count_ = all_multiples(extents, 4) ? 4 : 6;
    if (count_ == 6) steps.four = {1, 2, 1, 2};
  }
  for (std::size_t mu = 0; mu < 4; ++mu) walk_[mu] = walk_around(extents[mu], steps);
}

int LinkColours::of(int mu, const Extents& x) const {
  int sum = 0, other = 0;
  for (int nu = 0; nu < 4; ++nu) {
    const auto at = static_cast<std::size_t>(nu);
    sum += nu == mu
               ? count_ / 2 * x[at]
               : factors_[static_cast<std::size_t>(other++)] * walk_[at][static_cast<std::size_t>(x[at])];
  }
  return (sum % count_ + count_) % count_;
}

ColouredLinks::ColouredLinks(const LinkColours& colours, const GeometryPtr& geometry, Location location)
    : colours_(colours.count()), stored_(geometry->shape().half_volume), location_(location) {
  const auto sets = static_cast<std::size_t>(4 * colours_ * 2);
  const MemoryName name("lists of links by colour");
  const std::size_t words = static_cast<std::size_t>(stored_ + host_mask_sites - 1) / host_mask_sites;
  const auto links = static_cast<std::size_t>(4 * geometry->local_volume());
  if (location == Location::device) lists_ = Buffer(location, links * sizeof(int));
  begins_.assign(sets + 1, 0);
  if (runs_dry()) {
    if (location == Location::host)
      counted_ = CountedMemory("masks of links by colour", sets * words * sizeof(std::uint64_t));
    return;
  }
  if (location == Location::host) masks_.assign(sets, std::vector<std::uint64_t>(words, 0));
  find_sites(colours, *geometry);
}

void ColouredLinks::find_sites(const LinkColours& colours, const Geometry& geometry) {
  const LatticeShape& shape = geometry.shape();
  std::vector<std::vector<int>> lists(begins_.size() - 1);
  for (int parity = 0; parity < 2; ++parity)
    for (int site = 0; site < stored_; ++site) {
      const Coordinates c = shape.coordinates(parity, site);
      Extents global{};
      bool owned = true;
      for (int mu = 0; mu < 4; ++mu) {
        owned = owned && c.x[mu] >= shape.halo[mu] && c.x[mu] < shape.extent[mu] - shape.halo[mu];
        global[static_cast<std::size_t>(mu)] = shape.global_coordinate(c, mu);
      }
      if (!owned) continue;
      for (int mu = 0; mu < 4; ++mu) {
        const std::size_t at = set(mu, colours.of(mu, global), parity);
        if (location_ == Location::device)
          lists[at].push_back(site);
        else
          masks_[at][static_cast<std::size_t>(site / host_mask_sites)] |= std::uint64_t{1}
                                                                          << (site % host_mask_sites);
      }
    }
  if (location_ == Location::host) return;
  std::vector<int> all;
  for (std::size_t at = 0; at < lists.size(); ++at) {
    all.insert(all.end(), lists[at].begin(), lists[at].end());
    begins_[at + 1] = static_cast<int>(all.size());
  }
  copy_bytes(lists_.data(), Location::device, all.data(), Location::host, all.size() * sizeof(int));
}

Domain ColouredLinks::domain(int mu, int colour, int parity) const {
  const std::size_t at = set(mu, colour, parity);
  if (location_ == Location::device)
    return {begins_[at], begins_[at + 1], lists_.as<int>(), nullptr, 1, 1, nullptr};
  return {0, stored_, nullptr, masks_.empty() ? nullptr : masks_[at].data(), 1, 1, nullptr};
}

}  // namespace plaq
