// Generalised perambulators: quark lines with a current between the modes of the Laplacian on a source slice
// t_i and on a sink slice t_f, for three-point functions by distillation. With p = 2 pi n / L and x from the
// origin of the lattice
//   G(t)_{a b, s i, s' j} = sum_x exp(-i p x) [v_i(t_f)^dagger M^-1]_{s a} [D M^-1 v_j(t_i)]_{b s'} (x, t),
// where D is 1 or a product of covariant derivatives in space (quarks/source/quark_derivative.hpp). The line
// of the current qbar Gamma D q is sum_ab Gamma_ab G_ab: the spins a and b stay open, so that all Gamma are
// made together.
//
// Both ends are solved for, 4 solves for each mode, and no current takes a further one: M is
// gamma5-hermitian, so that [v_i^dagger M^-1]_{s a} = g_s g_a (M^-1 v_i e_s)_a^*, g the diagonal of gamma5.
// Sequential solves through the current would take as many for each Gamma, D, p and t. The price is memory:
// the solutions of the source are kept. The sums over x are exact, so that G has the same bits on any process
// grid and in any batch.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "kernels/gauge/link_copies.hpp"
#include "quarks/distillation/line_currents.hpp"
#include "quarks/distillation/perambulators.hpp"

namespace plaq {

struct GeneralisedPerambulator {
  int slices = 0, modes = 0;  // slices from the source to the sink, both included
  // [t][a][b][s][s'][i][j], t from the source. Empty where they are not kept.
  std::vector<std::complex<double>> numbers;

  struct Spins {
    int a, b, sink, source;
  };
  std::size_t at(int t, const Spins& of, int i, int j) const {
    const std::size_t spins = static_cast<std::size_t>(((of.a * 4 + of.b) * 4 + of.sink) * 4 + of.source);
    const auto count = static_cast<std::size_t>(modes);
    return ((static_cast<std::size_t>(t) * 256 + spins) * count + static_cast<std::size_t>(i)) * count +
           static_cast<std::size_t>(j);
  }
  // Complex numbers of so many slices and modes.
  static std::size_t size(int slices, int modes) {
    return 256 * static_cast<std::size_t>(slices) * static_cast<std::size_t>(modes) *
           static_cast<std::size_t>(modes);
  }
};

struct GeneralisedPerambulators {
  std::vector<GeneralisedPerambulator> currents;  // [operator][momentum]
  ColumnReport solves;                            // of the sink: column 4 i + s
};

// Links of the derivatives of currents, and the signs of the quarks over the edges in space.
struct CurrentLinks {
  const Field* links = nullptr;
  SpaceSigns boundary = periodic_in_space;
};

struct SourceAndSink {
  int source = 0;     // t_i, time slice of the lattice
  int sink_time = 0;  // time slices from the source to the sink, around the lattice
};

// The generalised perambulators of currents between a source and a sink. Collective; throws as
// solve_from_modes().
//
// @param solver     of the solutions; M is gamma5-hermitian
// @param solutions  M^-1 v_j(t_i) e_s, as perambulator() hands them over
// @param at         source and sink
// @param currents   without a fault
// @param file       gauge field, for messages
// @param kept       whether this rank keeps the numbers
GeneralisedPerambulators generalised_perambulators(const SharedLattice& lattice, const SliceModes& modes,
                                                   PropagatorSolver& solver,
                                                   const std::vector<Field>& solutions,
                                                   const SourceAndSink& at, const LineCurrents& currents,
                                                   const CurrentLinks& links, const std::string& file,
                                                   bool kept = true);

}  // namespace plaq
