// The low-mode part of propagators: that of solvers by modes, and its mesons over all sources, which are the
// means of mesons from each site.
#include <gtest/gtest.h>

#include "tests/plaq/session.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"

namespace plaq {
namespace {

const Extents source_extents{4, 2, 2, 4};

std::vector<Extents> all_sites() {
  std::vector<Extents> sites;
  Extents y{};
  for (y[3] = 0; y[3] < source_extents[3]; ++y[3])
    for (y[2] = 0; y[2] < source_extents[2]; ++y[2])
      for (y[1] = 0; y[1] < source_extents[1]; ++y[1])
        for (y[0] = 0; y[0] < source_extents[0]; ++y[0]) sites.push_back(y);
  return sites;
}

bool is_odd(const Extents& y) { return (y[0] + y[1] + y[2] + y[3]) % 2 == 1; }

// Solvers by modes have a term on the source's own site more, where that is odd.
TEST(LowModePropagators, AreThoseOfSolvers) {
  const test::SharedDirectory folder;
  test::for_one_lattice(source_extents, [&](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 3);
    const DiracOperator m(clover({.kappa = 0.11, .c_sw = 1.1}), U);
    for (const Preconditioning form : {Preconditioning::even_odd, Preconditioning::even_odd_asymmetric}) {
      const LowModes modes = low_modes(m, {.modes = 5, .tolerance = 1e-3}, form);
      const std::string path = folder / "field.eig.lime";
      write_low_modes(modes, path, {.overwrite = true});
      DiracSolver solver(m, {.method = SolverMethod::cgne, .preconditioning = form}, {.modes = path});
      const LowModePropagators low(m, modes);
      EXPECT_EQ(low.count(), 5);
      for (const Extents& y : {Extents{1, 0, 1, 2}, Extents{0, 1, 0, 2}}) {
        const Propagator expected = solver.approximate(point_source(y), {.modes = true}),
                         found = low.propagator(point_source(y));
        const auto a = expected.on_host(), b = found.on_host();
        double difference = 0, at_source = 0;
        bool has_source = false;
        for (const LocalSite& site : lattice.local_sites())
          for (std::size_t k = 0; k < a[site.index].values.size(); ++k) {
            const double off = std::abs(a[site.index].values[k] - b[site.index].values[k]);
            double& to = site.x == y ? at_source : difference;
            to = std::max(to, off);
            has_source |= site.x == y;
          }
        EXPECT_LT(difference, 1e-5) << is_odd(y);
        EXPECT_EQ(at_source > 0.05, has_source && is_odd(y));
        if (!is_odd(y)) {
          EXPECT_LT(at_source, 1e-5);
        }
      }
    }
  });
}

TEST(LowModePropagators, MesonsAreMeansOverAllSources) {
  const std::vector<Momentum> momenta = {{}, {1, 0, 0}};
  std::vector<std::vector<Correlator>> first;
  test::for_some_lattices(source_extents, [&](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 4);
    const DiracOperator m(wilson({.kappa = 0.12}), U);
    const LowModePropagators low(m, low_modes(m, {.modes = 14, .tolerance = 1e-2}));
    const std::vector<std::string> channels = {"pion", "rho", "axial_pseudoscalar"};
    std::vector<std::vector<Correlator>> found;
    for (const std::string& channel : channels) found.push_back(low.meson(channel, momenta));
    if (lattice.location() == Location::host && !first.empty()) {
      EXPECT_EQ(found, first);
      return;
    }
    first = found;
    std::vector expected(channels.size(), std::vector(momenta.size(), Correlator(4)));
    const std::vector<Extents> sites = all_sites();
    for (const Extents& y : sites) {
      const Propagator q = low.propagator(point_source(y));
      for (std::size_t c = 0; c < channels.size(); ++c) {
        const auto of_site = meson(q, q, channels[c], momenta);
        for (std::size_t p = 0; p < momenta.size(); ++p)
          for (std::size_t t = 0; t < 4; ++t)
            expected[c][p][t] += of_site[p][t] / static_cast<double>(sites.size());
      }
    }
    for (std::size_t c = 0; c < channels.size(); ++c)
      for (std::size_t p = 0; p < momenta.size(); ++p)
        for (std::size_t t = 0; t < 4; ++t)
          EXPECT_LT(std::abs(found[c][p][t] - expected[c][p][t]), 1e-10 * std::abs(found[0][0][0]))
              << channels[c] << " " << p << " " << t;
    EXPECT_GT(found[0][0][0].real(), 0);
    // The spin structure of the pion.
    EXPECT_EQ(low.meson({{gamma5(), gamma5()}}, momenta), found[0]);
  });
}

TEST(LowModePropagators, OtherQuarksAndModesAreErrors) {
  const test::TestSession test;
  if (!test::fits(source_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, source_extents);
  const GaugeField U = random_gauge(lattice, 5);
  const DiracOperator m(wilson({.kappa = 0.1}), U), heavier(wilson({.kappa = 0.09}), U),
      elsewhere(wilson({.kappa = 0.1}), random_gauge(lattice, 6)), staggering(staggered({.mass = 1}), U),
      twisted(wilson({.kappa = 0.1, .twisted_mass = 0.1}), U);
  const LowModes modes = low_modes(m, {.modes = 2, .tolerance = 1e-1});
  const auto refuse = [&](const DiracOperator& of, const test::Parts& parts) {
    test::expect_error([&] { LowModePropagators(of, modes); }, ErrorKind::usage, parts);
  };
  refuse(heavier, {"another operator", "mass"});
  refuse(elsewhere, {"another operator", "links"});
  refuse(staggering, {"Wilson"});
  refuse(twisted, {"twist"});
  const LowModePropagators low(m, modes);
  test::expect_error([&] { low.meson("proton"); }, ErrorKind::usage, {"proton", "pion"});
  test::expect_error([&] { low.meson("pion", {{0, 2, 0}}); }, ErrorKind::usage, {"momenta"});
  test::expect_error([&] { low(SpinorField(lattice, {.columns = 1, .spins = 1})); }, ErrorKind::usage,
                     {"spinors"});
}

}  // namespace
}  // namespace plaq
