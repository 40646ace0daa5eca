#include "multigrid/settings.hpp"

#include <fmt/format.h>

#include <initializer_list>

namespace plaq {
namespace {

constexpr std::int64_t most_rows_at_end = 8192;  // of the even-odd form of the coarsest lattice
constexpr int most_coarse_lattices = 3;

// The first of these that divides it; 1: none.
int divisor(int extent, std::initializer_list<int> wanted) {
  for (const int d : wanted)
    if (extent % d == 0) return d;
  return 1;
}

std::int64_t volume(const Extents& e) { return std::int64_t{e[0]} * e[1] * e[2] * e[3]; }

}  // namespace

std::vector<Extents> choose_blocks(const Extents& lattice, int vectors) {
  Extents left = lattice, block{};
  for (std::size_t mu = 0; mu < 4; ++mu) block[mu] = divisor(left[mu], {4, 3, 5, 2, 6});
  if (volume(block) * chiral_components < vectors)
    throw Error(
        ErrorKind::job_file,
        fmt::format("a lattice of {} has blocks of {} sites at most, too few for {} near-null vectors "
                    "of multigrid; take fewer vectors",
                    to_string(lattice), to_string(block), vectors));
  std::vector<Extents> blocks;
  for (;;) {
    blocks.push_back(block);
    for (std::size_t mu = 0; mu < 4; ++mu) {
      left[mu] /= block[mu];
      block[mu] = divisor(left[mu], {2, 3, 5});
    }
    const bool small = volume(left) * vectors <= most_rows_at_end;
    if (small || volume(block) == 1 || static_cast<int>(blocks.size()) == most_coarse_lattices) return blocks;
  }
}

}  // namespace plaq
