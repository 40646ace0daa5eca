// Fat links and three-link products of asqtad fermions, path by path.
#pragma once

#include <vector>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

// A step by +mu is mu + 1, one by -mu is -(mu + 1).
using Path = std::vector<int>;

// The product of links along a path that starts at `site`.
ColorMatrix along(const GaugeField& gauge, int site, const Path& path);

// All paths of the fat link in direction mu: that of one link; those with k = 1, 2, 3 different directions to
// the side; those with one direction to the side, twice. Each with its coefficient.
struct FatPath {
  Path path;
  double coefficient;
};
struct FatCoefficients {
  double one, three, five, seven, lepage;
};
std::vector<FatPath> fat_paths(int mu, const FatCoefficients& c);

// Not SU(3).
GaugeField fat_links(const GaugeField& gauge, const FatCoefficients& c);
// U_mu(x) U_mu(x+mu) U_mu(x+2mu)
GaugeField three_link_products(const GaugeField& gauge);
// W of HISQ, Follana et al. 2007: fat7 links with coefficients 1/8, 1/16, 1/64,
// 1/384, of each the unitary factor.
GaugeField hisq_unitary_links(const GaugeField& gauge);

}  // namespace plaq::reference
