// Staggered operators, one-link and improved, and their complements as problems.
#pragma once

#include "kernels/dirac/staggered/staggered_schur.hpp"
#include "tests/reference/staggered.hpp"
#include "tests/support/operators/problem.hpp"

namespace plaq::test {

// Bounds for one application to random links and vectors.
extern const StorageBounds staggered_bounds;

struct StaggeredProblem {
  bool improved = false;
  reference::StaggeredLinks links;
  StaggeredParameters ours;
  reference::StaggeredParameters theirs;
  int rotated_parity = 1;  // of links of eight reals
};
// Random SU(3) links; improved: any matrices as fat links, random SU(3) ones as long links.
StaggeredProblem make_staggered(const Extents& extents, bool improved,
                                std::array<int, 4> boundary = {-1, 1, -1, -1});
void set_mass(StaggeredProblem& problem, double mass);

StaggeredHoppingPtr make_hopping(const StaggeredProblem& p, const Setting& setting);
// True if faces of three slices fit.
bool fits(const StaggeredProblem& p, const Geometry& g);

OperatorProblem staggered_operator(const StaggeredProblem& problem);
OperatorProblem staggered_complement(const StaggeredProblem& problem, int parity);

}  // namespace plaq::test
