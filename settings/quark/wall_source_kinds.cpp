// Walls, with and without a momentum, and corner walls.
#include "settings/quark/source_kind.hpp"

namespace plaq::settings {
namespace {

class WallSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "wall"; }
  std::string meaning() const override { return "1 on a time slice"; }
  SourcePtr source(const Settings&, const Extents& position, int) const override {
    return wall_source(position);
  }
};

class CornerWallSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "corner_wall"; }
  std::string meaning() const override {
    return "for staggered quarks, 1 where x, y, z of a time slice equal those of position modulo 2";
  }
  SourcePtr source(const Settings&, const Extents& position, int) const override {
    return corner_wall_source(position);
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
  SourcePtr source(const Settings& settings, const Extents& position, int) const override {
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
  static const SourceKinds all = {&wall, &corner_wall, &momentum};
  return all;
}

}  // namespace plaq::settings
