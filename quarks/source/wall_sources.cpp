// Sources on all of a time slice: a wall, with a momentum, on one corner of each cube, on even sites, or on a
// sparse grid.
#include "quarks/source/grid_spacing.hpp"
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

class EvenWallSource final : public Source {
 public:
  // `odd`: the value on odd sites, 0 or -1.
  EvenWallSource(const Extents& position, int odd) : Source(position), odd_(odd) {}
  std::string type() const override { return odd_ == 0 ? "even_wall" : "even_minus_odd_wall"; }
  std::string type_with_spin() const override { return "wall"; }
  void fill(Field& b, int first_column) const override {
    even_wall_source(b, position(), odd_, first_column);
  }
  std::string summed() const override {
    return odd_ == 0 ? "over pairs of points of the source's time slice at even distances x + y + z from its "
                       "position"
                     : "over pairs of points of the source's time slice with the signs (-1)^(x + y + z) of "
                       "their distances from its position";
  }

 private:
  int odd_;
};

class GridSource final : public Source {
 public:
  GridSource(const Extents& position, const GridSpacing& spacing) : Source(position), spacing_(spacing) {}
  std::string type() const override { return "grid"; }
  std::optional<ParameterFault> fault(const Extents& lattice) const override {
    if (auto wrong = Source::fault(lattice)) return wrong;
    return spacing_fault(spacing_, lattice);
  }
  void fill(Field& b, int first_column) const override { grid_source(b, position(), spacing_, first_column); }
  std::string summed() const override {
    return "over pairs of points of the source's grid on its time slice";
  }

 private:
  GridSpacing spacing_;
};

}  // namespace

SourcePtr wall_source(const Extents& position) { return std::make_shared<WallSource>(position); }

SourcePtr momentum_wall_source(const Extents& position, const Momentum& n) {
  return std::make_shared<MomentumWallSource>(position, n);
}

SourcePtr corner_wall_source(const Extents& position) { return std::make_shared<CornerWallSource>(position); }

SourcePtr even_wall_source(const Extents& position) { return std::make_shared<EvenWallSource>(position, 0); }

SourcePtr even_minus_odd_wall_source(const Extents& position) {
  return std::make_shared<EvenWallSource>(position, -1);
}

SourcePtr grid_source(const Extents& position, const GridSpacing& spacing) {
  return std::make_shared<GridSource>(position, spacing);
}

}  // namespace plaq
