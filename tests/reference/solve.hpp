// Conjugate gradients on the normal equations M^dagger M x = M^dagger b, in double.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "tests/reference/gauge.hpp"
#include "tests/reference/spinor.hpp"
#include "tests/reference/wilson.hpp"

namespace plaq::reference {

struct Solution {
  SpinorField x;
  int iterations;
  double residual;  // ||b - M x|| / ||b||, computed again at the end
};

using Map = std::function<SpinorField(const SpinorField&)>;
// M and its adjoint. Throws when the true residual does not reach the tolerance.
Solution solve(const Map& m, const Map& m_dagger, const SpinorField& b, double tolerance = 1e-13,
               int max_iterations = 20000);
// For the Wilson matrix.
Solution solve(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& b,
               double tolerance = 1e-13, int max_iterations = 20000);

// Columns M^-1 of a point source, [3 spin + color] of the source.
using Propagator = std::array<SpinorField, 12>;
Propagator propagator(const WilsonParameters& parameters, const GaugeField& gauge, int source_site,
                      double tolerance = 1e-13);

// C(t) = sum over space and over spin and color of source and sink of |S|^2, without a volume factor. t is
// counted from the first slice of the lattice.
std::vector<double> pion_correlator(const Lattice& lattice, const Propagator& columns);

}  // namespace plaq::reference
