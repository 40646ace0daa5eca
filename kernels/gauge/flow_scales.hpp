// Scales from the energy density E(t) along a gradient flow, in lattice units: t is in units of a^2.
//
// Both functions take samples of E at ascending flow times, not necessarily at equal distances, and find the
// first place where a quantity climbs through `target` from one sample to the next: nothing where there is
// none. Both are of fourth order in the distance of the samples. Throw an internal Error unless there are as
// many times as energies, in strictly ascending order.
#pragma once

#include <optional>
#include <span>

namespace plaq {

// t0: t^2 E(t) = target (Luescher, JHEP 08 (2010) 071), from the cubic through the two samples on either
// side, or the four nearest ones at an end.
std::optional<double> find_t0(std::span<const double> t, std::span<const double> energy, double target = 0.3);

// w0: W(w0^2) = target, W(t) = t d/dt (t^2 E(t)) (Borsanyi et al., JHEP 09 (2012) 010). W at a sample is from
// the slope of the quartic through it and two samples on either side (central differences where they are
// equidistant), or the five nearest ones at an end; then as t0.
std::optional<double> find_w0(std::span<const double> t, std::span<const double> energy, double target = 0.3);

}  // namespace plaq
