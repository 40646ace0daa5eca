#include "tests/reference/spinor.hpp"

#include <cmath>

#include "tests/reference/components.hpp"

namespace plaq::reference {

SpinorField zero_spinor(const Lattice& lattice) { return SpinorField(lattice.volume()); }

SpinorField random_spinor(const Lattice& lattice, Generator& generator) {
  SpinorField field = zero_spinor(lattice);
  components::fill_normal(field, generator);
  return field;
}

std::vector<SpinorField> random_spinors(const Lattice& lattice, int count, Generator& generator) {
  std::vector<SpinorField> all;
  for (int k = 0; k < count; ++k) all.push_back(random_spinor(lattice, generator));
  return all;
}

SpinorField point_source(const Lattice& lattice, int site, int spin, int color) {
  SpinorField field = zero_spinor(lattice);
  field[site][spin][color] = 1.0;
  return field;
}

void add(SpinorField& y, Complex a, const SpinorField& x) { components::add(y, a, x); }

Complex dot(const SpinorField& a, const SpinorField& b) { return components::dot(a, b); }

double norm_squared(const SpinorField& a) { return dot(a, a).real(); }

double relative_difference(const SpinorField& a, const SpinorField& b) {
  SpinorField difference = a;
  add(difference, -1.0, b);
  return std::sqrt(norm_squared(difference) / norm_squared(b));
}

SpinorField times(const SpinMatrix& matrix, const SpinorField& in) {
  SpinorField out(in.size());
  for (int s = 0; s < 4; ++s)
    for (int r = 0; r < 4; ++r) {
      const Complex element = matrix(s, r);
      if (element == 0.0) continue;
      for (std::size_t site = 0; site < in.size(); ++site)
        for (int color = 0; color < 3; ++color) out[site][s][color] += element * in[site][r][color];
    }
  return out;
}

SpinorField times(const GaugeTransformation& g, const SpinorField& in) {
  SpinorField out(in.size());
  for (std::size_t site = 0; site < in.size(); ++site)
    for (int spin = 0; spin < 4; ++spin) out[site][spin] = g[site] * in[site][spin];
  return out;
}

}  // namespace plaq::reference
