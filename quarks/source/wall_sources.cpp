// Sources on all of a time slice: a wall, with a momentum, or on one corner of each cube.
#include "quarks/source/source.hpp"

namespace plaq {
namespace {

class WallSource final : public Source {
 public:
  using Source::Source;
  std::string type() const override { return "wall"; }
  void fill(Field& b, int first_column) const override {
    wall_source(b, time_slice(), {0, 0, 0}, first_column);
  }
  std::string summed() const override { return "over pairs of points of the source's time slice"; }
};

class MomentumWallSource final : public Source {
 public:
  MomentumWallSource(const Extents& position, const Momentum& n) : Source(position), n_(n) {}
  std::string type() const override { return "momentum"; }
  std::optional<ParameterFault> fault(const Extents& lattice) const override {
    if (auto wrong = Source::fault(lattice)) return wrong;
    if (const auto wrong = validate_momentum(n_, lattice)) return ParameterFault{"momentum", *wrong};
    return std::nullopt;
  }
  void fill(Field& b, int first_column) const override { wall_source(b, time_slice(), n_, first_column); }
  std::string summed() const override {
    return "over pairs of points of the source's time slice with their phases";
  }

 private:
  Momentum n_;
};

class CornerWallSource final : public Source {
 public:
  using Source::Source;
  std::string type() const override { return "corner_wall"; }
  std::string type_with_spin() const override { return "wall"; }
  void fill(Field& b, int first_column) const override { corner_wall_source(b, position(), first_column); }
  std::string summed() const override {
    return "over pairs of points of the source's time slice at even distances from its position";
  }
};

}  // namespace

SourcePtr wall_source(const Extents& position) { return std::make_shared<WallSource>(position); }

SourcePtr momentum_wall_source(const Extents& position, const Momentum& n) {
  return std::make_shared<MomentumWallSource>(position, n);
}

SourcePtr corner_wall_source(const Extents& position) { return std::make_shared<CornerWallSource>(position); }

}  // namespace plaq
