// Local staggered mesons against the sum over all sites, on every process grid and location; their phases
// against spin and taste matrices; the free theory; shifts by one site; sources of color vectors.
#include "kernels/quark/staggered_mesons.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "kernels/quark/sources.hpp"
#include "tests/kernels/quark/correlators.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/staggered_correlators.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/on_lattices.hpp"

namespace plaq::staggered_mesons_test {
namespace {

using reference::SpinMatrix;
using test::expect_near;
using test::largest;
using test::propagator_field;
using ColorBatch = std::vector<reference::ColorField>;
using Signs = std::vector<std::array<int, 3>>;

const std::vector<Momentum> momenta{{0, 0, 0}, {1, 0, 0}, {0, -1, 0}, {1, 2, -1}, {-3, 1, 0}};

// The channels again: the directions whose signs are multiplied, term by term.
const std::map<std::string, Signs> signs_of{
    {"pion_ps", {{0, 0, 0}}},
    {"pion_sc", {{1, 1, 1}}},
    {"rho_vt", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"rho_vt_x", {{1, 0, 0}}},
    {"rho_vt_y", {{0, 1, 0}}},
    {"rho_vt_z", {{0, 0, 1}}},
    {"rho_pv", {{1, 1, 0}, {1, 0, 1}, {0, 1, 1}}},
    {"rho_pv_x", {{0, 1, 1}}},
    {"rho_pv_y", {{1, 0, 1}}},
    {"rho_pv_z", {{1, 1, 0}}},
};

reference::ColorPropagator random_propagator(const reference::Lattice& lattice, unsigned seed) {
  reference::Generator generator(seed);
  reference::ColorPropagator s;
  for (auto& column : s) column = reference::random_colors(lattice, generator);
  return s;
}

// Source at a point, or numbers on sites.
template <class Source>
reference::ColorPropagator propagator(const reference::StaggeredParameters& parameters,
                                      const reference::StaggeredLinks& links, const Source& source) {
  return test::from_first_rank([&] { return reference::staggered_propagator(parameters, links, source); });
}

// On this rank's sites.
void expect_exactly(const Field& field, const ColorBatch& expected) {
  const auto found = test::to_reference<reference::ColorField>(field);
  ASSERT_EQ(found.size(), expected.size());
  test::for_stored_sites(field.geometry(), [&](int, int, int site) {
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i][site], expected[i][site]) << "column " << i << ", site " << site;
  });
}

// All channels at p = 0 by name.
std::map<std::string, std::vector<std::complex<double>>> contracted(const ProcessGrid& grid,
                                                                    const GeometryPtr& g, const Field& s,
                                                                    const Extents& source) {
  StaggeredMesonContraction mesons(grid, g, staggered_channels(), {{0, 0, 0}}, Queue(s.location()));
  const Correlators c = mesons(s, source);
  std::map<std::string, std::vector<std::complex<double>>> by_name;
  for (std::size_t i = 0; i < c.size(); ++i) by_name[mesons.channels()[i].name] = c[i][0];
  return by_name;
}

class StaggeredMesons : public test::OnLattices {};

TEST_P(StaggeredMesons, MatchTheSumOverSites) {
  const reference::Lattice lattice{GetParam()};
  const auto s = random_propagator(lattice, 61);
  const auto channels = staggered_channels();
  ASSERT_EQ(channels.size(), signs_of.size());
  for (const int site : {0, lattice.volume() * 5 / 7, lattice.volume() - 1}) {
    const auto source = lattice.coordinates(site);
    const auto expected = test::from_first_rank([&] {
      Correlators all;
      for (const auto& channel : channels) {
        all.emplace_back();
        for (const auto& p : momenta)
          all.back().push_back(reference::staggered_meson(lattice, s, signs_of.at(channel.name), p, source));
      }
      return all;
    });
    const double scale = largest(expected[0][0]);
    const auto contract = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      StaggeredMesonContraction contraction(grid, g, channels, momenta, Queue(location));
      const Correlators c = contraction(propagator_field(s, g, location), source);
      expect_near(c, expected, 1e-13 * scale);
      for (const auto& channel : c)
        for (const auto& z : channel[0]) EXPECT_EQ(z.imag(), 0);
      return c;
    };
    test::for_all_geometries(GetParam(), test::same_as_alone(GetParam(), contract));
  }
}

TEST_P(StaggeredMesons, OfTwoQuarks) {
  const reference::Lattice lattice{GetParam()};
  const auto s1 = random_propagator(lattice, 63), s2 = random_propagator(lattice, 64);
  const auto channels = staggered_channels();
  const auto source = lattice.coordinates(lattice.volume() * 5 / 7);
  const auto expected = test::from_first_rank([&] {
    Correlators all;
    for (const auto& channel : channels) {
      all.emplace_back();
      for (const auto& p : momenta)
        all.back().push_back(
            reference::staggered_meson(lattice, s1, s2, signs_of.at(channel.name), p, source));
    }
    return all;
  });
  const double scale = largest(reference::staggered_meson(lattice, s1, {{0, 0, 0}}, {0, 0, 0}, source));
  test::for_all_geometries(
      GetParam(),
      test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        StaggeredMesonContraction contraction(grid, g, channels, momenta, Queue(location));
        const Field first = propagator_field(s1, g, location), second = propagator_field(s2, g, location),
                    again = propagator_field(s1, g, location);
        const Correlators c = contraction(first, second, source);
        expect_near(c, expected, 1e-13 * scale);
        EXPECT_EQ(contraction(first, again, source), contraction(first, source));  // equal numbers
        return c;
      }));
}

TEST_P(StaggeredMesons, SumSinglePrecisionInDouble) {
  const reference::Lattice lattice{GetParam()};
  auto s = random_propagator(lattice, 62);
  for (auto& column : s)
    for (auto& site : column)
      for (auto& z : site) z = {static_cast<float>(z.real()), static_cast<float>(z.imag())};
  const Extents source{1, 1, 0, 2};
  test::for_all_geometries(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    EXPECT_EQ(contracted(grid, g, propagator_field(s, g, location, Precision::single_precision), source),
              contracted(grid, g, propagator_field(s, g, location), source));
  });
}

INSTANTIATE_TEST_SUITE_P(Extents, StaggeredMesons, testing::Values(Extents{4, 4, 4, 4}, Extents{2, 4, 6, 8}),
                         test::by_extents);

// chibar eps phi chi has the spin and taste that the header says, and so has its partner with (-1)^t.
TEST(StaggeredPhases, AreThoseOfSpinAndTaste) {
  using reference::gamma;
  const SpinMatrix one = SpinMatrix::unit(), g5 = gamma(0) * gamma(1) * gamma(2) * gamma(3), gt = gamma(3);
  struct Pair {
    SpinMatrix named, partner;
  };
  std::map<std::string, Pair> pairs{{"pion_ps", {g5, gt}}, {"pion_sc", {gt * g5, one}}};
  for (int k = 0; k < 3; ++k) {
    const std::string name(1, "xyz"[k]);
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    pairs["rho_vt_" + name] = {gamma(k), gamma(i) * gamma(j)};
    pairs["rho_pv_" + name] = {gamma(k) * gt, gamma(k) * g5};
  }
  const reference::Lattice cube{{2, 2, 2, 2}};
  for (const auto& [name, pair] : pairs) {
    SCOPED_TRACE(name);
    const auto channel = staggered_channel(name);
    ASSERT_EQ(channel.corners.size(), 1u);
    for (const bool named : {true, false}) {
      std::array<int, 2> signs_of_time{};
      for (int site = 0; site < 16; ++site) {
        const auto x = cube.coordinates(site);
        const auto phase = reference::spin_taste_phase(x, named ? pair.named : pair.partner);
        int exponent = x[0] + x[1] + x[2] + x[3];
        for (std::size_t k = 0; k < 3; ++k) exponent += channel.corners[0][k] * x[k];
        const double ours = exponent % 2 == 0 ? 1 : -1;
        EXPECT_NEAR(std::abs(phase), 1, 1e-14);
        const int sign = (phase * ours).real() > 0 ? 1 : -1;
        auto& of_time = signs_of_time[x[3]];
        if (of_time == 0) of_time = sign;
        EXPECT_EQ(of_time, sign);
      }
      EXPECT_EQ(signs_of_time[0], 1);
      EXPECT_EQ(signs_of_time[1], named ? 1 : -1);
    }
  }
}

TEST(FreeStaggeredQuarks, MatchTheMomentumSums) {
  const Extents extents{4, 4, 4, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  const reference::StaggeredParameters parameters{0.3, {1, 1, 1, -1}, 0};
  const reference::StaggeredLinks links{reference::unit_gauge(lattice), reference::unit_gauge(lattice)};
  std::map<std::string, std::vector<double>> expected;
  for (const auto& [name, signs] : signs_of)
    expected[name] = reference::free_staggered_meson(parameters, lattice, signs);
  for (const Extents& source : {Extents{0, 0, 0, 0}, Extents{1, 3, 2, 5}}) {
    const auto s = propagator(parameters, links, lattice.index(source));
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      for (const auto& [name, c] : contracted(grid, g, propagator_field(s, g, location), source))
        for (std::size_t t = 0; t < c.size(); ++t)
          EXPECT_NEAR(c[t].real(), expected.at(name)[t], 1e-11 * expected.at("pion_ps")[0])
              << name << " " << t;
    });
  }
}

// Two sites in each direction of space know p = 0 and pi alone, where sin p vanishes: every quark has the
// energy E = asinh(m), and the pion is cosh(2 E (T/2 - t)) but for what goes around in time once, which
// alternates.
TEST(FreeStaggeredQuarks, PionHasTheMassOfTwoQuarks) {
  const Extents extents{2, 2, 2, 32};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  const double mass = 0.2, energy = std::asinh(mass);
  const reference::StaggeredLinks links{reference::unit_gauge(lattice), reference::unit_gauge(lattice)};
  const Extents source{1, 0, 1, 3};
  const auto s = propagator({mass, {1, 1, 1, -1}, 0}, links, lattice.index(source));
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const auto pion = contracted(grid, g, propagator_field(s, g, location), source).at("pion_ps");
    const auto shape = [&](int t) { return std::cosh(2 * energy * (16 - t)) - (t % 2 == 0 ? 1 : -1); };
    for (int t = 0; t < 32; ++t) {
      const double ratio = pion[t].real() / pion[1].real();
      EXPECT_NEAR(ratio, shape(t) / shape(1), 1e-10) << "t " << t;
    }
  });
}

// Random links, all moved by one site, and the source with them.
TEST(StaggeredCorrelators, AreTheSameOnALatticeMovedByOneSite) {
  const Extents extents{2, 4, 2, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(63);
  const reference::StaggeredParameters parameters{0.4, {1, 1, 1, -1}, -0.1};
  const reference::StaggeredLinks links{reference::random_gauge(lattice, generator),
                                        reference::random_gauge(lattice, generator)};
  const int site = 9;
  const auto s = test::from_first_rank([&] { return reference::dense_propagator(parameters, links, site); });
  for (int nu = 0; nu < 4; ++nu) {
    const int end = lattice.forward(site, nu);
    const auto other = propagator(parameters, reference::moved(links, nu), end);
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      if (g->decomposition().forced != 0) return;
      const auto here = contracted(grid, g, propagator_field(s, g, location), lattice.coordinates(site));
      const auto there = contracted(grid, g, propagator_field(other, g, location), lattice.coordinates(end));
      for (const auto& [name, c] : here) expect_near(there.at(name), c, 1e-11 * largest(here.at("pion_ps")));
      // Not an empty test: the phases matter.
      EXPECT_GT(std::abs(here.at("rho_vt_x")[0] - here.at("pion_ps")[0]), 1e-3 * largest(here.at("pion_ps")));
    });
  }
}

// A source on the corners of the cubes has phi of a point: the quark of a free theory without momentum goes
// to all-even distances and, one step on, along t alone, so that all channels agree but for their number of
// terms.
TEST(StaggeredSources, CornerWall) {
  const Extents extents{4, 2, 4, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  const Extents corner{1, 0, 3, 5};
  ColorBatch expected(3, reference::ColorField(lattice.volume()));
  std::vector<reference::Complex> numbers(static_cast<std::size_t>(lattice.volume()));
  for (int site = 0; site < lattice.volume(); ++site) {
    const auto x = lattice.coordinates(site);
    if (x[3] != 5 || x[0] % 2 != 1 || x[1] % 2 != 0 || x[2] % 2 != 1) continue;
    numbers[site] = 1.0;
    for (std::size_t color = 0; color < 3; ++color) expected[color][site][color] = 1.0;
  }
  const reference::StaggeredLinks links{reference::unit_gauge(lattice), reference::unit_gauge(lattice)};
  const auto s = propagator({0.3, {1, 1, 1, -1}, 0}, links, numbers);
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      Field b(g, staggered_spec(Subset::full, 3, precision, location));
      corner_wall_source(b, corner);
      expect_exactly(b, expected);
    }
    const auto c = contracted(grid, g, propagator_field(s, g, location), corner);
    const double scale = largest(c.at("pion_ps"));
    for (const auto& [name, one] : c) {
      auto all = c.at("pion_ps");
      for (auto& z : all) z *= static_cast<double>(signs_of.at(name).size());
      expect_near(one, all, 1e-11 * scale);
    }
  });
}

TEST(StaggeredSources, HaveThreeColumns) {
  const Extents extents{4, 2, 4, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  Field spinors(self.geometry(extents),
                spinor_spec(Subset::full, 1, Precision::double_precision, Location::host));
  const auto check = [&](const std::function<void(Field&, int first)>& fill) {
    // The first component of spinors, which other tests know.
    fill(spinors, 0);
    ColorBatch expected(3, reference::ColorField(lattice.volume()));
    test::for_stored_sites(spinors.geometry(), [&](int parity, int s, int site) {
      for (std::size_t color = 0; color < 3; ++color)
        expected[color][site][color] = {get_real(spinors, 0, parity, s, 0),
                                        get_real(spinors, 0, parity, s, 1)};
    });
    test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
      Field b(g, staggered_spec(Subset::full, 3, Precision::double_precision, location));
      fill(b, 0);
      expect_exactly(b, expected);
      Field last(g, staggered_spec(Subset::full, 1, Precision::double_precision, location));
      fill(last, 2);
      expect_exactly(last, {expected[2]});
    });
  };
  check([](Field& b, int first) { point_source(b, {3, 1, 2, 5}, first); });
  check([](Field& b, int first) { wall_source(b, 3, {0, 0, 0}, first); });
  check([](Field& b, int first) { wall_source(b, 3, {1, -1, 2}, first); });
  for (const Noise noise : {Noise::z2, Noise::z4})
    check([&](Field& b, int first) { noise_source(b, noise, 17, 4, 6, first); });

  Field b(self.geometry(extents),
          staggered_spec(Subset::full, 3, Precision::double_precision, Location::host));
  EXPECT_EQ(test::error_of(ErrorKind::internal,
                           [&] {
                             point_source(b, {0, 0, 0, 0}, 1);
                           }),
            "internal error: columns 1 to 3 of a source, but there are 3, from 0 on");
  EXPECT_THROW(corner_wall_source(b, {4, 0, 0, 0}), Error);
}

TEST(StaggeredCorrelators, RefuseWhatIsNoPropagator) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry({2, 2, 2, 2}), other = self.geometry({2, 2, 2, 2});
  StaggeredMesonContraction mesons(self, g, {staggered_channel("pion_ps")}, {{0, 0, 0}},
                                   Queue(Location::host));
  const auto field = [](const GeometryPtr& where, int subfields, Subset subset) {
    return Field(where, staggered_spec(subset, subfields, Precision::double_precision, Location::host));
  };
  EXPECT_NO_THROW(mesons(field(g, 3, Subset::full), {1, 1, 1, 1}));
  EXPECT_THROW(mesons(field(g, 3, Subset::full), {2, 1, 1, 1}), Error);
  EXPECT_THROW(mesons(field(g, 12, Subset::full), {1, 1, 1, 1}), Error);
  EXPECT_THROW(mesons(field(g, 3, Subset::even), {1, 1, 1, 1}), Error);
  EXPECT_THROW(mesons(field(other, 3, Subset::full), {1, 1, 1, 1}), Error);
  EXPECT_THROW(mesons(Field(g, spinor_spec(Subset::full, 12, Precision::double_precision, Location::host)),
                      {1, 1, 1, 1}),
               Error);
  EXPECT_THROW(staggered_channel("pion"), Error);
}

TEST(ReferenceStaggered, ConjugateGradientsInvertTheMatrix) {
  const reference::Lattice lattice{{2, 2, 2, 4}};
  reference::Generator generator(64);
  const reference::StaggeredLinks links{reference::random_gauge(lattice, generator),
                                        reference::random_gauge(lattice, generator)};
  const reference::StaggeredParameters parameters{0.4, {1, 1, 1, -1}, -0.1};
  const auto dense = reference::dense_propagator(parameters, links, 5);
  const auto iterated = reference::staggered_propagator(parameters, links, 5);
  for (std::size_t i = 0; i < 3; ++i) {
    auto off = dense[i];
    reference::add(off, -1.0, iterated[i]);
    EXPECT_LT(std::sqrt(reference::dot(off, off).real()), 1e-11);
  }
}

}  // namespace
}  // namespace plaq::staggered_mesons_test
