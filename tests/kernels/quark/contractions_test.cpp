// Meson and proton correlators against explicit 12x12 matrices and against all Wick contractions, on every
// process grid and location; the free theory; gauge invariance.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "core/system/error.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/mesons.hpp"
#include "tests/kernels/quark/correlators.hpp"
#include "tests/reference/correlators.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/sources.hpp"
#include "tests/support/on_lattices.hpp"

namespace plaq {
namespace {

using reference::SpinMatrix;
using test::expect_near;
using test::largest;
using test::propagator_field;

const std::vector<Momentum> momenta{{0, 0, 0}, {1, 0, 0}, {0, -1, 0}, {1, 2, -1}, {-3, 1, 0}};

// The channels again, from the reference's matrices: sink, source, weight.
struct Pair {
  SpinMatrix sink, source;
  double weight;
};
std::map<std::string, std::vector<Pair>> reference_channels() {
  using reference::gamma;
  const SpinMatrix g5 = gamma(0) * gamma(1) * gamma(2) * gamma(3);
  std::map<std::string, std::vector<Pair>> all;
  all["pion"] = {{g5, g5, 1}};
  all["a0"] = {{SpinMatrix::unit(), SpinMatrix::unit(), -1}};
  all["axial_pseudoscalar"] = {{gamma(3) * g5, g5, 1}};
  const std::string names[3] = {"rho_x", "rho_y", "rho_z"};
  for (int i = 0; i < 3; ++i) {
    const SpinMatrix axial = gamma(i) * g5, tensor = gamma(i) * gamma((i + 1) % 3);
    all["rho"].push_back({gamma(i), gamma(i), 1.0 / 3});
    all[names[i]] = {{gamma(i), gamma(i), 1}};
    all["a1"].push_back({axial, axial, 1.0 / 3});
    all["b1"].push_back({tensor, tensor, 1.0 / 3});
  }
  return all;
}

class Contractions : public test::OnLattices {};

TEST_P(Contractions, MesonsMatchTheMatrices) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(51);
  const auto s1 = reference::random_propagator(lattice, generator);
  const auto s2 = reference::random_propagator(lattice, generator);
  const auto channels = meson_channels();
  const auto theirs = reference_channels();
  ASSERT_EQ(channels.size(), theirs.size());
  const auto source = lattice.coordinates(lattice.volume() * 5 / 7);
  for (const bool degenerate : {true, false}) {
    const auto expected = test::from_first_rank([&] {
      Correlators all;  // [channel][momentum]
      for (const auto& channel : channels) {
        all.emplace_back();
        for (const auto& n : momenta) {
          reference::CorrelatorInTime sum(static_cast<std::size_t>(GetParam()[3]));
          for (const auto& pair : theirs.at(channel.name)) {
            const auto c =
                reference::meson(lattice, s1, degenerate ? s1 : s2, pair.sink, pair.source, n, source);
            for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += pair.weight * c[t];
          }
          all.back().push_back(sum);
        }
      }
      return all;
    });
    const double scale = largest(
        reference::meson(lattice, s1, s1, reference::gamma5(), reference::gamma5(), {0, 0, 0}, source));
    const auto contract = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      MesonContraction contraction(grid, g, channels, momenta, Queue(location));
      const Field f1 = propagator_field(s1, g, location), f2 = propagator_field(s2, g, location);
      const Correlators c = degenerate ? contraction(f1, source) : contraction(f1, f2, source);
      expect_near(c, expected, 1e-13 * scale);
      return c;
    };
    test::for_all_geometries(GetParam(), test::same_as_alone(GetParam(), contract));
  }
}

TEST_P(Contractions, ProtonMatchesAllContractions) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(52);
  const auto up = reference::random_propagator(lattice, generator);
  const auto down = reference::random_propagator(lattice, generator);
  const auto source = lattice.coordinates(lattice.volume() * 5 / 7);
  const std::vector<Momentum> some{{0, 0, 0}, {1, 2, -1}};
  for (const bool degenerate : {true, false}) {
    const auto expected = test::from_first_rank([&] {
      Correlators all;
      for (const double parity : {1.0, -1.0}) {
        all.emplace_back();
        const SpinMatrix projector =
            reference::Complex(0.5) * (SpinMatrix::unit() + reference::Complex(parity) * reference::gamma(3));
        for (const auto& n : some)
          all.back().push_back(
              reference::proton(lattice, up, degenerate ? up : down, projector, n, source, -1));
      }
      return all;
    });
    double scale = 0;
    for (const auto& of_parity : expected)
      for (const auto& c : of_parity) scale = std::max(scale, largest(c));
    const auto contract = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      ProtonContraction contraction(grid, g, some, Queue(location));
      const Field u = propagator_field(up, g, location), d = propagator_field(down, g, location);
      const Correlators c = degenerate ? contraction(u, source, -1) : contraction(u, d, source, -1);
      expect_near(c, expected, 1e-12 * scale);
      return c;
    };
    test::for_all_geometries(GetParam(), test::same_as_alone(GetParam(), contract));
  }
}

TEST_P(Contractions, PionIsTheSumOfSquares) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(53);
  const auto s = reference::random_propagator(lattice, generator);
  const Extents source{1, 0, 1, 2};
  test::for_all_geometries(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Queue queue(location);
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      const Field f = propagator_field(s, g, location, precision);
      MesonContraction contraction(grid, g, {meson_channel("pion")}, {{0, 0, 0}}, queue);
      const Correlators c = contraction(f, source);
      const auto norms = blas::slice_norms(f, queue);
      const int local = g->local()[3], slices = g->global()[3];
      std::vector<ExactSum> sums(static_cast<std::size_t>(slices));
      for (std::size_t i = 0; i < norms.size(); ++i)
        sums[static_cast<std::size_t>(g->offset()[3]) + i % static_cast<std::size_t>(local)].merge(norms[i]);
      const auto expected = global_sums(grid, sums);
      for (int t = 0; t < slices; ++t) {
        const auto z = c[0][0][(t - source[3] + slices) % slices];
        EXPECT_NEAR(z.real() / expected[t], 1, 1e-14);
      }
    }
  });
}

TEST(Momenta, EachOfTheLatticeOnce) {
  const Extents extents{4, 5, 2, 8};
  const auto all = momenta_up_to(100, extents);
  EXPECT_EQ(all.size(), 4u * 5 * 2);
  std::set<std::array<int, 3>> classes;
  for (const Momentum& n : all) {
    EXPECT_EQ(validate_momentum(n, extents), std::nullopt);
    classes.insert({(n[0] + 4) % 4, (n[1] + 5) % 5, (n[2] + 2) % 2});
  }
  EXPECT_EQ(classes.size(), all.size());
  EXPECT_EQ(momenta_up_to(1, {8, 8, 8, 8}),
            (std::vector<Momentum>{
                {0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}}));
  EXPECT_EQ(momenta_up_to(0, {1, 1, 1, 1}), (std::vector<Momentum>{{0, 0, 0}}));
}

TEST(Momenta, BeyondHalfTheLatticeAreOthers) {
  const Extents extents{4, 5, 6, 8};
  EXPECT_EQ(validate_momentum({-2, 2, 3}, extents), std::nullopt);
  EXPECT_EQ(validate_momentum({3, 0, 0}, extents),
            "n_x = 3 is the momentum n_x = -1 on the lattice 4x5x6x8: |n_x| is at most 2");
  EXPECT_EQ(validate_momentum({0, 0, -4}, extents),
            "n_z = -4 is the momentum n_z = 2 on the lattice 4x5x6x8: |n_z| is at most 3");
  EXPECT_NE(validate_momentum({0, std::numeric_limits<int>::min(), 0}, extents), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Extents, Contractions, testing::Values(Extents{4, 4, 4, 4}, Extents{2, 4, 6, 8}),
                         test::by_extents);

reference::WilsonParameters wilson(double mass) { return {mass, 1.0, 1.0, {1, 1, 1, -1}}; }

TEST(FreeQuarks, PionIsTheMomentumSumAndPcacGivesTheMass) {
  const Extents extents{4, 4, 4, 12};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  const auto parameters = wilson(0.3);
  const auto expected = reference::free_pion(parameters, lattice);
  const Extents position{1, 3, 2, 5};
  const auto s = test::from_first_rank([&] {
    return reference::propagator(parameters, reference::unit_gauge(lattice), lattice.index(position));
  });
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Queue queue(location);
    const Field f = propagator_field(s, g, location);
    MesonContraction mesons(grid, g, meson_channels(), {{0, 0, 0}}, queue);
    const Correlators c = mesons(f, position);
    std::map<std::string, std::vector<std::complex<double>>> by_name;
    for (std::size_t i = 0; i < c.size(); ++i) by_name[mesons.channels()[i].name] = c[i][0];
    const auto &pion = by_name["pion"], &axial = by_name["axial_pseudoscalar"];
    for (std::size_t t = 0; t < 12; ++t) EXPECT_NEAR(pion[t].real() / expected[t], 1, 1e-10) << "t " << t;
    // m = d_t C_AP / (2 C_PP) where the quark with p = 0 dominates. There it obeys the free equation of
    // motion: its energy is log(1 + m), and the ratio of the symmetric derivative is sinh(2 E) / 2.
    const double energy = std::log(1.3), mass = std::sinh(2 * energy) / 2;
    EXPECT_NEAR(((axial[6] - axial[4]) / (4.0 * pion[5])).real(), mass, 0.01 * mass);
    EXPECT_LT(axial[3].real() * axial[9].real(), 0);  // odd under time reversal
    for (const char* name : {"pion", "rho", "rho_x", "rho_y", "rho_z"})
      for (std::size_t t = 1; t < 12; ++t) EXPECT_GT(by_name[name][t].real(), 0) << name << " t " << t;
    for (const char* name : {"a0", "a1", "b1"}) EXPECT_GT(by_name[name][1].real(), 0) << name;

    // Time reversal: what comes back in one channel is what went up in the other.
    ProtonContraction proton(grid, g, {{0, 0, 0}}, queue);
    const Correlators p = proton(f, position, -1);
    for (std::size_t t = 1; t < 6; ++t) {
      EXPECT_GT(p[0][0][t].real(), 0) << "t " << t;
      EXPECT_LT(p[1][0][t].real(), 0) << "t " << t;
      EXPECT_NEAR(p[0][0][t].real() / p[1][0][12 - t].real(), -1, 1e-10) << "t " << t;
    }
  });
}

TEST(Correlators, ProtonDoesNotKnowWhereTheSourceIs) {
  const Extents extents{4, 2, 2, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  const std::vector<Extents> positions{{0, 0, 0, 0}, {2, 1, 0, 5}};
  std::vector<reference::Propagator> propagators;
  for (const Extents& position : positions)
    propagators.push_back(test::from_first_rank([&] {
      return reference::propagator(wilson(0.5), reference::unit_gauge(lattice), lattice.index(position));
    }));
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    ProtonContraction proton(grid, g, {{0, 0, 0}, {1, 0, 0}}, Queue(location));
    const Correlators first = proton(propagator_field(propagators[0], g, location), positions[0], -1);
    const Correlators second = proton(propagator_field(propagators[1], g, location), positions[1], -1);
    expect_near(second, first, 1e-11 * std::abs(first[0][0][0]));
  });
}

// Every correlator of a point source and of a smeared source and sink is the same on the transformed field.
TEST(Correlators, AreGaugeInvariant) {
  const Extents extents{2, 4, 2, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(54);
  const auto gauge = reference::random_gauge(lattice, generator);
  const auto transformed =
      reference::transformed(gauge, reference::random_transformation(lattice, generator));
  const auto propagator = [&](const reference::GaugeField& u, int smeared) {
    reference::Propagator s;
    for (int i = 0; i < 12; ++i) {
      auto b = reference::point_source(lattice, 9, i / 3, i % 3);
      if (smeared != 0) b = reference::gaussian_smeared(u, b, 1.2, 3);
      auto& column = s[i];
      column = reference::solve(wilson(2.0), u, b).x;
      if (smeared != 0) column = reference::gaussian_smeared(u, column, 1.2, 3);
    }
    return s;
  };
  const auto source = lattice.coordinates(9);
  for (const int smeared : {0, 1}) {
    const auto s = test::from_first_rank([&] { return propagator(gauge, smeared); }),
               rotated = test::from_first_rank([&] { return propagator(transformed, smeared); });
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      if (g->decomposition().forced != 0) return;
      const std::vector<Momentum> some{{0, 0, 0}, {0, 1, 0}};
      MesonContraction mesons(grid, g, meson_channels(), some, Queue(location));
      ProtonContraction proton(grid, g, some, Queue(location));
      const Field f = propagator_field(s, g, location), f_rotated = propagator_field(rotated, g, location);
      const Correlators m = mesons(f, source), p = proton(f, source, -1);
      expect_near(mesons(f_rotated, source), m, 1e-11 * std::abs(m[0][0][0]));
      expect_near(proton(f_rotated, source, -1), p, 1e-11 * std::abs(p[0][0][0]));
    });
  }
}

TEST(Correlators, RefuseWhatIsNoPropagator) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry({2, 2, 2, 2}), other = self.geometry({2, 2, 2, 2});
  const Queue queue(Location::host);
  MesonContraction mesons(self, g, {meson_channel("pion")}, {{0, 0, 0}}, queue);
  const auto field = [](const GeometryPtr& where, int subfields, Subset subset) {
    return Field(where, spinor_spec(subset, subfields, Precision::double_precision, Location::host));
  };
  EXPECT_NO_THROW(mesons(field(g, 12, Subset::full), {1, 1, 1, 1}));
  EXPECT_THROW(mesons(field(g, 12, Subset::full), {2, 1, 1, 1}), Error);
  EXPECT_THROW(mesons(field(g, 11, Subset::full), {1, 1, 1, 1}), Error);
  EXPECT_THROW(mesons(field(g, 12, Subset::even), {1, 1, 1, 1}), Error);
  EXPECT_THROW(mesons(field(other, 12, Subset::full), {1, 1, 1, 1}), Error);
  EXPECT_THROW(meson_channel("eta"), Error);
}

}  // namespace
}  // namespace plaq
