// Mesons of domain-wall quarks of two masses, from a wall in Coulomb gauge, a Z2 wall and a point that is
// smeared by a function of your own, with sinks that are points and walls.
#include <iostream>
#include <map>
#include <plaq/plaq.hpp>
#include <string>

namespace {

// (1 + width^2 Laplace / (4 n))^n on each time slice: gauge-covariant Gaussian smearing.
plaq::SpinorField gaussian(const plaq::GaugeField& U, plaq::SpinorField psi, double width, int n) {
  for (int i = 0; i < n; ++i) {
    plaq::SpinorField laplace = -6.0 * psi;
    for (int mu = 0; mu < 3; ++mu)
      laplace += covariant_shift(U, psi, plaq::forward(mu)) + covariant_shift(U, psi, plaq::backward(mu));
    plaq::add(psi, width * width / (4 * n), laplace);
  }
  return psi;
}

plaq::SpinorField point(const plaq::Lattice& lattice, const plaq::Extents& x) {
  plaq::HostField<plaq::SpinColorMatrix> delta(lattice);
  for (const auto& site : lattice.local_sites())
    if (site.x == x) delta[site.index] = plaq::unit<12>();
  plaq::Propagator source(lattice);
  source.set(delta);
  source.note().position = x;
  return source;
}

// tr[sink S1(t) source gamma5 S2(t)^dagger gamma5] of sums over time slices.
plaq::Correlator wall_sink(const plaq::Propagator& q1, const plaq::Propagator& q2,
                           const plaq::SpinStructure& spins) {
  const auto S1 = plaq::momentum_sum(q1.on_host()), S2 = plaq::momentum_sum(q2.on_host());
  const auto five = plaq::spin_color(plaq::gamma5());
  const auto sink = plaq::spin_color(spins.sink), source = plaq::spin_color(spins.source);
  plaq::Correlator c;
  for (std::size_t t = 0; t < S1.size(); ++t)
    c.push_back(trace(sink * S1[t] * source * five * adjoint(S2[t]) * five));
  return c;
}

}  // namespace

int main(int argc, char** argv) {
  plaq::Session session(argc, argv);
  plaq::Lattice lattice(session, {4, 4, 4, 8});
  auto U = plaq::unit_gauge(lattice);
  if (argc > 1) {
    U = plaq::read_gauge(argv[1], lattice);
  } else {
    plaq::HeatbathChain chain(U, {.beta = 6.0, .seed = 1});
    chain.update(20);
    U = chain.gauge();
  }
  U = fix_gauge(U, {.gauge = plaq::Gauge::coulomb, .theta = 1e-12}).gauge;
  const auto links = smeared(U, {.type = plaq::LinkSmearingKind::stout, .steps = 3, .rho = 0.1});

  const plaq::Extents origin{0, 0, 0, 0};
  std::map<std::string, std::vector<plaq::Propagator>> quarks;  // by source, one for each mass
  for (const double mass : {0.1, 0.4}) {
    plaq::DiracSolver solver(
        plaq::domain_wall(
            {.variant = plaq::DomainWall::moebius, .n_s = 4, .mass = mass, .b5 = 1.5, .c5 = 0.5}),
        links, {.tolerance = 1e-11});
    quarks["wall"].push_back(solver.propagator(plaq::wall_source(origin)));
    quarks["Z2 wall"].push_back(
        solver.propagator(plaq::noise_source(origin, plaq::Noise::z2, {.seed = 1, .number = 0})));
    quarks["smeared"].push_back(solver.propagator(gaussian(links, point(lattice, origin), 2.0, 40)));
  }

  const auto P = plaq::gamma5(), A = plaq::gamma(3) * plaq::gamma5();
  const std::map<std::string, plaq::SpinStructure> channels = {{"PP", {P, P}}, {"AP", {A, P}}};
  std::cout.precision(6);
  const auto print = [&](const std::string& name, const plaq::Correlator& c) {
    if (session.rank() != 0) return;
    std::cout << name;
    for (std::size_t t = 0; t <= c.size() / 2; ++t) std::cout << ' ' << c[t].real();
    std::cout << '\n';
  };
  for (const auto& [source, q] : quarks)
    for (const auto& [channel, spins] : channels)
      for (std::size_t i = 0; i < q.size(); ++i)
        for (std::size_t j = i; j < q.size(); ++j) {
          const std::string name =
              source + " " + channel + " m" + std::to_string(i) + " m" + std::to_string(j);
          print(name, meson(q[i], q[j], spins));
          if (source != "smeared") print(name + " wall sink", wall_sink(q[i], q[j], spins));
        }
}
