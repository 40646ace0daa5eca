// Shifts, covariant shifts and products of links along paths, by the coordinates of sites.
#include <gtest/gtest.h>

#include "tests/plaq/session.hpp"

namespace plaq {
namespace {

const Extents shift_extents{4, 2, 4, 8};
constexpr Hop hops[] = {{0, true}, {0, false}, {1, true}, {1, false},
                        {2, true}, {2, false}, {3, true}, {3, false}};

GaugeField numbered_links(const Lattice& lattice) {
  GaugeField U(lattice);
  U.set(test::numbers_on<ColorMatrix>(lattice, 4));
  return U;
}

ColorMatrix numbered_link(const Extents& x, int mu) {
  ColorMatrix u;
  for (int i = 0; i < 9; ++i) u.values[static_cast<std::size_t>(i)] = test::number_at(x, 100 * mu + i);
  return u;
}

TEST(Shift, TakesTheNeighboursNumbers) {
  test::for_all_lattices(shift_extents, [](const Lattice& lattice) {
    for (const int columns : {1, 30}) {  // 30: in two exchanges
      SpinorField psi(lattice, {.columns = columns});
      psi.set(test::numbers_on<SiteSpinor>(lattice, columns));
      const GaugeField U = numbered_links(lattice);
      for (const Hop hop : hops) {
        const auto found = shift(psi, hop).on_host();
        const auto links = shift(U, hop).on_host();
        for (const LocalSite& site : lattice.local_sites()) {
          const Extents y = test::neighbour(lattice, site.x, hop);
          for (int i = 0; i < 12; ++i)
            ASSERT_EQ(found(columns - 1, site.index)(i), test::number_at(y, 100 * (columns - 1) + i));
          ASSERT_EQ(links(2, site.index).values, numbered_link(y, 2).values);
        }
      }
    }
  });
}

TEST(Shift, CovariantlyByLinks) {
  test::for_all_lattices(shift_extents, [](const Lattice& lattice) {
    const GaugeField U = numbered_links(lattice);
    SpinorField psi(lattice), chi(lattice, {.columns = 2, .spins = 1});
    psi.set(test::numbers_on<SiteSpinor>(lattice));
    chi.set(test::numbers_on<SiteColorVector>(lattice, 2));
    for (const Hop hop : hops) {
      const auto spinors = covariant_shift(U, psi, hop).on_host();
      const auto vectors = covariant_shift(U, chi, hop).staggered_on_host();
      for (const LocalSite& site : lattice.local_sites()) {
        const Extents y = test::neighbour(lattice, site.x, hop);
        const ColorMatrix u = hop.forward ? numbered_link(site.x, hop.mu) : adjoint(numbered_link(y, hop.mu));
        for (int c = 0; c < 3; ++c) {
          std::complex<double> spinor = 0, vector = 0;
          for (int k = 0; k < 3; ++k) {
            spinor += u(c, k) * test::number_at(y, 6 + k);
            vector += u(c, k) * test::number_at(y, 100 + k);
          }
          ASSERT_LT(std::abs(spinors[site.index](6 + c) - spinor), 1e-14);
          ASSERT_LT(std::abs(vectors(1, site.index)(c) - vector), 1e-14);
        }
      }
    }
    const SpinorField derivative = covariant_derivative(U, psi, 2);
    const SpinorField by_hand =
        0.5 * (covariant_shift(U, psi, {2, true}) - covariant_shift(U, psi, {2, false}));
    EXPECT_EQ(norm2(derivative - by_hand)[0], 0);
  });
}

// The product around a plaquette has the trace that plaquette() averages, and there and back is 1.
TEST(Shift, PathsOfLinks) {
  test::for_all_lattices({4, 4, 2, 8}, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 5);
    double sum = 0;
    for (int mu = 0; mu < 4; ++mu)
      for (int nu = 0; nu < mu; ++nu) {
        const Hop around[] = {forward(mu), forward(nu), backward(mu), backward(nu)};
        const auto loops = path_product(U, around).on_host();
        HostField<std::complex<double>> traces(lattice);
        for (const LocalSite& site : lattice.local_sites()) traces[site.index] = trace(loops[site.index]);
        for (const auto& slice : momentum_sum(traces)) sum += slice.real();
      }
    EXPECT_NEAR(sum / (18.0 * static_cast<double>(lattice.volume())), plaquette(U), 1e-13);
    const Hop there_and_back[] = {forward(0), forward(3), backward(3), backward(0)};
    for (const auto& one = path_product(U, there_and_back).on_host();
         const LocalSite& site : lattice.local_sites())
      for (int i = 0; i < 9; ++i)
        ASSERT_LT(std::abs(one[site.index](i / 3, i % 3) - (i % 4 == 0 ? 1.0 : 0.0)), 1e-13);
    EXPECT_THROW(shift(U, {4, true}), Error);
  });
}

}  // namespace
}  // namespace plaq
