#include "tests/reference/wilson_loops.hpp"

namespace plaq::reference {
namespace {

// Multiplies the product by the link that is passed, and goes on.
void pass(const GaugeField& gauge, int& site, int mu, bool ahead, ColorMatrix& product) {
  if (ahead) {
    product = product * gauge.link[site][mu];
    site = gauge.lattice.forward(site, mu);
  } else {
    site = gauge.lattice.backward(site, mu);
    product = product * dagger(gauge.link[site][mu]);
  }
}

}  // namespace

double wilson_loop(const GaugeField& gauge, int site, const std::vector<int>& hops, int t) {
  auto product = ColorMatrix::unit();
  for (const int hop : hops) pass(gauge, site, hop % 3, hop < 3, product);
  for (int i = 0; i < t; ++i) pass(gauge, site, 3, true, product);
  for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) pass(gauge, site, *hop % 3, *hop >= 3, product);
  for (int i = 0; i < t; ++i) pass(gauge, site, 3, false, product);
  return trace(product).real() / 3;
}

double average_wilson_loop(const GaugeField& gauge, const std::vector<int>& hops, int t) {
  double sum = 0;
  for (int site = 0; site < gauge.lattice.volume(); ++site) sum += wilson_loop(gauge, site, hops, t);
  return sum / gauge.lattice.volume();
}

}  // namespace plaq::reference
