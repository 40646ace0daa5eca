// A source and a contraction of your own: a Gaussian cloud of quarks, and the pion from tr[S(x) S(x)^dagger].
#include <cmath>
#include <iostream>
#include <plaq/plaq.hpp>

int main(int argc, char** argv) {
  plaq::Session session(argc, argv);
  plaq::Lattice lattice(session, {8, 8, 8, 16});
  auto U = plaq::random_gauge(lattice, 1);

  // b(x) is a matrix of spin and color at each site of this rank: here exp(-r^2 / width^2) on time slice 2.
  const plaq::Extents center{4, 4, 4, 2};
  const double width = 2;
  plaq::HostField<plaq::SpinColorMatrix> cloud(lattice);
  for (const auto& site : lattice.local_sites()) {
    double r2 = 0;
    for (int i = 0; i < 3; ++i) r2 += std::pow(site.x[i] - center[i], 2);
    if (site.x[3] == center[3]) cloud[site.index] = std::exp(-r2 / (width * width)) * plaq::unit<12>();
  }
  plaq::Propagator source(lattice);
  source.set(cloud);
  source.note().position = center;

  plaq::DiracSolver solver(plaq::wilson({.kappa = 0.1}), U, {.tolerance = 1e-10});
  const auto q = solver.propagator(source);

  // A density of your own, summed over space.
  const auto S = q.on_host();
  plaq::HostField<std::complex<double>> density(lattice);
  for (const auto& site : lattice.local_sites())
    density[site.index] = trace(S[site.index] * adjoint(S[site.index]));
  const auto mine = plaq::momentum_sum(density, {0, 0, 0}, center);
  const auto reference = plaq::meson(q, plaq::pion);

  if (session.rank() != 0) return 0;
  std::cout.precision(12);
  double difference = 0;
  for (std::size_t t = 0; t < mine.size(); ++t) {
    std::cout << mine[t].real() << '\n';
    difference = std::max(difference, std::abs(mine[t] - reference[t]) / std::abs(reference[t]));
  }
  return difference < 1e-12 ? 0 : 1;
}
