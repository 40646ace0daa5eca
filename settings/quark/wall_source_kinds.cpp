// Walls, with and without a momentum, walls of staggered quarks, and sparse grids.
#include "settings/quark/grid_spacing_keys.hpp"
#include "settings/quark/source_kind.hpp"

namespace plaq::settings {
namespace {

class WallSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "wall"; }
  std::string meaning() const override { return "1 on a time slice"; }
  SourcePtr source(const Settings&, const Extents& position, int, const FieldNumbers&) const override {
    return wall_source(position);
  }
};

class CornerWallSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "corner_wall"; }
  std::string meaning() const override {
    return "for staggered quarks, 1 where x, y, z of a time slice equal those of position modulo 2";
  }
  SourcePtr source(const Settings&, const Extents& position, int, const FieldNumbers&) const override {
    return corner_wall_source(position);
  }
};

class EvenWallSourceKind final : public SourceKind {
 public:
  // `minus_odd`: odd sites have -1 in place of 0.
  explicit EvenWallSourceKind(bool minus_odd) : minus_odd_(minus_odd) {}
  std::string name() const override { return minus_odd_ ? "even_minus_odd_wall" : "even_wall"; }
  std::string meaning() const override {
    return minus_odd_ ? "for staggered quarks, 1 on the sites of even_wall and -1 on the others of the slice"
                      : "for staggered quarks, 1 on sites of a time slice at even distances x + y + z from "
                        "position";
  }
  SourcePtr source(const Settings&, const Extents& position, int, const FieldNumbers&) const override {
    return minus_odd_ ? even_minus_odd_wall_source(position) : even_wall_source(position);
  }

 private:
  bool minus_odd_;
};

class GridSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "grid"; }
  std::string meaning() const override {
    return "1 on a sparse grid, where x, y, z of a time slice equal those of position modulo spacing";
  }
  SourcePtr source(const Settings& settings, const Extents& position, int,
                   const FieldNumbers&) const override {
    return grid_source(position, settings.get<GridSpacingKeys>().spacing);
  }
  Attributes attributes(const Settings& settings) const override {
    const GridSpacing spacing = settings.get<GridSpacingKeys>().spacing;
    return {{"spacing", std::vector<std::int64_t>(spacing.begin(), spacing.end())}};
  }
};

struct MomentumSourceKeys {
  Momentum momentum{};
};

class MomentumSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "momentum"; }
  std::string meaning() const override { return "exp(i p x) on a time slice"; }
  std::vector<Key> keys() const override {
    return {field(&MomentumSourceKeys::momentum, "momentum",
                  "Momentum source: the integers n of p = 2 pi n / L in x, y, z. |n| is at most L/2.")
                .within(-4095, 4095)};
  }
  SourcePtr source(const Settings& settings, const Extents& position, int,
                   const FieldNumbers&) const override {
    return momentum_wall_source(position, settings.get<MomentumSourceKeys>().momentum);
  }
  Attributes attributes(const Settings& settings) const override {
    const Momentum n = settings.get<MomentumSourceKeys>().momentum;
    return {{"momentum", std::vector<std::int64_t>(n.begin(), n.end())}};
  }
};

}  // namespace

const SourceKinds& wall_source_kinds() {
  static const WallSourceKind wall;
  static const CornerWallSourceKind corner_wall;
  static const MomentumSourceKind momentum;
  static const EvenWallSourceKind even_wall(false), even_minus_odd_wall(true);
  static const GridSourceKind grid;
  static const SourceKinds all = {&wall, &corner_wall, &even_wall, &even_minus_odd_wall, &grid, &momentum};
  return all;
}

}  // namespace plaq::settings
