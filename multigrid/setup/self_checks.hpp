// Checks of properties that every hierarchy must have, on any gauge field. They use
// random vectors, after every setup.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "multigrid/hierarchy/hierarchy.hpp"

namespace plaq {

struct SelfCheck {
  int level = 0;  // of the finer lattice, 0 is the finest
  std::string what;
  double value = 0, limit = 0;                    // a relative difference, and what rounding may make of it
  bool passed() const { return value <= limit; }  // not where it is no number
};

// Checks each lattice but the coarsest one:
// R P = 1;  M_c = R M P, and likewise the adjoints;  the even-odd form of M_c against M_c.
// `links`: the precision in which they are kept after Hierarchy::release_setup_data(). Collective; equal
// numbers on any process grid.
std::vector<SelfCheck> self_checks(Hierarchy& hierarchy, Precision storage,
                                   std::optional<Precision> links = {});

// Throws Error(not_converged), which names the level and what failed, where one has not passed.
void expect_passed(const std::vector<SelfCheck>& checks);

}  // namespace plaq
