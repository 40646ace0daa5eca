// The momenta of gluon and ghost propagators, and which of them survive the cuts.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/gluon/lattice_momenta.hpp"
#include "observables/gluon/gluon_settings.hpp"

namespace plaq {

/// Four-momenta in Landau gauge, momenta in space (n_t = 0) in Coulomb gauge. A row is a
/// class of momenta that are averaged:
/// those that permutations of equal axes in space and reflections make of each other. Rows are in the order
/// of their orbits in space, and then of n_t.
class GluonMomenta {
 public:
  struct Row {
    Momentum4 n{};  // one of the class
    std::size_t orbit = 0;
    double squared = 0;      // phat^2, the sum over directions of 4 sin^2(pi n / L)
    std::int64_t count = 0;  // momenta of the class
    bool in_cylinder = false, in_cone = false;
    bool is_zero() const { return n == Momentum4{}; }
  };

  GluonMomenta(const GluonSettings& settings, const Extents& extents);

  bool is_landau() const { return directions_ == 4; }
  int directions() const { return directions_; }
  int time_momenta() const { return time_momenta_; }
  const std::vector<MomentumOrbit>& orbits() const { return orbits_; }
  const std::vector<Row>& rows() const { return rows_; }

  /// Numbers of the rows at which there is a ghost propagator, by rising phat^2.
  std::vector<std::size_t> of_ghosts(const GhostSettings& settings) const;

 private:
  int directions_, time_momenta_ = 1;
  std::vector<MomentumOrbit> orbits_;
  std::vector<Row> rows_;
};

}  // namespace plaq
