// Spinor fields, [site][spin][color], lexicographic sites.
#pragma once

#include <array>
#include <vector>

#include "tests/reference/gauge.hpp"
#include "tests/reference/lattice.hpp"
#include "tests/reference/matrix.hpp"
#include "tests/reference/random.hpp"

namespace plaq::reference {

using Spinor = std::array<std::array<Complex, 3>, 4>;
using SpinorField = std::vector<Spinor>;

SpinorField zero_spinor(const Lattice& lattice);
SpinorField random_spinor(const Lattice& lattice, Generator& generator);  // normal numbers
std::vector<SpinorField> random_spinors(const Lattice& lattice, int count, Generator& generator);
SpinorField point_source(const Lattice& lattice, int site, int spin, int color);

// y <- y + a x
void add(SpinorField& y, Complex a, const SpinorField& x);
// sum of conj(a) b
Complex dot(const SpinorField& a, const SpinorField& b);
double norm_squared(const SpinorField& a);
// ||a - b|| / ||b||
double relative_difference(const SpinorField& a, const SpinorField& b);

// The spin matrix times every site; the color matrix g(x) times every spin component.
SpinorField times(const SpinMatrix& matrix, const SpinorField& in);
SpinorField times(const GaugeTransformation& g, const SpinorField& in);

}  // namespace plaq::reference
