#include "tests/support/operators/problem.hpp"

#include "tests/support/random_vectors.hpp"

namespace plaq::test {

StorageBounds times(double factor, StorageBounds bounds) {
  for (auto& bound : bounds) bound.most *= factor, bound.mean *= factor;
  return bounds;
}

Vectors random_vectors(const OperatorProblem& p, int count, unsigned seed) {
  const auto size =
      static_cast<std::size_t>(reference::Lattice{p.extents}.volume() * p.shape.components() * p.shape.Ls);
  return random_vectors(count, size, seed);
}

Vector only(Vector v, const OperatorProblem& p, int parity) {
  const reference::Lattice lattice{p.extents};
  const int components = p.shape.components(), volume = lattice.volume();
  for (int x = 0; x < volume; ++x)
    if (lattice.parity(x) != parity)
      for (int s = 0; s < p.shape.Ls; ++s)
        std::fill_n(v.begin() + (static_cast<std::ptrdiff_t>(s) * volume + x) * components, components, 0);
  return v;
}

void add(Vector& y, Complex64 a, const Vector& x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}

Vector times(const reference::GaugeTransformation& g, const Vector& v, int Ls) {
  Vector out(v.size());
  const std::size_t colors = v.size() / 3, of_site = colors / g.size() / static_cast<std::size_t>(Ls);
  for (std::size_t k = 0; k < colors; ++k) {
    const auto& u = g[k / of_site % g.size()];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        out[3 * k + static_cast<std::size_t>(i)] += u(i, j) * v[3 * k + static_cast<std::size_t>(j)];
  }
  return out;
}

Vector times_gamma5(Vector v) {
  for (std::size_t i = 0; i < v.size(); ++i)
    if (i / 6 % 2 == 1) v[i] = -v[i];
  return v;
}

Field applied(LinearOperator& a, const Field& in, bool dagger) {
  Field out(a.geometry(), in.spec());
  dagger ? a.apply_dagger(out, in) : a.apply(out, in);
  a.queue().synchronize();
  return out;
}

}  // namespace plaq::test
