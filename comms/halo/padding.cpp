#include "comms/halo/padding.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/system/error.hpp"

namespace plaq {
namespace {

// A padded block in direction mu: `outer` times all slices of `bytes` each.
struct Slices {
  std::size_t outer = 1, bytes;
  int extent;

  Slices(const PaddedSites& sites, std::size_t site_bytes, std::size_t mu)
      : bytes(site_bytes), extent(sites.extent(mu)) {
    for (std::size_t nu = 0; nu < mu; ++nu) bytes *= static_cast<std::size_t>(sites.extent(nu));
    for (std::size_t nu = mu + 1; nu < 4; ++nu) outer *= static_cast<std::size_t>(sites.extent(nu));
  }
  // The place of slice `n` in part `o`.
  std::size_t at(std::size_t o, int n) const {
    return (o * static_cast<std::size_t>(extent) + static_cast<std::size_t>(n)) * bytes;
  }
};

// This rank's last slices become the padding before those of its neighbour ahead; or its first ones, not
// `forward`, the padding after those of its neighbour behind.
void exchange_slices(const ProcessGrid& grid, const Slices& slices, int depth, int mu, bool forward,
                     std::byte* block) {
  const int last = slices.extent - depth;
  const int from = forward ? last - depth : depth, to = forward ? 0 : last;
  const std::size_t bytes = static_cast<std::size_t>(depth) * slices.bytes;
  std::vector<std::byte> sent(slices.outer * bytes), received(sent.size());
  for (std::size_t o = 0; o < slices.outer; ++o)
    std::memcpy(sent.data() + o * bytes, block + slices.at(o, from), bytes);
  const int source = grid.neighbor(mu, !forward);
  grid.comm().exchange(sent, grid.neighbor(mu, forward), received, source, directed(mu, forward),
                       [&] { return "values of neighbours from rank " + std::to_string(source); });
  for (std::size_t o = 0; o < slices.outer; ++o)
    std::memcpy(block + slices.at(o, to), received.data() + o * bytes, bytes);
}

}  // namespace

void expect_depth(const PaddedSites& sites) {
  const int most = *std::min_element(sites.local.begin(), sites.local.end());
  if (sites.depth < 0 || sites.depth > most)
    throw Error(ErrorKind::usage, "a halo of depth " + std::to_string(sites.depth) + ": possible are 0 to " +
                                      std::to_string(most) + ", the smallest extent of a rank's lattice " +
                                      to_string(sites.local));
}

void fill_padded(const ProcessGrid& grid, const PaddedSites& sites, const SiteValues& values,
                 const void* array, void* padded) {
  expect_depth(sites);
  const auto* from = static_cast<const std::byte*>(array);
  auto* to = static_cast<std::byte*>(padded);
  const std::size_t row = static_cast<std::size_t>(sites.local[0]) * values.bytes;
  for (std::size_t block = 0; block < values.blocks; ++block, to += sites.count() * values.bytes) {
    for (int t = 0; t < sites.local[3]; ++t)
      for (int z = 0; z < sites.local[2]; ++z)
        for (int y = 0; y < sites.local[1]; ++y, from += row)
          std::memcpy(to + sites.index({0, y, z, t}) * values.bytes, from, row);
    // Each direction takes along the padding that is filled already: so
    // corners come from diagonal neighbours.
    if (sites.depth == 0) continue;
    for (int mu = 0; mu < 4; ++mu)
      for (const bool forward : {true, false})
        exchange_slices(grid, Slices(sites, values.bytes, static_cast<std::size_t>(mu)), sites.depth, mu,
                        forward, to);
  }
}

}  // namespace plaq
