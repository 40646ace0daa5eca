// Launches of teams that take several right-hand sides each: what Launch says
// becomes numbers that compilers know.
#pragma once

#include <string_view>
#include <type_traits>

#include "core/field/fixed16.hpp"
#include "core/launch/launch.hpp"
#include "core/launch/team_candidates.hpp"

namespace plaq {

// Right-hand sides of a team; parts of a sum that are a member's.
template <int Tile, int Parts>
struct TileParts {};

// f(TileParts<Tile, Parts>()). On a host, a member has as many sums as there are registers.
template <class Target, int MostParts, class F>
void with_tile(const Launch& launch, F&& f) {
  const auto with_parts = [&]<int tile>(std::integral_constant<int, tile>) {
    if constexpr (std::is_same_v<Target, Host>) {
      f(TileParts<tile, (MostParts > 4 / tile ? 4 / tile : MostParts)>());
    } else if (launch.held) {
      f(TileParts<tile, MostParts>());
    } else {
      f(TileParts<tile, 1>());
    }
  };
  if (launch.width == 1) return with_parts(std::integral_constant<int, 1>());
  if (launch.width == 2) return with_parts(std::integral_constant<int, 2>());
  with_parts(std::integral_constant<int, 4>());
}

template <class K>
void run_team_tiles(const K& kernel, int count, std::size_t scratch_bytes, const Launch& launch,
                    const Queue& queue) {
  TeamDomain teams;
  teams.count = count;
  if (launch.block != 0) teams.team_size = launch.block;
  teams.scratch_bytes = scratch_bytes;
  if (count > 0) for_each_team(teams, queue, kernel);
}

// Tiles for matrices stored as L and vectors as C, for a tuner.
template <class L, class C>
constexpr std::string_view storages() {
  constexpr std::string_view names[3][3] = {{"half", "half single", "half double"},
                                            {"single half", "single", "single double"},
                                            {"double half", "double single", "double"}};
  constexpr auto place = [](std::size_t bytes) { return bytes == 2 ? 0 : bytes == 4 ? 1 : 2; };
  return names[place(sizeof(L))][place(sizeof(C))];
}

}  // namespace plaq
