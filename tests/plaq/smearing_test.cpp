// Smearing by the C++ interface: the bits are those of the functions of plaq below it.
#include <gtest/gtest.h>

#include "comms/start/shared_lattice.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "tests/plaq/session.hpp"

namespace plaq {
namespace {

const Extents smeared_extents{4, 4, 4, 8};

TEST(Smearing, OfLinks) {
  test::for_all_lattices(smeared_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 3);
    const LinkSmearing stout{.type = LinkSmearingKind::stout, .steps = 2, .rho = 0.1};
    Field expected = links_with_halo(lattice.shared(), U.field());
    smear_links(lattice.shared(), expected, stout);
    const auto a = smeared(U, stout).on_host(), b = GaugeField(lattice, expected).on_host();
    for (const LocalSite& site : lattice.local_sites())
      for (int mu = 0; mu < 4; ++mu) ASSERT_EQ(a(mu, site.index).values, b(mu, site.index).values);
    EXPECT_THROW(smeared(U, {.type = LinkSmearingKind::stout, .steps = 2, .rho = 0.9}), Error);
    EXPECT_THROW(smeared(U, {.type = LinkSmearingKind::stout, .steps = -1}), Error);
  });
}

TEST(Smearing, OfQuarks) {
  test::for_all_lattices(smeared_extents, [](const Lattice& lattice) {
    const SharedLattice& shared = lattice.shared();
    const GaugeField U = random_gauge(lattice, 3);
    const QuarkSmearingSettings settings{.gaussian = {.sigma = 1.5, .steps = 8}};
    for (const int spins : {4, 1}) {
      Propagator source(lattice, spins);
      point_source({1, 2, 3, 4})->fill(source.field());
      const auto smearing = make_quark_smearing(shared, links_with_halo(shared, U.field()), settings, spins);
      SpinorField expected = source.some_columns(0, 3);
      smearing->apply(expected.field());
      const Propagator found = smeared(U, source, settings);
      EXPECT_EQ(norm2(found.some_columns(0, 3) - expected), std::vector<double>(3, 0.0));
      EXPECT_GT(norm2(source - found)[0], 0.1);
    }
    Propagator q(lattice);
    q.note().space_boundary = {-1, 1, 1};
    EXPECT_THROW(smeared(U, q, settings), Error);
    EXPECT_THROW(smeared(U, SpinorField(lattice, {.Ls = 2}), settings), Error);
  });
}

}  // namespace
}  // namespace plaq
