// Bits that tell one trajectory from another, and that trajectories of a chain lead back.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "dynamics/trajectory/hybrid_monte_carlo.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

// dH, the links at the end and the forces of trajectory 1, which must not fail. Collective.
inline std::vector<std::uint64_t> trajectory_bits(HybridMonteCarlo& hmc, PhaseSpace& space,
                                                  const GeometryPtr& geometry, const ProcessGrid& grid) {
  const auto report = hmc.trajectory(space, 1);
  EXPECT_EQ(report.failure, "");
  Field plain(geometry, space.links().spec());
  copy(plain, space.links());
  std::vector<std::uint64_t> bits{std::bit_cast<std::uint64_t>(report.delta_h), fingerprint(plain, grid)};
  for (const auto& force : report.forces) bits.push_back(std::bit_cast<std::uint64_t>(force.mean_square));
  return bits;
}

// dH of trajectory 1 from weak links, which leads back.
inline double reversible_delta_h(const LatticeAlone& alone, HybridMonteCarlo hmc) {
  PhaseSpace space(alone.lattice, alone.weak_links(0.3), hmc.halo_depth());
  const auto report = hmc.trajectory(space, 1, {.check_reversibility = true});
  EXPECT_EQ(report.failure, "");
  EXPECT_LT(report.reversibility->links, 1e-9);
  EXPECT_LT(report.reversibility->energy, 1e-7);
  return report.delta_h;
}

}  // namespace plaq::test
