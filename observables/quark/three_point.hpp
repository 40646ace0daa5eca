// Three-point functions of local currents by sequential propagators through the sink,
// connected, with the sink at momentum 0:
//   C3(t) = sum_y exp(-i q (y - x_source)) <sink J(y, t) source>,   J = qbar Gamma q.
#pragma once

#include <string>
#include <vector>

#include "comms/grid/shared_lattice.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/mesons.hpp"
#include "observables/quark/three_point_settings.hpp"
#include "quarks/solve/propagator_solver.hpp"

namespace plaq {

class ThreePoints {
 public:
  /// `boundary`: sign of the quarks around the lattice in time, which is taken out of baryons.
  ThreePoints(const SharedLattice& lattice, const ThreePointSettings& settings, int boundary);

  /// Takes the quark field of a source at `position`, before any smearing at its sink, and solves for one
  /// more propagator an insertion. `smearing` is of the sink; null: a point sink. `file` names the gauge
  /// field in messages. Collective. Throws as PropagatorSolver::solve(), or as approximate() with an
  /// `approximation`, which then is that of the sequential propagators.
  std::vector<ThreePointFunctions> operator()(PropagatorSolver& solver, QuarkSmearing* smearing,
                                              const Field& quark, const Extents& position,
                                              const std::string& file,
                                              const Approximation* approximation = nullptr);

  const ThreePointSettings& settings() const { return settings_; }
  /// scalar, vector, axial, tensor: all components, in the order of the values.
  const std::vector<MesonChannel>& currents() const { return currents_.channels(); }

 private:
  void make_source(Field& b, Insertion insertion, const Field& quark, int sink_slice) const;

  SharedLattice lattice_;
  ThreePointSettings settings_;
  MesonContraction currents_;
  int boundary_;
};

}  // namespace plaq
