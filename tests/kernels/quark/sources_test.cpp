// Quark sources: each against its formula, on every process grid and location.
#include "kernels/quark/sources.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <tuple>

#include "tests/reference/sources.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/on_lattices.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using Batch = std::vector<reference::SpinorField>;
using Fill = std::function<void(Field&)>;

Field made(const GeometryPtr& g, int subfields, Location location, const Fill& fill,
           Precision precision = Precision::double_precision) {
  Field b(g, spinor_spec(Subset::full, subfields, precision, location));
  fill(b);
  return b;
}

// The columns 0..11, made by `column`, on every geometry.
void expect_columns(const Extents& extents, const Fill& fill,
                    const std::function<reference::SpinorField(int spin, int color)>& column) {
  Batch expected;
  for (int i = 0; i < 12; ++i) expected.push_back(column(i / 3, i % 3));
  test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      EXPECT_LT(test::max_difference(made(g, 12, location, fill, precision), expected),
                precision == Precision::double_precision ? 1e-12 : 1e-6);
  });
}

class Sources : public test::OnLattices {};

TEST_P(Sources, Point) {
  const reference::Lattice lattice{GetParam()};
  for (const int site : {0, lattice.volume() - 1, lattice.volume() / 3}) {
    const auto position = lattice.coordinates(site);
    expect_columns(
        GetParam(), [&](Field& b) { point_source(b, position); },
        [&](int spin, int color) { return reference::point_source(lattice, site, spin, color); });
  }
}

TEST_P(Sources, WallAndPlaneWaves) {
  const reference::Lattice lattice{GetParam()};
  const int t = GetParam()[3] - 1;
  for (const Momentum n : {Momentum{0, 0, 0}, Momentum{1, -1, 2}, Momentum{-7, 0, 123}}) {
    expect_columns(
        GetParam(), [&](Field& b) { wall_source(b, t, n); },
        [&](int spin, int color) {
          return reference::plane_wave_source(lattice, {n[0], n[1], n[2], 0}, t, spin, color);
        });
    const std::array<int, 4> four{n[0], n[1], n[2], 3};
    expect_columns(
        GetParam(), [&](Field& b) { momentum_source(b, four); },
        [&](int spin, int color) { return reference::plane_wave_source(lattice, four, -1, spin, color); });
  }
}

// Half momenta are whole ones on twice the lattice.
TEST_P(Sources, WavesOfAntiperiodicQuarks) {
  const reference::Lattice lattice{GetParam()};
  const std::array<int, 4> n{1, 0, -1, 2}, half{0, 1, 0, 1}, signs{1, -1, 1, -1};
  expect_columns(
      GetParam(), [&](Field& b) { momentum_source(b, n, 0, half); },
      [&](int spin, int color) {
        auto column = reference::zero_spinor(lattice);
        for (int x = 0; x < lattice.volume(); ++x)
          column[static_cast<std::size_t>(x)][static_cast<std::size_t>(spin)]
                [static_cast<std::size_t>(color)] =
                    std::polar(1.0, lattice.angle(lattice.momentum(signs, n), x));
        return column;
      });
  EXPECT_EQ(half_momenta(signs), half);
  const int least = -(GetParam()[3] / 2), most = (GetParam()[3] - 1) / 2;
  const auto fault = [&](int n_t) { return validate_momentum({0, 0, 0, n_t}, half, GetParam()); };
  EXPECT_FALSE(fault(least));
  EXPECT_FALSE(fault(most));
  EXPECT_TRUE(fault(least - 1));
  EXPECT_TRUE(fault(most + 1));
}

// A source of columns 5 to 7, the second time over an old one.
TEST_P(Sources, GaussiansAndBoxes) {
  const reference::Lattice lattice{GetParam()};
  for (const auto& [site, width, stride] :
       {std::tuple{lattice.volume() / 3, 1.5, 1}, {lattice.volume() - 1, 0.8, 2}, {5, 40.0, 1}}) {
    const auto center = lattice.coordinates(site);
    expect_columns(
        GetParam(), [&](Field& b) { gaussian_source(b, center, width, stride); },
        [&](int spin, int color) {
          return reference::gaussian_source(lattice, center, width, stride, spin, color);
        });
  }
  const Extents& all = GetParam();
  for (const auto& [site, size, stride] : {std::tuple{lattice.volume() / 3, std::array{2, 1, 3}, 1},
                                           {lattice.volume() - 1, std::array{2, 3, 4}, 2},
                                           {7, std::array{all[0], all[1], all[2]}, 1}}) {
    const auto corner = lattice.coordinates(site);
    expect_columns(
        GetParam(), [&](Field& b) { box_source(b, corner, size, stride); },
        [&](int spin, int color) {
          return reference::box_source(lattice, corner, size, stride, spin, color);
        });
  }
}

// A field with `value(x)` in one component.
reference::SpinorField component(const reference::Lattice& lattice, int spin, int color,
                                 const std::function<double(const reference::Coordinates&)>& value) {
  reference::SpinorField field = reference::zero_spinor(lattice);
  for (int site = 0; site < lattice.volume(); ++site)
    field[site][spin][color] = value(lattice.coordinates(site));
  return field;
}

TEST_P(Sources, EvenWallsAndGrids) {
  const reference::Lattice lattice{GetParam()};
  for (const int site : {0, lattice.volume() - 1, lattice.volume() / 3}) {
    const auto at = lattice.coordinates(site);
    for (const double odd : {0.0, -1.0})
      expect_columns(
          GetParam(), [&](Field& b) { even_wall_source(b, at, odd); },
          [&](int spin, int color) {
            return component(lattice, spin, color, [&](const reference::Coordinates& x) {
              if (x[3] != at[3]) return 0.0;
              return (x[0] + x[1] + x[2] + at[0] + at[1] + at[2]) % 2 == 0 ? 1.0 : odd;
            });
          });
    // Sites of the grid by steps from the position around the lattice.
    const GridSpacing spacing{GetParam()[0], 2, GetParam()[2] / 2};
    expect_columns(
        GetParam(), [&](Field& b) { grid_source(b, at, spacing); },
        [&](int spin, int color) {
          reference::SpinorField field = reference::zero_spinor(lattice);
          for (int j = 0; j < GetParam()[1] / 2; ++j)
            for (int k = 0; k < 2; ++k)
              field[lattice.index({at[0], (at[1] + 2 * j) % GetParam()[1],
                                   (at[2] + k * spacing[2]) % GetParam()[2], at[3]})][spin][color] = 1;
          return field;
        });
  }
}

TEST_P(Sources, SomeColumns) {
  const reference::Lattice lattice{GetParam()};
  Batch expected;
  for (int i = 5; i < 8; ++i) expected.push_back(reference::point_source(lattice, 1, i / 3, i % 3));
  test::for_all_geometries(GetParam(), [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
    Field b = made(g, 3, location, [](Field& f) { wall_source(f, 0); });
    point_source(b, {1, 0, 0, 0}, 5);
    EXPECT_EQ(test::max_difference(b, expected), 0);
  });
}

INSTANTIATE_TEST_SUITE_P(Extents, Sources, testing::Values(Extents{4, 4, 4, 4}, Extents{2, 4, 6, 8}),
                         test::by_extents);

const Extents extents{4, 2, 4, 8};

// eta(x) of each site in lexicographic order, from one rank.
std::vector<reference::Complex> numbers(Noise noise, std::uint64_t seed, std::uint32_t sample,
                                        const Extents& lattice = extents) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(lattice);
  const Field b = made(g, 1, Location::host, [&](Field& f) { noise_source(f, noise, seed, sample); });
  std::vector<reference::Complex> eta(static_cast<std::size_t>(g->global_volume()));
  test::for_stored_sites(*g, [&](int parity, int s, int site) {
    eta[site] = {get_real(b, 0, parity, s, 0), get_real(b, 0, parity, s, 1)};
  });
  return eta;
}

TEST(NoiseSource, SameNumbersOnEveryGridInAllColumnsAndOnASlice) {
  const reference::Lattice lattice{extents};
  for (const Noise noise : {Noise::z2, Noise::z4, Noise::z3}) {
    const auto eta = numbers(noise, 11, 3);
    Batch everywhere(12, reference::zero_spinor(lattice)), on_slice = everywhere;
    for (std::size_t i = 0; i < 12; ++i)
      for (std::size_t site = 0; site < eta.size(); ++site) {
        everywhere[i][site][i / 3][i % 3] = eta[site];
        if (lattice.coordinates(static_cast<int>(site))[3] == 5) on_slice[i][site][i / 3][i % 3] = eta[site];
      }
    test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
      EXPECT_EQ(test::max_difference(made(g, 12, location, [&](Field& b) { noise_source(b, noise, 11, 3); }),
                                     everywhere),
                0);
      EXPECT_EQ(test::max_difference(
                    made(g, 12, location, [&](Field& b) { noise_source(b, noise, 11, 3, 5); }), on_slice),
                0);
    });
  }
}

TEST(NoiseSource, OnAGridHasTheNumbersOfTheSlice) {
  const GridSpacing spacing{2, 1, 4};
  const Extents position{3, 0, 1, 5};
  test::for_all_geometries(extents, [&](const ProcessGrid& ranks, const GeometryPtr& g, Location location) {
    const auto on_host = [&](const Fill& fill) { return test::on_host(made(g, 12, location, fill)); };
    const Field sparse =
        on_host([&](Field& b) { grid_noise_source(b, Noise::z3, 11, 3, position, spacing); });
    const Field grid = on_host([&](Field& b) { grid_source(b, position, spacing); });
    const Field slice = on_host([&](Field& b) { noise_source(b, Noise::z3, 11, 3, 5); });
    int on = 0;
    test::for_stored_sites(*g, [&](int parity, int s, int) {
      for (int r = 0; r < 2; ++r) {
        const double expected = get_real(grid, 0, parity, s, 0) * get_real(slice, 0, parity, s, r);
        EXPECT_EQ(get_real(sparse, 0, parity, s, r), expected);
        EXPECT_EQ(get_real(sparse, 7, parity, s, 14 + r), expected);
      }
      on += get_real(grid, 0, parity, s, 0) != 0;
    });
    MPI_Allreduce(MPI_IN_PLACE, &on, 1, MPI_INT, MPI_SUM, ranks.comm().mpi());
    EXPECT_EQ(on, 2 * 2 * 1);
  });
}

// Column 3 s has in spin s samples 3 k, 3 k + 1 and 3 k + 2 as its colors; the others are 0.
TEST(NoiseSource, DilutedInSpinAloneHasNumbersOfItsOwnInAllColors) {
  const reference::Lattice lattice{extents};
  const Extents position{1, 0, 0, 6};
  Batch expected(12, reference::zero_spinor(lattice));
  for (std::uint32_t color = 0; color < 3; ++color) {
    const auto eta = numbers(Noise::z4, 11, 3 * 5 + color);
    for (int site = 0; site < lattice.volume(); ++site) {
      const auto x = lattice.coordinates(site);
      if (x[3] != 6 || (x[0] - 1) % 2 != 0) continue;
      for (std::size_t spin = 0; spin < 4; ++spin) expected[3 * spin][site][spin][color] = eta[site];
    }
  }
  const Batch some{expected[5], expected[6], expected[7]};
  test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
    const auto fill = [&](int first) {
      return [=](Field& b) { spin_noise_source(b, Noise::z4, 11, 5, position, {2, 1, 1}, first); };
    };
    EXPECT_EQ(test::max_difference(made(g, 12, location, fill(0)), expected), 0);
    EXPECT_EQ(test::max_difference(made(g, 3, location, fill(5)), some), 0);
  });
}

TEST(NoiseSource, HasANameOfItsOwn) {
  for (const Noise noise : {Noise::z2, Noise::z4, Noise::u1, Noise::z3, Noise::normal})
    EXPECT_EQ(noise_named(name_of(noise)), noise);
  EXPECT_STREQ(name_of(Noise::normal), "normal");
  EXPECT_FALSE(noise_named("gaussian"));
}

// Real and imaginary parts are independent, of mean 0 and variance 1/2, and of normal deviates: the fourth
// moment of their modulus is 2.
TEST(NoiseSource, NormalDeviatesHaveTheirMoments) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  double count = 0;
  std::array<double, 6> found{};
  for (std::uint32_t sample = 0; sample < 256; ++sample)
    for (const auto& z : numbers(Noise::normal, 5, sample)) {
      const double squared = std::norm(z);
      const std::array<double, 6> terms{z.real(), z.imag(),          z.real() * z.imag(),
                                        squared,  squared * squared, z.real() * z.real()};
      for (std::size_t i = 0; i < 6; ++i) found[i] += terms[i];
      ++count;
    }
  constexpr std::array<double, 6> expected{0, 0, 0, 1, 2, 0.5}, variance{0.5, 0.5, 0.25, 1, 20, 0.5};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(found[i] / count, expected[i], 5 * std::sqrt(variance[i] / count)) << i;
}

TEST(NoiseSource, TakesEveryValueEquallyOften) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const auto count = [](Noise noise) {
    std::map<std::pair<double, double>, int> found;
    for (std::uint32_t sample = 0; sample < 64; ++sample)
      for (const auto& z : numbers(noise, 5, sample)) ++found[{z.real(), z.imag()}];
    return found;
  };
  const int all = 64 * 256;
  const auto z2 = count(Noise::z2), z4 = count(Noise::z4), z3 = count(Noise::z3);
  ASSERT_EQ(z2.size(), 2u);
  ASSERT_EQ(z4.size(), 4u);
  ASSERT_EQ(z3.size(), 3u);
  for (const auto& [value, times] : z3) {
    const reference::Complex z{value.first, value.second};
    EXPECT_LT(std::abs(z * z * z - 1.0), 1e-15);
    EXPECT_NEAR(times, all / 3, 5 * std::sqrt(all * 2 / 9.0));
  }
  for (const double sign : {1.0, -1.0}) {
    EXPECT_NEAR(z2.at({sign, 0.0}), all / 2, 5 * std::sqrt(all / 4.0));
    EXPECT_NEAR(z4.at({sign, 0.0}), all / 4, 5 * std::sqrt(all * 3 / 16.0));
    EXPECT_NEAR(z4.at({0.0, sign}), all / 4, 5 * std::sqrt(all * 3 / 16.0));
  }
}

// The average of eta(x) eta(y)^* over samples is the unit matrix, within five standard deviations; that of
// eta(x) eta(y) is too for Z2 and vanishes for others.
TEST(NoiseSource, HasUnitCovariance) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents small{2, 2, 2, 4};
  constexpr std::size_t volume = 32;
  constexpr int samples = 4096;
  for (const Noise noise : {Noise::z2, Noise::z4, Noise::z3, Noise::normal}) {
    std::vector<reference::Complex> covariance(volume * volume), pseudo(volume * volume);
    for (int sample = 0; sample < samples; ++sample) {
      const auto eta = numbers(noise, 99, static_cast<std::uint32_t>(sample), small);
      for (std::size_t x = 0; x < volume; ++x)
        for (std::size_t y = 0; y < volume; ++y) {
          covariance[x * volume + y] += eta[x] * std::conj(eta[y]) / double{samples};
          pseudo[x * volume + y] += eta[x] * eta[y] / double{samples};
        }
    }
    const double five_sigma = 5 / std::sqrt(double{samples});
    for (std::size_t x = 0; x < volume; ++x)
      for (std::size_t y = 0; y < volume; ++y) {
        const auto at = x * volume + y;
        if (x == y && (noise == Noise::z2 || noise == Noise::z4)) {
          EXPECT_EQ(covariance[at], 1.0);
        } else if (x == y) {
          EXPECT_LT(std::abs(covariance[at] - 1.0), noise == Noise::z3 ? 1e-12 : five_sigma);
        } else {
          EXPECT_LT(std::abs(covariance[at]), five_sigma);
        }
        if (noise == Noise::z2 && x == y) {
          EXPECT_EQ(pseudo[at], 1.0);
        } else if (noise == Noise::normal && x == y) {  // |eta|^4 is 2 on average
          EXPECT_LT(std::abs(pseudo[at]), std::sqrt(2.0) * five_sigma);
        } else {
          EXPECT_LT(std::abs(pseudo[at]), five_sigma);
        }
      }
  }
}

TEST(NoiseSource, DependsOnSeedAndSample) {
  const auto eta = numbers(Noise::z4, 1, 0);
  EXPECT_EQ(eta, numbers(Noise::z4, 1, 0));
  EXPECT_NE(eta, numbers(Noise::z4, 2, 0));
  EXPECT_NE(eta, numbers(Noise::z4, 1, 1));
  EXPECT_NE(eta, numbers(Noise::z4, (std::uint64_t{1} << 32) + 1, 0));
}

// Each component is the eta of a sample of its own: the same in any batch and on any grid.
TEST(RandomSource, HasNumbersOfItsOwnInEveryComponent) {
  const reference::Lattice lattice{extents};
  for (const Noise noise : {Noise::z2, Noise::z4, Noise::z3}) {
    Batch expected(3, reference::zero_spinor(lattice));
    for (std::uint32_t source = 0; source < 3; ++source)
      for (std::uint32_t c = 0; c < 12; ++c) {
        const auto eta = numbers(noise, 7, 12 * source + c);
        for (std::size_t site = 0; site < eta.size(); ++site)
          expected[source][site][c / 3][c % 3] = eta[site];
      }
    const Batch last{expected[2]};
    test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
      EXPECT_EQ(
          test::max_difference(made(g, 3, location, [&](Field& b) { random_source(b, noise, 7); }), expected),
          0);
      EXPECT_EQ(
          test::max_difference(made(g, 1, location, [&](Field& b) { random_source(b, noise, 7, 2); }), last),
          0);
    });
  }
}

TEST(SourcePosition, WhatIsOutsideIsTheCallersError) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  const auto error_of = [&](const Fill& fill, int subfields = 12) {
    return test::error_of(ErrorKind::internal, [&] { made(g, subfields, Location::host, fill); });
  };
  EXPECT_EQ(error_of([](Field& b) {
              point_source(b, {0, 2, 0, 0});
            }),
            "internal error: source position (0, 2, 0, 0) is outside the lattice 4x2x4x8");
  EXPECT_NE(error_of([](Field& b) { point_source(b, {-1, 0, 0, 0}); }), "no error");
  EXPECT_EQ(error_of([](Field& b) { wall_source(b, 8); }),
            "internal error: source on time slice 8 of the lattice 4x2x4x8");
  EXPECT_NE(error_of([](Field& b) { noise_source(b, Noise::z2, 1, 0, -1); }), "no error");
  EXPECT_EQ(error_of(
                [](Field& b) {
                  momentum_source(b, {0, 0, 0, 0}, 10);
                },
                3),
            "internal error: columns 10 to 12 of a source, but there are 12, from 0 on");
  EXPECT_EQ(error_of([](Field& b) { momentum_source(b, {0, 0, 0, 0}, 10); }, 2), "no error");
}

}  // namespace
}  // namespace plaq
