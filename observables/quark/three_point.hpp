// Three-point functions of local currents by sequential propagators through the sink, connected, with the sink at momentum 0:
//   C3(t) = sum_y exp(-i q (y - x_source)) <sink J(y, t) source>,   J = qbar Gamma q.
#pragma once

#include <array>
#include <complex>
#include <string>
#include <string_view>
#include <vector>

#include "comms/grid/shared_lattice.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/mesons.hpp"
#include "quarks/solve/propagator_solver.hpp"

namespace plaq {

/// The place of the current: on the quark of a pion that runs forward; on u or d of a proton with P = (1 + gamma_t)/2, or
/// polarized along z, with P i gamma5 gamma_z.
enum class Insertion { pion, up, down, up_polarized, down_polarized };
inline constexpr std::string_view insertion_names[] = {"pion", "proton_u", "proton_d", "proton_u_polarized",
                                                       "proton_d_polarized"};

struct ThreePointSettings {
  std::vector<Insertion> insertions;
  int sink_time = 0;          // time slices from source to sink, at least 1
  bool smeared_sink = false;  // as the smearing that is passed
};

/// Three-point functions of one insertion.
struct ThreePointFunctions {
  Insertion insertion;
  Correlators values;                  // [current][momentum][t], t of the current, from the source
  std::vector<double> true_residuals;  // ||b - M x|| / ||b|| of the columns of the sequential propagator
};

class ThreePoints {
 public:
  /// `boundary`: sign of the quarks around the lattice in time, which is taken out of baryons.
  ThreePoints(const SharedLattice& lattice, const ThreePointSettings& settings, std::vector<Momentum> momenta,
              int boundary);

  /// Takes the quark field of a source at `position`, before any smearing at its sink, and solves for one more propagator an
  /// insertion. `smearing` is of the sink, and may be null without smeared_sink; `file` names the gauge field in messages.
  /// Collective. Throws as PropagatorSolver::solve().
  std::vector<ThreePointFunctions> operator()(PropagatorSolver& solver, QuarkSmearing* smearing,
                                              const Field& quark, const Extents& position,
                                              const std::string& file);

  const ThreePointSettings& settings() const { return settings_; }
  /// scalar, vector, axial, tensor: all components, in the order of the values.
  const std::vector<MesonChannel>& currents() const { return currents_.channels(); }
  const std::vector<Momentum>& momenta() const { return momenta_; }

 private:
  void make_source(Field& b, Insertion insertion, const Field& quark, int sink_slice) const;

  SharedLattice lattice_;
  ThreePointSettings settings_;
  std::vector<Momentum> momenta_;
  MesonContraction currents_;
  int boundary_;
};

}  // namespace plaq
