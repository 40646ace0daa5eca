#include "tests/reference/staggered.hpp"

#include <cmath>

#include "tests/reference/components.hpp"

namespace plaq::reference {
namespace {

// End of `steps` single steps, and the boundary sign that they pick up.
struct End {
  int site;
  double sign;
};
End walk(const StaggeredParameters& parameters, const Lattice& lattice, int site, int mu, int steps) {
  End end{site, 1.0};
  for (int k = 0; k < std::abs(steps); ++k) {
    const bool wraps = steps > 0 ? lattice.wraps_forward(end.site, mu) : lattice.wraps_backward(end.site, mu);
    if (wraps) end.sign *= parameters.boundary[mu];
    end.site = steps > 0 ? lattice.forward(end.site, mu) : lattice.backward(end.site, mu);
  }
  return end;
}

// Calls visit(x, x', block) for every block D_{x,x'}; several may be of the same two sites.
template <class Visit>
void for_all_blocks(const StaggeredParameters& parameters, const StaggeredLinks& links, Visit&& visit) {
  const Lattice& lattice = links.near.lattice;
  for (int x = 0; x < lattice.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu)
      for (const int steps : {1, 3}) {
        const auto& link = steps == 1 ? links.near.link : links.far.link;
        const double c = eta(lattice, x, mu) * (steps == 1 ? 1.0 : parameters.naik);
        const End ahead = walk(parameters, lattice, x, mu, steps);
        const End behind = walk(parameters, lattice, x, mu, -steps);
        visit(x, ahead.site, Complex(c * ahead.sign) * link[x][mu]);
        visit(x, behind.site, Complex(-c * behind.sign) * dagger(link[behind.site][mu]));
      }
}

}  // namespace

ColorField random_colors(const Lattice& lattice, Generator& generator) {
  ColorField field(lattice.volume());
  components::fill_normal(field, generator);
  return field;
}

void add(ColorField& y, Complex a, const ColorField& x) { components::add(y, a, x); }

Complex dot(const ColorField& a, const ColorField& b) { return components::dot(a, b); }

ColorField times(const GaugeTransformation& g, const ColorField& in) {
  ColorField out(in.size());
  for (std::size_t site = 0; site < in.size(); ++site) out[site] = g[site] * in[site];
  return out;
}

GaugeField random_matrices(const Lattice& lattice, Generator& generator) {
  GaugeField field(lattice);
  for (auto& site : field.link)
    for (ColorMatrix& u : site) components::fill_normal(u.element, generator);
  return field;
}

StaggeredLinks transformed(const StaggeredLinks& links, const GaugeTransformation& g) {
  const Lattice& lattice = links.near.lattice;
  StaggeredLinks result{transformed(links.near, g), links.far};
  for (int x = 0; x < lattice.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu) {
      const int end = walk({}, lattice, x, mu, 3).site;
      result.far.link[x][mu] = g[x] * links.far.link[x][mu] * dagger(g[end]);
    }
  return result;
}

int eta(const Lattice& lattice, int site, int mu) {
  const Coordinates x = lattice.coordinates(site);
  int sum = 0;
  for (int nu = 0; nu < mu; ++nu) sum += x[nu];
  return sum % 2 == 0 ? 1 : -1;
}

ColorField staggered_hop(const StaggeredParameters& parameters, const StaggeredLinks& links,
                         const ColorField& in) {
  ColorField out(in.size());
  for_all_blocks(parameters, links, [&](int x, int from, const ColorMatrix& block) {
    components::add(out[x], 1.0, block * in[from]);
  });
  return out;
}

ColorField staggered_hop_dagger(const StaggeredParameters& parameters, const StaggeredLinks& links,
                                const ColorField& in) {
  ColorField out(in.size());
  for_all_blocks(parameters, links, [&](int x, int from, const ColorMatrix& block) {
    components::add(out[from], 1.0, dagger(block) * in[x]);
  });
  return out;
}

ColorField staggered(const StaggeredParameters& parameters, const StaggeredLinks& links, const ColorField& in,
                     bool adjoint) {
  ColorField out(in.size());
  add(out, parameters.mass, in);
  add(out, 0.5, adjoint ? staggered_hop_dagger(parameters, links, in) : staggered_hop(parameters, links, in));
  return out;
}

std::array<double, 4> staggered_momentum(const StaggeredParameters& parameters, const Lattice& lattice,
                                         const Coordinates& n) {
  return lattice.momentum(parameters.boundary, n);
}

std::array<double, 4> staggered_sines(const StaggeredParameters& parameters, const std::array<double, 4>& p) {
  std::array<double, 4> s{};
  for (int mu = 0; mu < 4; ++mu) s[mu] = std::sin(p[mu]) + parameters.naik * std::sin(3 * p[mu]);
  return s;
}

}  // namespace plaq::reference
