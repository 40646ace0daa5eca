// Perambulators: quark propagators between the modes of the Laplacian in space (Peardon et al., Phys. Rev. D
// 80 (2009) 054506)
//   tau(t', t)_{s i, s' j} = sum_x v_i(x, t')^dagger [M^-1 v_j(t) e_s']_s (x, t'),
// e_s' the unit spinor. A source slice t takes a solve for each mode and spin. The sums over x are exact, so
// that tau has the same bits on any process grid.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "quarks/distillation/mode_noise.hpp"
#include "quarks/distillation/slice_modes.hpp"
#include "quarks/solve/propagator_solver.hpp"

namespace plaq {

struct Perambulator {
  int slices = 0, modes = 0;
  // [t'][s][s'][i][j]: spin and mode of the sink are s and i, those of the source s' and j. Empty where they
  // are not kept.
  std::vector<std::complex<double>> numbers;
  ColumnReport solves;  // column 4 j + s'

  std::size_t at(int t, int sink_spin, int source_spin, int i, int j) const {
    const auto index = ((static_cast<std::size_t>(t) * 4 + static_cast<std::size_t>(sink_spin)) * 4 +
                        static_cast<std::size_t>(source_spin));
    const auto count = static_cast<std::size_t>(modes);
    return (index * count + static_cast<std::size_t>(i)) * count + static_cast<std::size_t>(j);
  }
  // Complex numbers of so many slices and modes.
  static std::size_t size(int slices, int modes) {
    return 16 * static_cast<std::size_t>(slices) * static_cast<std::size_t>(modes) *
           static_cast<std::size_t>(modes);
  }
};

// Stochastic perambulators of a noise vector, whose part d has the source rho_d = eta in the spins and modes
// of the part, else 0 (quarks/distillation/mode_noise.hpp):
//   X(t')_{s i, d} = sum_x v_i(x, t')^dagger [M^-1 sum_{s' j} v_j(t) e_s' rho_{s' j, d}]_s (x, t').
// The average of sum_d X_{s i, d} rho_{s' j, d}^* over noise is tau.
struct StochasticPerambulator {
  int slices = 0, modes = 0, parts = 0;
  std::vector<std::complex<double>> numbers;  // [t'][s][i][d]; empty where they are not kept
  std::vector<std::complex<double>> eta;      // [s'][j]
  ColumnReport solves;                        // column d

  std::size_t at(int t, int sink_spin, int i, int part) const {
    const auto row = (static_cast<std::size_t>(t) * 4 + static_cast<std::size_t>(sink_spin)) *
                         static_cast<std::size_t>(modes) +
                     static_cast<std::size_t>(i);
    return row * static_cast<std::size_t>(parts) + static_cast<std::size_t>(part);
  }
  // Complex numbers of so many slices, modes and parts.
  static std::size_t size(int slices, int modes, int parts) {
    return 4 * static_cast<std::size_t>(slices) * static_cast<std::size_t>(modes) *
           static_cast<std::size_t>(parts);
  }
};

// The most columns up to `most` that so many solves can be parted into.
int columns_of_solves(int solves, int most);

// Solves for M^-1 v_j(t) e_s of all modes and spins, column 4 j + s, and hands over as many as are solved
// together, a divisor of 4 times the modes. Collective; throws as PropagatorSolver::solve().
//
// @param solver  of quarks with spin, on the lattice of the modes
// @param t       source slice of the lattice
// @param take    receives the solutions
// @param file    gauge field, for messages
ColumnReport solve_from_modes(const SharedLattice& lattice, const SliceModes& modes, PropagatorSolver& solver,
                              int t, const PropagatorSolver::TakeSolutions& take, const std::string& file);

// The perambulators of a source slice. Keeps no more quark fields than are solved together, but for
// `solutions`. Else as solve_from_modes().
//
// @param kept       whether this rank keeps the numbers
// @param solutions  if not null, receives the solutions in their order, as many in a field as are solved
//                   together: 4 times the modes
Perambulator perambulator(const SharedLattice& lattice, const SliceModes& modes, PropagatorSolver& solver,
                          int t, const std::string& file, bool kept = true,
                          std::vector<Field>* solutions = nullptr);

// Stochastic perambulators of a noise vector from a source slice, by as many solves as the noise has parts,
// of which those that are solved together are a divisor. Else as perambulator().
//
// @param noise   with a type
// @param vector  number of the noise vector
StochasticPerambulator stochastic_perambulator(const SharedLattice& lattice, const SliceModes& modes,
                                               const ModeNoise& noise, PropagatorSolver& solver, int t,
                                               int vector, const std::string& file, bool kept = true);

}  // namespace plaq
