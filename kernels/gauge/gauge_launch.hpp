// The launches behind kernels/gauge for one machine and precision. Fields live on an extended geometry whose
// halo is filled where a kernel reads neighbours.
#pragma once

#include <array>

#include "core/field/field.hpp"
#include "core/sums/sum_buffer.hpp"

namespace plaq {

// Sums of the owned sites, added to `sums`: Re tr P of the planes in space and of those with time.
template <class Target, class T>
void launch_plaquette(const Field& gauge, const Queue& queue, SumBuffer& sums);
// Re tr U of all links.
template <class Target, class T>
void launch_link_trace(const Field& gauge, const Queue& queue, SumBuffer& sums);
// Largest |U U^dagger - 1|^2 and |det U - 1|^2 of the owned links; waits.
template <class Target, class T>
std::array<double, 2> launch_unitarity_violation(const Field& gauge, const Queue& queue);
// Products of the owned U_t in order, per line and parity of its first site: before[parity] (null: unit
// matrices) times these, to after[parity] (may be null); their traces (real, imaginary) are added to `sums`.
template <class Target, class T>
void launch_polyakov_lines(const Field& gauge, void* const before[2], void* const after[2],
                           const Queue& queue, SumBuffer& sums);

struct HeatbathCall {
  double beta;
  std::uint64_t seed;
  std::uint32_t sweep;
};
// The owned links U_mu of one parity.
template <class Target, class T>
void launch_heatbath(Field& gauge, const HeatbathCall& call, int mu, int parity, const Queue& queue);
template <class Target, class T>
void launch_overrelaxation(Field& gauge, int mu, int parity, const Queue& queue);

// All stored links, the halo included.
template <class Target, class T>
void launch_reunitarize(Field& gauge, const Queue& queue);
template <class Target, class T>
void launch_cold_start(Field& gauge, const Queue& queue);
template <class Target, class T>
void launch_hot_start(Field& gauge, std::uint64_t seed, const Queue& queue);

}  // namespace plaq
