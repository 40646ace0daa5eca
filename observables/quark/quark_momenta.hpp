// The momenta of the quark propagator in momentum space, and which of them survive the cuts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/gluon/lattice_momenta.hpp"
#include "observables/gluon/momentum_cuts.hpp"
#include "quarks/action/action.hpp"

namespace plaq {

/// p_mu = 2 pi (n_mu + 1/2) / L_mu where the quark is antiperiodic, else 2 pi n_mu / L_mu. One row a class of
/// momenta that permutations of equal axes in space and reflections make of each other,
/// by orbit in space and then by n_t.
class QuarkMomenta {
 public:
  struct Row {
    Momentum4 n{};
    std::size_t orbit = 0;
    std::array<double, 4> p{};
    double squared = 0;      // p^2
    std::int64_t count = 0;  // momenta of the class
    bool in_cylinder = false, in_cone = false;
    FreeQuark free;  // on unit links
  };

  /// Momenta with |n| up to `max_n`, and up to L/2, in each direction of space. `boundary`: signs of the
  /// quarks around the lattice. The action must have a free_quark().
  QuarkMomenta(int max_n, const MomentumCuts& cuts, const Extents& extents,
               const std::array<int, 4>& boundary, const Action& action);

  const Extents& extents() const { return extents_; }
  const std::array<int, 4>& half() const { return half_; }  // 1: antiperiodic
  int time_momenta() const { return time_momenta_; }        // n_t from 0 on
  const std::vector<MomentumOrbit>& orbits() const { return orbits_; }
  const std::vector<Row>& rows() const { return rows_; }
  double tree_mass() const { return tree_mass_; }  // s / v of the free quark at p = 0

  // The momenta of a row in time: n_t, and what it is reflected to.
  std::vector<int> in_time(int n_t) const;
  // 1, 0 or -1: of p_mu within the Brillouin zone, 0 where p_mu and -p_mu are the same.
  int sign(int n, std::size_t mu) const;

 private:
  Extents extents_;
  std::array<int, 4> half_{};
  int time_momenta_ = 1;
  double tree_mass_ = 0;
  std::vector<MomentumOrbit> orbits_;
  std::vector<Row> rows_;
};

}  // namespace plaq
