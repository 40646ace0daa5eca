#include "settings/quark/source_position_keys.hpp"

#include "settings/quark/source_kind.hpp"

namespace plaq::settings {
namespace {

void check_positions(Problems& problems, const SourceKeys& source) {
  const SourcePositions& sites = source.sites;
  const SourcePositions none;
  const bool random = sites.order == PositionOrder::random, grid = sites.order == PositionOrder::grid;
  const auto expect = [&](const char* key, bool given, bool possible, const char* what) {
    if (given && !possible) problems.add({"source", key}, what);
  };
  expect("shift", sites.shift != none.shift, sites.order == PositionOrder::shift,
         "belongs to positions = \"shift\"; leave the key out");
  expect("grid", sites.grid != none.grid, grid, "belongs to positions = \"grid\"; leave the key out");
  expect("count", sites.count != none.count, !grid, "a grid has as many sources as sites; leave the key out");
  expect("position", sites.first != none.first, !random && !sites.random_origin,
         "the first site is a random one; leave the key out");
  expect("random_origin", sites.random_origin, !random, "all sites are random ones; leave the key out");
  expect("position_seed", sites.seed.has_value(), sites.are_random(),
         "belongs to positions = \"random\" and to random_origin; leave the key out");
  if (sites.are_random() && !sites.seed)
    problems.missing("source.position_seed",
                     "the random numbers of the sites; for example position_seed = 1");
}

}  // namespace

std::vector<Key> position_keys() {
  using Sites = SourcePositions;
  return {
      field(
          &SourceKeys::sites, &Sites::first, "position",
          "Site x, y, z, t of the first source: the point, the centre of a Gaussian, or the first corner of "
          "a box. Other sources take t as their time slice, and x, y, z as the origin of the momenta.")
          .within(0, 4095),
      field(&SourceKeys::sites, &Sites::count, "count",
            "Number of sources on each gauge field. Noise: number of samples. Sources from files, and grids: "
            "leave this key out.")
          .within(1, 100000),
      choice(&SourceKeys::sites, &Sites::order, "positions",
             "Sites of the sources. shift: each is shifted from the one before; random: random sites, which "
             "belong to position_seed, to the trajectory of the gauge field and to the number of the source; "
             "grid: a grid over the lattice.",
             {{"shift", PositionOrder::shift},
              {"random", PositionOrder::random},
              {"grid", PositionOrder::grid}}),
      field(&SourceKeys::sites, &Sites::shift, "shift",
            "Shift x, y, z, t from each source to the next, around the lattice.")
          .within(-4095, 4095),
      field(&SourceKeys::sites, &Sites::grid, "grid",
            "Sites of the grid in x, y, z, t, at equal distances: the grid has as many sources.")
          .within(1, 4096),
      field(&SourceKeys::sites, &Sites::random_origin, "random_origin",
            "true: the first site of a shift or of a grid is a random one, another one on each gauge field."),
      field(&SourceKeys::sites, &Sites::seed, "position_seed", "Seed of random sites.")
          .at_least(0)
          .such_as("1")};
}

Rule position_rule() {
  return {{"source.positions", "source.position", "source.count", "source.shift", "source.grid",
           "source.random_origin", "source.position_seed"},
          "Each key must belong to the kind of positions. Random sites need a seed.",
          check_positions};
}

}  // namespace plaq::settings
