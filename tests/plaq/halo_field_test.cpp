// Values of neighbours on the host, by the coordinates of sites.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/plaq/session.hpp"

namespace plaq {
namespace {

const Extents halo_extents{4, 4, 8, 8};

// Coordinates on the whole lattice of the site with coordinates x on this rank.
Extents around(const Lattice& lattice, const Extents& x) {
  Extents found;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const int n = lattice.extents()[mu];
    found[mu] = (x[mu] + lattice.offset()[mu] + n) % n;
  }
  return found;
}

int smallest_extent(const Lattice& lattice) {
  const Extents local = lattice.local_extents();
  return *std::min_element(local.begin(), local.end());
}

TEST(HaloField, HasAllNeighboursCornersIncluded) {
  test::for_all_lattices(halo_extents, [](const Lattice& lattice) {
    const auto field = test::numbers_on<SiteColorVector>(lattice, 2);
    for (int depth = 0; depth <= smallest_extent(lattice); ++depth) {
      const HaloField<SiteColorVector> halo = with_halo(field, depth);
      const Extents local = lattice.local_extents();
      ASSERT_EQ(halo.extents()[2], local[2] + 2 * depth);
      for (int t = -depth; t < local[3] + depth; ++t)
        for (int z = -depth; z < local[2] + depth; ++z)
          for (int y = -depth; y < local[1] + depth; ++y)
            for (int x = -depth; x < local[0] + depth; ++x)
              for (int k = 0; k < 2; ++k)
                for (int i = 0; i < 3; ++i)
                  ASSERT_EQ(halo(k, {x, y, z, t})(i),
                            test::number_at(around(lattice, {x, y, z, t}), 100 * k + i));
    }
  });
}

// A plaquette of links with a halo is that of plaq.
TEST(HaloField, PlaquettesBySteps) {
  test::for_all_lattices({4, 4, 2, 8}, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 3);
    const HaloField<ColorMatrix> u = with_halo(U.on_host(), 1);
    constexpr Extents unit_steps[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    HostField<std::complex<double>> traces(lattice);
    for (const LocalSite& site : lattice.local_sites())
      for (int mu = 0; mu < 4; ++mu)
        for (int nu = 0; nu < mu; ++nu)
          traces[site.index] += trace(u.near(site, {}, mu) * u.near(site, unit_steps[mu], nu) *
                                      adjoint(u.near(site, {}, nu) * u.near(site, unit_steps[nu], mu)));
    double sum = 0;
    for (const auto& c : momentum_sum(traces)) sum += c.real();
    EXPECT_NEAR(sum / (18 * static_cast<double>(lattice.volume())), plaquette(U), 1e-14);
  });
}

TEST(HaloField, ImpossibleDepthsAreErrors) {
  test::for_all_lattices(halo_extents, [](const Lattice& lattice) {
    const HostField<std::complex<double>> field(lattice);
    EXPECT_THROW(with_halo(field, -1), Error);
    try {
      with_halo(field, smallest_extent(lattice) + 1);
      FAIL() << "a halo deeper than the lattice of a rank";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(e.what()).find("possible are 0 to " + std::to_string(smallest_extent(lattice))),
                std::string::npos);
    }
  });
}

}  // namespace
}  // namespace plaq
