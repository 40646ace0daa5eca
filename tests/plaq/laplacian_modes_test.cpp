// Modes of the Laplacian in the C++ interface: they are eigenvectors of the Laplacian that covariant shifts
// make, with the same bits on every grid, and come back from files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/plaq/session.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"

namespace plaq::laplacian_modes_test {
namespace {

const Extents extents{4, 4, 2, 4};
const LaplacianModeSettings six{.modes = 6, .tolerance = 1e-9};

GaugeField rough_field(const Lattice& lattice) {
  HeatbathChain chain(unit_gauge(lattice), {.beta = 5.7, .seed = 5});
  chain.update(2);
  return chain.gauge();
}

// Minus the Laplacian by shifts.
SpinorField minus_laplacian(const GaugeField& U, const SpinorField& v) {
  SpinorField sum = 6.0 * v;
  for (int mu = 0; mu < 3; ++mu)
    for (const bool ahead : {true, false}) sum -= covariant_shift(U, v, {mu, ahead});
  return sum;
}

// The inner product on each time slice, of this rank's sites alone where it has all of them.
std::vector<std::complex<double>> on_slices(const SpinorField& x, const SpinorField& y) {
  std::vector<std::complex<double>> sums(static_cast<std::size_t>(extents[3]));
  const auto left = x.staggered_on_host(), right = y.staggered_on_host();
  for (const LocalSite& site : x.lattice().local_sites())
    for (int c = 0; c < 3; ++c)
      sums[static_cast<std::size_t>(site.x[3])] += std::conj(left[site.index](c)) * right[site.index](c);
  return sums;
}

TEST(LaplacianModes, AreEigenvectorsWithTheSameBitsOnEveryGrid) {
  std::vector<double> first;
  test::for_some_lattices(extents, [&](const Lattice& lattice) {
    const GaugeField U = rough_field(lattice);
    const LaplacianModes modes = laplacian_modes(U, six);
    ASSERT_EQ(modes.count(), 6);
    EXPECT_GT(modes.applications(), 0);
    std::vector<double> all;
    for (int t = 0; t < extents[3]; ++t) {
      const auto values = modes.values(t);
      EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
      EXPECT_GT(values.front(), 0);
      for (const double bound : modes.bounds(t)) EXPECT_LE(bound, 1e-9);
      all.insert(all.end(), values.begin(), values.end());
    }
    if (first.empty()) first = all;
    if (lattice.location() == Location::host) {
      EXPECT_EQ(all, first);
    }
    if (test::world_size() > 1) return;
    for (int i = 0; i < 6; ++i) {
      const SpinorField v = modes.mode(i), a = minus_laplacian(U, v);
      const auto norms = on_slices(v, v), quotients = on_slices(v, a), squares = on_slices(a, a);
      for (std::size_t t = 0; t < norms.size(); ++t) {
        const double value = modes.values(static_cast<int>(t))[static_cast<std::size_t>(i)];
        EXPECT_NEAR(norms[t].real(), 1, 1e-12);
        EXPECT_NEAR(quotients[t].real(), value, 1e-12);
        EXPECT_NEAR(squares[t].real(), value * value, 1e-11);
      }
      const auto numbers = v.staggered_on_host();
      for (const LocalSite& site : lattice.local_sites())
        if (site.x[0] == 0 && site.x[1] == 0 && site.x[2] == 0) {
          EXPECT_GT(numbers[site.index](0).real(), 0);
          EXPECT_NEAR(numbers[site.index](0).imag(), 0, 1e-15);
        }
    }
  });
}

TEST(LaplacianModes, ComeBackFromFiles) {
  const test::SharedDirectory folder;
  test::for_one_lattice(extents, [&](const Lattice& lattice) {
    const GaugeField U = rough_field(lattice);
    const LaplacianModes modes = laplacian_modes(U, six);
    const std::string path = folder / "field.lap.lime";
    write_laplacian_modes(modes, path, {.overwrite = true});
    const LaplacianModes back = read_laplacian_modes(path, lattice);
    ASSERT_EQ(back.count(), 6);
    EXPECT_EQ(back.applications(), 0);
    for (int t = 0; t < extents[3]; ++t) {
      EXPECT_EQ(back.values(t), modes.values(t));
      EXPECT_EQ(back.bounds(t), modes.bounds(t));
    }
    for (int i = 0; i < 6; ++i) {
      const SpinorField v = modes.mode(i);
      EXPECT_EQ(
          norm2(back.mode(i) -
                v.with_precision(Precision::single_precision).with_precision(Precision::double_precision))[0],
          0);
    }
    EXPECT_EQ(differences(back, U, six), "");
    EXPECT_EQ(differences(back, U, {.boundary = {1, 1, -1}}), "boundary 1 1 1 in the file, 1 1 -1 here");
    EXPECT_NE(differences(back, unit_gauge(lattice), six).find("checksum of the links"), std::string::npos);
  });
}

TEST(LaplacianModes, RefuseWhatIsNotThere) {
  test::for_one_lattice(extents, [&](const Lattice& lattice) {
    const GaugeField U = unit_gauge(lattice);
    for (const LaplacianModeSettings& settings :
         {LaplacianModeSettings{.modes = 97}, LaplacianModeSettings{.modes = 0},
          LaplacianModeSettings{.modes = 6, .basis = 8}, LaplacianModeSettings{.modes = 6, .block = 0}})
      test::expect_error([&] { laplacian_modes(U, settings); }, ErrorKind::usage, {});
    test::expect_error([&] { laplacian_modes(rough_field(lattice), {.modes = 6, .max_applications = 2}); },
                       ErrorKind::not_converged, {});
    const LaplacianModes modes = laplacian_modes(U, {.modes = 3});
    test::expect_error([&] { modes.mode(3); }, ErrorKind::usage, {});
    test::expect_error([&] { modes.values(4); }, ErrorKind::usage, {});
  });
}

}  // namespace
}  // namespace plaq::laplacian_modes_test
