// Fourier transforms of fields against sums over sites, and back.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <numbers>

#include "tests/plaq/session.hpp"

namespace plaq {
namespace {

// Factors 2, 3, 4 and 5, and local extents that are no powers of 2.
const Extents fourier_extents{6, 4, 10, 12};
using Numbers = HostField<std::complex<double>>;

// exp(-i p x) of each direction, by sums over all sites of the whole lattice:
// f(p) at the site with coordinates n.
std::complex<double> slow_sum(const Extents& extents, const Extents& n, int k,
                              const std::array<bool, 4>& directions, double sign = -1) {
  std::complex<double> sum = 0;
  std::array<int, 4> first{}, last{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    first[mu] = directions[mu] ? 0 : n[mu];
    last[mu] = directions[mu] ? extents[mu] - 1 : n[mu];
  }
  for (int t = first[3]; t <= last[3]; ++t)
    for (int z = first[2]; z <= last[2]; ++z)
      for (int y = first[1]; y <= last[1]; ++y)
        for (int x = first[0]; x <= last[0]; ++x) {
          const Extents at{x, y, z, t};
          double phase = 0;
          for (std::size_t mu = 0; mu < 4; ++mu)
            if (directions[mu]) phase += static_cast<double>(n[mu] * at[mu] % extents[mu]) / extents[mu];
          sum += std::polar(1.0, sign * 2 * std::numbers::pi * phase) * test::number_at(at, k);
        }
  return sum;
}

// A few momenta: all that have few coordinates that are not 0 would hide a wrong order of directions.
bool is_sample(const Extents& n) { return (n[0] + 5 * n[1] + 7 * n[2] + 11 * n[3]) % 29 == 3; }

Numbers numbers_on(const Lattice& lattice, int count = 1) {
  Numbers made(lattice, count);
  for (const LocalSite& site : lattice.local_sites())
    for (int k = 0; k < count; ++k) made(k, site.index) = test::number_at(site.x, k);
  return made;
}

TEST(Fourier, IsTheSumOverSites) {
  test::for_all_lattices(fourier_extents, [](const Lattice& lattice) {
    for (const std::array<bool, 4>& directions :
         {std::array{true, true, true, true}, {true, true, true, false}, {false, true, false, true}}) {
      const auto found = fourier_transform(numbers_on(lattice, 2), {.directions = directions});
      for (const LocalSite& site : lattice.local_sites()) {
        if (!is_sample(site.x)) continue;
        const auto expected = slow_sum(lattice.extents(), site.x, 1, directions);
        ASSERT_LT(std::abs(found(1, site.index) - expected), 1e-11) << to_string(site.x);
      }
    }
    const auto back = fourier_transform(numbers_on(lattice), {.backward = true});
    for (const LocalSite& site : lattice.local_sites()) {
      if (!is_sample(site.x)) continue;
      const auto sum = slow_sum(lattice.extents(), site.x, 0, {true, true, true, true}, 1);
      ASSERT_LT(std::abs(back[site.index] - sum / static_cast<double>(lattice.volume())), 1e-14);
    }
  });
}

TEST(Fourier, ThereAndBack) {
  test::for_all_lattices(fourier_extents, [](const Lattice& lattice) {
    const auto first = test::numbers_on<SpinColorMatrix>(lattice);
    const auto last = fourier_transform(fourier_transform(first), {.backward = true});
    double largest = 0;
    for (const LocalSite& site : lattice.local_sites())
      for (std::size_t i = 0; i < 144; ++i)
        largest = std::max(largest, std::abs(last[site.index].values[i] - first[site.index].values[i]));
    EXPECT_LT(largest, 1e-14);
    const auto none = fourier_transform(first, {.backward = true, .directions = {}});
    EXPECT_EQ(std::memcmp(none.data(), first.data(), sizeof(SpinColorMatrix) * lattice.local_volume()), 0);
  });
}

// sum_p |f(p)|^2 = V sum_x |f(x)|^2, for each column.
TEST(Fourier, Parseval) {
  test::for_all_lattices(fourier_extents, [](const Lattice& lattice) {
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      SpinorField psi(lattice, {.columns = 3, .Ls = 2, .precision = precision});
      psi.set(test::numbers_on<SiteSpinor>(lattice, 6));
      const auto before = norm2(psi), after = norm2(fourier_transform(psi));
      for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_NEAR(after[i] / before[i] / static_cast<double>(lattice.volume()), 1,
                    precision == Precision::double_precision ? 1e-14 : 1e-6);
    }
  });
}

// Fields give the bits of their numbers on the host, in single precision their rounded ones.
TEST(Fourier, FieldsAreTransformedAsTheirNumbers) {
  test::for_all_lattices(fourier_extents, [](const Lattice& lattice) {
    const FourierSettings space{.directions = {true, true, true, false}};
    const auto numbers = test::numbers_on<SiteSpinor>(lattice, 2);
    const auto expected = fourier_transform(numbers, space);
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      SpinorField psi(lattice, {.columns = 2, .precision = precision});
      psi.set(numbers);
      const auto found = fourier_transform(psi, space).on_host();
      const double bound = precision == Precision::double_precision ? 0 : 1e-4;
      for (const LocalSite& site : lattice.local_sites())
        for (int i = 0; i < 12; ++i)
          ASSERT_LE(std::abs(found(1, site.index)(i) - expected(1, site.index)(i)), bound);
    }
    SpinorField chi(lattice, {.spins = 1});
    const auto vectors = test::numbers_on<SiteColorVector>(lattice);
    chi.set(vectors);
    ColorMatrixField w(lattice);
    const auto matrices = test::numbers_on<ColorMatrix>(lattice);
    w.set(matrices);
    const auto chi_found = fourier_transform(chi).staggered_on_host();
    const auto chi_expected = fourier_transform(vectors);
    const auto w_found = fourier_transform(w).on_host();
    const auto w_expected = fourier_transform(matrices);
    for (const LocalSite& site : lattice.local_sites()) {
      ASSERT_EQ(chi_found[site.index].values, chi_expected[site.index].values);
      ASSERT_EQ(w_found[site.index].values, w_expected[site.index].values);
    }
  });
}

// Each value of the whole lattice has the same bits on any process grid and location.
TEST(Fourier, BitsDoNotDependOnTheGrid) {
  std::map<Extents, std::complex<double>> first;
  test::for_all_lattices(fourier_extents, [&](const Lattice& lattice) {
    SpinorField psi(lattice);
    psi.set(test::numbers_on<SiteSpinor>(lattice));
    const auto found = fourier_transform(psi).on_host();
    Numbers component(lattice);
    for (const LocalSite& site : lattice.local_sites()) component[site.index] = found[site.index](7);
    // The whole lattice is known to each rank by sums over one slice at a time:
    // each has one term that is not 0.
    for (int n = 0; n < lattice.extents()[0]; ++n) {
      Numbers one(lattice);
      for (const LocalSite& site : lattice.local_sites())
        if (site.x == Extents{n, 3, 7, site.x[3]}) one[site.index] = component[site.index];
      const auto sums = momentum_sum(one);
      for (std::size_t t = 0; t < sums.size(); ++t) {
        const auto known = first.try_emplace({n, 3, 7, static_cast<int>(t)}, sums[t]).first;
        ASSERT_EQ(std::memcmp(&known->second, &sums[t], sizeof(sums[t])), 0);
      }
    }
  });
}

}  // namespace
}  // namespace plaq
