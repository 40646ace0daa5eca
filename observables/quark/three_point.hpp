// Three-point functions of local currents by sequential propagators through the sink, connected:
//   C3(t) = sum_x,y exp(-i p' (x - x_source) - i q (y - x_source)) <sink(x) J(y, t) source>,
//   J = qbar Gamma q.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/mesons.hpp"
#include "observables/quark/bilinears.hpp"
#include "observables/quark/three_point_settings.hpp"
#include "quarks/solve/propagator_solver.hpp"

namespace plaq {

/// True of an insertion into a proton.
inline bool is_of_proton(Insertion insertion) { return insertion != Insertion::pion; }

/// The sink of a sequential propagator.
struct SequentialSink {
  int slice = 0;                      // time slice of the lattice
  Momentum momentum = {};             // p', integers n
  Extents position = {};              // of the quark's source, from which phases count
  QuarkSmearing* smearing = nullptr;  // null: a point sink
};

/// Makes b of the sequential propagator M psi = b, with all columns: exp(i p' (x - position)) gamma5
/// Sigma^dagger on the sink's slice (kernels/quark/sequential.hpp), smeared. `at_sink` is the quark field as
/// the sink has it: smeared if the sink is. The boundary's sign is not taken out. Collective if the sink is
/// smeared.
void make_sequential_source(const SharedLattice& lattice, Field& b, Insertion insertion, const Field& at_sink,
                            const SequentialSink& sink);

class ThreePoints {
 public:
  /// `boundary`: sign of the quarks around the lattice in time, which is taken out of baryons.
  ThreePoints(const SharedLattice& lattice, const ThreePointSettings& settings, int boundary);

  /// Takes the links of a gauge field, which point-split operators need.
  void set_links(BilinearLinks links);

  /// Takes the quark field of a source at `position`, before any smearing at its sink, and solves for one
  /// more propagator an insertion and sink time. `smearing` is of the sink; null: a point sink. `file` names
  /// the gauge field in messages. Results are in the order of the insertions, each with all of its sink
  /// times; those of a sink time have the same bits alone. Collective. Throws as PropagatorSolver::solve(),
  /// or as approximate() with an `approximation`, which then is that of the sequential propagators. `current`
  /// is the current field of the quark, which the conserved currents of domain walls need, else null.
  std::vector<ThreePointFunctions> operator()(PropagatorSolver& solver, QuarkSmearing* smearing,
                                              const Field& quark, const Extents& position,
                                              const std::string& file,
                                              const Approximation* approximation = nullptr,
                                              const Field* current = nullptr);

  const ThreePointSettings& settings() const { return settings_; }
  /// scalar, vector, axial, tensor: all components, in the order of the values.
  const std::vector<MesonChannel>& currents() const { return currents_.channels(); }

 private:
  SharedLattice lattice_;
  ThreePointSettings settings_;
  MesonContraction currents_;
  std::optional<BilinearOperators> bilinears_;
  int boundary_;
};

}  // namespace plaq
