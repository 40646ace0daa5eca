// The momenta of gluon and ghost propagators, and which of them survive the cuts.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/gluon/lattice_momenta.hpp"
#include "observables/gluon/gluon_settings.hpp"

namespace plaq {

/// Four-momenta in Landau gauge, momenta in space (n_t = 0) in Coulomb gauge. A row is a class of momenta
/// that are averaged: those that permutations of equal axes in space and reflections make of each other.
/// Rows are in the order of their orbits in space, and then of n_t.
class GluonMomenta {
 public:
  /// A class of momenta that are averaged.
  struct Row {
    Momentum4 n{};                              ///< one of the class
    std::size_t orbit = 0;                      ///< number in orbits()
    double squared = 0;                         ///< phat^2, the sum over directions of 4 sin^2(pi n / L)
    std::int64_t count = 0;                     ///< momenta of the class
    bool in_cylinder = false, in_cone = false;  ///< true if the momenta survive the cut
    bool is_zero() const { return n == Momentum4{}; }  ///< true for p = 0
  };

  /// All classes of momenta of the settings on a lattice.
  GluonMomenta(const GluonSettings& settings, const Extents& extents);

  bool is_landau() const { return directions_ == 4; }  ///< true in Landau gauge
  int directions() const { return directions_; }       ///< 4 in Landau gauge, 3 in Coulomb gauge
  int time_momenta() const { return time_momenta_; }   ///< n_t = 0 to this number - 1
  const std::vector<MomentumOrbit>& orbits() const { return orbits_; }  ///< momenta in space
  const std::vector<Row>& rows() const { return rows_; }                ///< all classes

  /// Numbers of the rows at which there is a ghost propagator, by rising phat^2.
  std::vector<std::size_t> of_ghosts(const GhostSettings& settings) const;

 private:
  int directions_, time_momenta_ = 1;
  std::vector<MomentumOrbit> orbits_;
  std::vector<Row> rows_;
};

}  // namespace plaq
