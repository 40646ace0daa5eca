// The launches behind contractions for one machine, all in double precision.
#pragma once

#include <array>

#include "core/field/field.hpp"
#include "core/sums/sum_buffer.hpp"
#include "kernels/site/baryon_density.hpp"
#include "kernels/site/meson_density.hpp"
#include "kernels/site/momentum_sum.hpp"

namespace plaq {

// `terms` are at the fields' location; begin as in MesonDensity. `density`: 1x1, one subfield a channel.
struct MesonCall {
  const Field* first = nullptr;   // S1, 12 columns
  const Field* second = nullptr;  // S2
  Field* density = nullptr;
  const MesonTerm* terms = nullptr;
  int begin[5] = {};
};
template <class Target>
void launch_meson_density(const MesonCall& call, const Queue& queue);

// `density`: 1x1, two subfields.
template <class Target>
void launch_proton_density(const Field& up, const Field& down, Field& density, const Queue& queue);

// A term of a baryon. `density`: 1x1, two subfields, or 18 with the matrix of spins.
struct BaryonCall {
  std::array<const Field*, 3> quarks{};  // Q1, Q2, Q3
  Field* density = nullptr;
  BaryonSpins spins{};
  bool overwrite = false;
};
template <class Target>
void launch_baryon_density(const BaryonCall& call, const Queue& queue);

// sequential_source.hpp. All are propagators.
template <class Target>
void launch_pion_sequential(const Field& quark, Field& out, int sink_slice, const Queue& queue);

struct NucleonSequentialCall {
  const Field *up = nullptr, *down = nullptr;
  Field* out = nullptr;
  int sink_slice = 0;
  bool of_down = false;
  Complex<double> projector[4][4]{};
  int sink_flip = 0, source_flip = 0;
  Complex<double> sink[4]{}, source[4]{};
};
template <class Target>
void launch_nucleon_sequential(const NucleonSequentialCall& call, const Queue& queue);

// `quark`: three columns of color vectors; `density`: 1x1, one subfield.
template <class Target>
void launch_staggered_density(const Field& first, const Field& second, Field& density, const Queue& queue);

// Quarks and `density` as above; kernels/site/staggered_baryon_density.hpp. Where all three are one object,
// the formula is that of one quark.
struct StaggeredBaryonCall {
  const Field *first = nullptr, *second = nullptr, *third = nullptr;
  std::array<int, 4> source{};
};
template <class Target>
void launch_staggered_baryon_density(const StaggeredBaryonCall& call, Field& density, const Queue& queue);

// Sums over each of this rank's time slices, added to sums[2 * ((t * momenta + momentum) * channels +
// channel)] (real part) and the one behind (imaginary part), t being the slice of the lattice.
template <class Target>
void launch_momentum_sums(const Field& density, const PhaseTable& table, int momenta,
                          const std::array<int, 4>& source, SumBuffer& sums, const Queue& queue);

// Spinors in double precision times the phases of the table's one momentum.
template <class Target>
void launch_times_phases(Field& field, const PhaseTable& table, const std::array<int, 4>& source,
                         const Queue& queue);

}  // namespace plaq
