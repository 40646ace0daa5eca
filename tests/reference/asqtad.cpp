#include "tests/reference/asqtad.hpp"

#include <cstdlib>

#include "tests/reference/smearing.hpp"

namespace plaq::reference {
namespace {

// Out along `aside`, one step by mu, and back.
Path detour(int mu, const std::vector<int>& aside) {
  Path path = aside;
  path.push_back(mu + 1);
  for (std::size_t i = aside.size(); i-- > 0;) path.push_back(-aside[i]);
  return path;
}

}  // namespace

ColorMatrix along(const GaugeField& gauge, int site, const Path& path) {
  ColorMatrix product = ColorMatrix::unit();
  for (const int step : path) {
    const int mu = std::abs(step) - 1;
    if (step > 0) {
      product = product * gauge.link[site][mu];
      site = gauge.lattice.forward(site, mu);
    } else {
      site = gauge.lattice.backward(site, mu);
      product = product * dagger(gauge.link[site][mu]);
    }
  }
  return product;
}

std::vector<FatPath> fat_paths(int mu, const FatCoefficients& c) {
  std::vector<int> steps;
  for (int nu = 0; nu < 4; ++nu)
    if (nu != mu) {
      steps.push_back(nu + 1);
      steps.push_back(-(nu + 1));
    }
  std::vector<FatPath> paths{{detour(mu, {}), c.one}};
  for (const int a : steps) {
    paths.push_back({detour(mu, {a}), c.three});
    paths.push_back({detour(mu, {a, a}), c.lepage});
    for (const int b : steps) {
      if (std::abs(b) == std::abs(a)) continue;
      paths.push_back({detour(mu, {a, b}), c.five});
      for (const int d : steps)
        if (std::abs(d) != std::abs(a) && std::abs(d) != std::abs(b))
          paths.push_back({detour(mu, {a, b, d}), c.seven});
    }
  }
  return paths;
}

GaugeField fat_links(const GaugeField& gauge, const FatCoefficients& c) {
  GaugeField fat(gauge.lattice);
  for (int mu = 0; mu < 4; ++mu)
    for (const FatPath& one : fat_paths(mu, c))
      for (int x = 0; x < gauge.lattice.volume(); ++x)
        fat.link[x][mu] = fat.link[x][mu] + Complex(one.coefficient) * along(gauge, x, one.path);
  return fat;
}

GaugeField three_link_products(const GaugeField& gauge) {
  GaugeField products(gauge.lattice);
  for (int mu = 0; mu < 4; ++mu)
    for (int x = 0; x < gauge.lattice.volume(); ++x)
      products.link[x][mu] = along(gauge, x, {mu + 1, mu + 1, mu + 1});
  return products;
}

GaugeField hisq_unitary_links(const GaugeField& gauge) {
  GaugeField w = fat_links(gauge, {1.0 / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, 0});
  for (auto& at : w.link)
    for (auto& v : at) v = polar_u3(v);
  return w;
}

}  // namespace plaq::reference
