#include "tests/reference/baryons.hpp"

#include "tests/reference/gamma.hpp"

namespace plaq::reference {
namespace {

struct ThreeOf {
  std::array<int, 3> order;
  double sign;
};
constexpr ThreeOf permutations_of_three[] = {{{0, 1, 2}, 1},  {{1, 2, 0}, 1},  {{2, 0, 1}, 1},
                                             {{0, 2, 1}, -1}, {{2, 1, 0}, -1}, {{1, 0, 2}, -1}};

SpinMatrix transposed_spins(const SpinMatrix& a) {
  SpinMatrix t;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) t(i, j) = a(j, i);
  return t;
}

SpinMatrix conjugated_spins(const SpinMatrix& a) { return dagger(transposed_spins(a)); }

// The sum over colors, diquark spins: of the quarks q[i] at the sink from quark p[i] of the source.
SpinMatrix contracted(const std::array<const Matrix12*, 3>& q, const std::array<int, 3>& p,
                      const SpinMatrix& g, const SpinMatrix& g_source) {
  SpinMatrix sum;
  for (int al = 0; al < 4; ++al)
    for (int be = 0; be < 4; ++be)
      for (int al_source = 0; al_source < 4; ++al_source)
        for (int be_source = 0; be_source < 4; ++be_source) {
          const Complex spins = g(al, be) * g_source(al_source, be_source);
          if (spins == 0.0) continue;
          for (const ThreeOf& colors : permutations_of_three)
            for (const ThreeOf& source_colors : permutations_of_three)
              for (int ga = 0; ga < 4; ++ga)
                for (int ga_source = 0; ga_source < 4; ++ga_source) {
                  const int spin[3] = {al, be, ga}, source_spin[3] = {al_source, be_source, ga_source};
                  Complex term = colors.sign * source_colors.sign * spins;
                  for (int i = 0; i < 3; ++i)
                    term *= (*q[i])(3 * spin[i] + colors.order[i],
                                    3 * source_spin[p[i]] + source_colors.order[p[i]]);
                  sum(ga, ga_source) += term;
                }
        }
  return sum;
}

}  // namespace

SpinMatrix baryon_at(const std::array<Matrix12, 3>& quarks, const Interpolator& sink,
                     const Interpolator& source) {
  // q^dagger = qbar gamma_t: (q2^dagger)_be G^*_al,be
  // (q1^dagger)_al = qbar2_be' qbar1_al' (t^T G^* t)_al',be'.
  const SpinMatrix t = gamma(3);
  const SpinMatrix g_source = t * conjugated_spins(source.g) * transposed_spins(t),
                   h_source = t * dagger(source.h) * t;
  SpinMatrix sum;
  for (const auto& out : sink.quarks)
    for (const auto& in : source.quarks)
      for (const ThreeOf& p : permutations_of_three) {
        bool fits = true;
        std::array<const Matrix12*, 3> q{};
        for (int i = 0; i < 3; ++i) {
          fits = fits && out.flavours[i] == in.flavours[p.order[i]];
          q[i] = &quarks[out.flavours[i]];
        }
        if (fits)
          sum = sum + Complex(p.sign * out.weight * in.weight) *
                          (sink.h * contracted(q, p.order, sink.g, g_source) * h_source);
      }
  return sum;
}

std::vector<SpinMatrix> baryon(const Lattice& lattice, const std::array<const Propagator*, 3>& quarks,
                               const std::vector<BaryonSum>& sums, const std::array<int, 3>& n,
                               const Coordinates& source, int boundary) {
  std::vector<SpinMatrix> c(lattice.extents[3]);
  for (int site = 0; site < lattice.volume(); ++site) {
    const double sign = lattice.coordinates(site)[3] < source[3] ? boundary : 1;
    std::array<Matrix12, 3> here;
    for (int i = 0; i < 3; ++i) here[i] = at_site(*quarks[i], site);
    SpinMatrix x;
    for (const BaryonSum& one : sums) x = x + one.left * baryon_at(here, one.sink, one.source);
    SpinMatrix& slice = c[lattice.slices_from(source, site)];
    slice = slice + (sign * phase(lattice, n, site, source)) * x;
  }
  return c;
}

}  // namespace plaq::reference
