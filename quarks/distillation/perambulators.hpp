// Perambulators: quark propagators between the modes of the Laplacian in space (Peardon et al., Phys. Rev. D
// 80 (2009) 054506)
//   tau(t', t)_{s i, s' j} = sum_x v_i(x, t')^dagger [M^-1 v_j(t) e_s']_s (x, t'),
// e_s' the unit spinor. A source slice t takes a solve for each mode and spin. The sums over x are exact, so
// that tau has the same bits on any process grid.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "comms/grid/shared_lattice.hpp"
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

// The most columns up to `most` that all solves of a source slice can be parted into.
int columns_of_perambulators(int modes, int most);

// The perambulators of a source slice. Solves as many columns together as the solver was made for, a divisor
// of 4 modes, and keeps no more quark fields than these. Collective; throws as PropagatorSolver::solve().
//
// @param solver  of quarks with spin, on the lattice of the modes
// @param t       source slice of the lattice
// @param file    gauge field, for messages
// @param kept    whether this rank keeps the numbers
Perambulator perambulator(const SharedLattice& lattice, const SliceModes& modes, PropagatorSolver& solver,
                          int t, const std::string& file, bool kept = true);

}  // namespace plaq
