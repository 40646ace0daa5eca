// Wilson and clover operators and their complements as problems.
#pragma once

#include <array>

#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "tests/reference/clover.hpp"
#include "tests/support/operators/problem.hpp"

namespace plaq::test {

// Bounds for one application to random links and spinors.
extern const StorageBounds wilson_bounds;

enum class Clover { none, isotropic, anisotropic, exponential };
std::string name_of(Clover clover);
enum class Gauge { random, temporal };

// Anisotropic, with signs at three boundaries.
struct WilsonProblem {
  reference::GaugeField gauge;
  WilsonParameters ours;
  reference::CloverParameters theirs;
  bool temporal = false;   // gauge
  int rotated_parity = 1;  // of links of eight reals
};
WilsonProblem make_wilson(const Extents& extents, Clover clover, Gauge gauge = Gauge::random,
                          double twisted_mass = 0);
void set_boundary(WilsonProblem& problem, const std::array<int, 4>& boundary);

WilsonHoppingPtr make_hopping(const WilsonProblem& p, const Setting& setting);

OperatorProblem wilson_operator(const WilsonProblem& problem);
OperatorProblem wilson_complement(const WilsonProblem& problem, int parity, WilsonSchur::Form form);

}  // namespace plaq::test
