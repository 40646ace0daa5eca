// Mesons with spin and taste: names and phases of all bilinears, symmetric shifts against all paths, mesons
// against traces of the whole inverse, those without a shift against local mesons, and the free theory, where
// tastes are degenerate.
#include "observables/quark/taste_mesons.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "tests/kernels/quark/correlators.hpp"
#include "tests/reference/spin_taste.hpp"
#include "tests/support/shared_lattice.hpp"
#include "tests/support/world.hpp"

namespace plaq::taste_mesons_test {
namespace {

using Columns = std::vector<reference::ColorField>;
using reference::Exponents;

const Extents extents{2, 4, 2, 4};
const Extents source{1, 2, 0, 3};
const reference::StaggeredParameters parameters{0.4, {1, -1, 1, -1}, 0};
const std::vector<Momentum> momenta{{0, 0, 0}, {0, 1, 0}};

Exponents exponents_of(unsigned bits) {
  return {static_cast<int>(bits & 1u), static_cast<int>(bits >> 1 & 1u), static_cast<int>(bits >> 2 & 1u),
          static_cast<int>(bits >> 3 & 1u)};
}

std::vector<TasteChannel> all_pairs() {
  std::vector<TasteChannel> all;
  for (unsigned spin = 0; spin < 16; ++spin)
    for (unsigned taste = 0; taste < 16; ++taste) {
      const SpinTaste one{exponents_of(spin), exponents_of(taste)};
      all.push_back({one.name(), {one}});
    }
  return all;
}

TEST(SpinTaste, HasANameForEachPair) {
  std::set<std::string> names;
  for (const TasteChannel& channel : all_pairs()) {
    names.insert(channel.name);
    const auto found = taste_channel(channel.name);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->terms.size(), 1);
    EXPECT_EQ(found->terms[0].spin, channel.terms[0].spin);
    EXPECT_EQ(found->terms[0].taste, channel.terms[0].taste);
  }
  EXPECT_EQ(names.size(), 256);
  EXPECT_TRUE(names.contains("G5-G5X"));
  for (const char* wrong : {"", "G5", "G5-", "-G5", "G5-G6", "G5_G5", "GX-GXX", "pion", "G5-G5-G5"})
    EXPECT_FALSE(taste_channel(wrong)) << wrong;
}

TEST(SpinTaste, MultipletsHaveTheLinksOfTheirNames) {
  const std::map<std::string, int> links = {{"pion_5", 0},  {"pion_05", 0}, {"pion_i5", 1}, {"pion_ij", 1},
                                            {"pion_i0", 2}, {"pion_i", 2},  {"pion_0", 3},  {"pion_s", 3},
                                            {"rho_i", 0},   {"rho_i0", 0},  {"rho_is", 1},  {"rho_0", 1}};
  ASSERT_EQ(taste_multiplets().size(), links.size());
  for (const std::string& name : taste_multiplets()) {
    const auto channel = taste_channel(name);
    for (const SpinTaste& one : channel->terms) {
      EXPECT_EQ(std::popcount(one.shift()), links.at(name)) << name;
      EXPECT_EQ(one.shift() >> 3, 0) << name << " joins time slices";
      EXPECT_EQ(one.sign(), 1) << name;
    }
  }
}

TEST(SpinTaste, PhasesAreTraces) {
  for (const TasteChannel& channel : all_pairs()) {
    const SpinTaste& one = channel.terms[0];
    const auto constant = reference::spin_taste_phase({0, 0, 0, 0}, one.spin, one.taste);
    EXPECT_NEAR(std::abs(constant), 1, 1e-15);
    for (unsigned bits = 0; bits < 16; ++bits) {
      const Exponents x = exponents_of(bits), n = one.phase();
      const int sum = n[0] * x[0] + n[1] * x[1] + n[2] * x[2] + n[3] * x[3];
      EXPECT_LT(std::abs(reference::spin_taste_phase(x, one.spin, one.taste) -
                         (sum % 2 == 0 ? 1.0 : -1.0) * constant),
                1e-15)
          << channel.name;
    }
  }
}

// Quarks of a source and of all its shifts.
struct Quarks {
  Columns b, s;
  std::map<unsigned, Columns> x;
};

Columns times(const reference::ComplexDense& inverse, const Columns& b) {
  Columns all;
  for (const auto& column : b) all.push_back(reference::times(inverse, column));
  return all;
}

Columns shifted(const reference::GaugeField& gauge, unsigned shift, const Columns& in) {
  Columns all;
  for (const auto& column : in)
    all.push_back(reference::symmetric_shift(gauge, parameters.boundary, exponents_of(shift), column));
  return all;
}

Quarks quarks_of(const reference::ComplexDense& inverse, const reference::GaugeField& gauge,
                 const Columns& b) {
  Quarks all{b, times(inverse, b), {}};
  for (unsigned shift = 1; shift < 16; ++shift) all.x[shift] = times(inverse, shifted(gauge, shift, b));
  return all;
}

Field color_field(const Columns& columns, const GeometryPtr& g, Location location) {
  return test::to_plaq(columns, g, Subset::full, Precision::double_precision, location);
}

Correlators mesons_of(const std::vector<TasteChannel>& channels, const Quarks& quarks,
                      const reference::GaugeField& gauge, const ProcessGrid& grid, const GeometryPtr& g,
                      Location location) {
  TasteMesons mesons(test::lattice_on(grid, g, location), channels, momenta);
  mesons.set_links(test::to_plaq(gauge, g, Precision::double_precision, location), parameters.boundary);
  Correlators sums = mesons.none();
  const Field s = color_field(quarks.s, g, location);
  for (const unsigned shift : mesons.shifts())
    mesons.add(sums, shift, shift == 0 ? s : color_field(quarks.x.at(shift), g, location), s, source);
  return sums;
}

reference::StaggeredLinks thin(const reference::GaugeField& gauge) { return {gauge, gauge}; }

Columns point() {
  const reference::Lattice lattice{extents};
  Columns b(3, reference::ColorField(lattice.volume()));
  for (int color = 0; color < 3; ++color) b[color][lattice.index(source)][color] = 1;
  return b;
}

class TasteMesonsOnALattice : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  }
};

TEST_F(TasteMesonsOnALattice, ShiftAlongAllPaths) {
  const reference::Lattice lattice{extents};
  reference::Generator generator{81};
  const auto gauge = reference::random_gauge(lattice, generator);
  const Columns in = {reference::random_colors(lattice, generator),
                      reference::random_colors(lattice, generator)};
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    TasteMesons mesons(test::lattice_on(grid, g, location), {*taste_channel("G5-G5")}, {{0, 0, 0}});
    mesons.set_links(test::to_plaq(gauge, g, Precision::double_precision, location), parameters.boundary);
    for (const unsigned shift : {0u, 1u, 6u, 11u, 15u}) {
      const auto found =
          test::to_reference<reference::ColorField>(mesons.shifted(color_field(in, g, location), shift));
      const Columns expected = shifted(gauge, shift, in);
      test::for_stored_sites(*g, [&](int, int, int site) {
        for (std::size_t i = 0; i < in.size(); ++i)
          for (std::size_t a = 0; a < 3; ++a)
            EXPECT_LT(std::abs(found[i][site][a] - expected[i][site][a]), 1e-14) << "shift " << shift;
      });
    }
  });
}

TEST_F(TasteMesonsOnALattice, AreTracesOfTheInverse) {
  const reference::Lattice lattice{extents};
  reference::Generator generator{82};
  const auto gauge = reference::random_gauge(lattice, generator);
  const auto channels = all_pairs();
  const reference::ComplexDense inverse = reference::dense_inverse(parameters, thin(gauge));
  const Quarks quarks = quarks_of(inverse, gauge, point());
  Correlators expected;
  for (const TasteChannel& channel : channels) {
    expected.emplace_back();
    for (const Momentum& n : momenta)
      expected.back().push_back(reference::taste_meson(
          inverse, gauge, parameters.boundary, channel.terms[0].spin, channel.terms[0].taste, n, source));
  }
  test::for_all_geometries(
      extents,
      test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        const Correlators found = mesons_of(channels, quarks, gauge, grid, g, location);
        test::expect_near(found, expected, 1e-13);
        return found;
      }));
}

TEST(TasteMesons, AreGaugeInvariant) {
  const reference::Lattice lattice{extents};
  reference::Generator generator{84};
  const auto gauge = reference::random_gauge(lattice, generator);
  const auto other = reference::transformed(gauge, reference::random_transformation(lattice, generator));
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto of = [&](const reference::GaugeField& links) {
    return mesons_of(all_pairs(),
                     quarks_of(reference::dense_inverse(parameters, thin(links)), links, point()), links,
                     self, self.geometry(extents), Location::host);
  };
  test::expect_near(of(other), of(gauge), 1e-12);
}

// Multiplets are sums, and without a shift they are the local mesons to the bit.
TEST_F(TasteMesonsOnALattice, OfMultipletsAreSums) {
  const reference::Lattice lattice{extents};
  reference::Generator generator{83};
  const auto gauge = reference::random_gauge(lattice, generator);
  const Quarks quarks = quarks_of(reference::dense_inverse(parameters, thin(gauge)), gauge, point());
  std::vector<TasteChannel> channels;
  for (const std::string& name : taste_multiplets()) {
    channels.push_back(*taste_channel(name));
    for (const SpinTaste& one : channels.back().terms) channels.push_back({"", {one}});
  }
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Correlators found = mesons_of(channels, quarks, gauge, grid, g, location);
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].name.empty()) continue;
      place[channels[i].name] = i;
      for (std::size_t p = 0; p < momenta.size(); ++p)
        for (std::size_t t = 0; t < 4; ++t) {
          std::complex<double> sum = 0;
          for (std::size_t k = 1; k <= channels[i].terms.size(); ++k) sum += found[i + k][p][t];
          EXPECT_LT(std::abs(found[i][p][t] - sum), 1e-14) << channels[i].name;
        }
    }
    StaggeredMesonContraction local(grid, g, staggered_channels(), momenta, Queue(location));
    const Correlators of_local = local(color_field(quarks.s, g, location), source);
    const std::map<std::string, std::string> same = {
        {"pion_ps", "pion_5"}, {"pion_sc", "pion_05"}, {"rho_vt", "rho_i"}, {"rho_pv", "rho_i0"}};
    for (std::size_t i = 0; i < of_local.size(); ++i) {
      const auto at = same.find(local.channels()[i].name);
      if (at == same.end()) continue;
      EXPECT_EQ(of_local[i], found[place.at(at->second)]) << at->first;
    }
  });
}

// On unit links quarks of a wall of corners are at the corners of the Brillouin zone, where shifts in space
// only exchange tastes. Slices at odd distances have the state and its partner with the same sign.
TEST(FreeTastes, AreDegenerate) {
  const Extents cube{4, 4, 4, 8};
  const reference::StaggeredParameters periodic{0.3, {1, 1, 1, -1}, 0};
  const reference::Lattice lattice{cube};
  const auto gauge = reference::unit_gauge(lattice);
  Columns b(3, reference::ColorField(lattice.volume()));
  for (int x = 0; x < lattice.volume(); ++x) {
    const auto at = lattice.coordinates(x);
    for (int color = 0; color < 3; ++color)
      if (at[0] % 2 == 0 && at[1] % 2 == 0 && at[2] % 2 == 0 && at[3] == 0) b[color][x][color] = 1;
  }
  const auto solved = [&](const Columns& source_columns) {
    std::vector<reference::Complex> numbers(lattice.volume());
    for (int x = 0; x < lattice.volume(); ++x) numbers[x] = source_columns[0][x][0];
    const auto propagator = reference::staggered_propagator(periodic, thin(gauge), numbers);
    return Columns(propagator.begin(), propagator.end());
  };
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const GeometryPtr g = self.geometry(cube);
  const auto channels = all_pairs();
  TasteMesons mesons(test::lattice_on(self, g, Location::host), channels, {{0, 0, 0}});
  mesons.set_links(test::to_plaq(gauge, g, Precision::double_precision, Location::host), periodic.boundary);
  Correlators found = mesons.none();
  const Field s = color_field(solved(b), g, Location::host);
  for (const unsigned shift : mesons.shifts()) {
    Columns moved;
    for (const auto& column : b)
      moved.push_back(reference::symmetric_shift(gauge, periodic.boundary, exponents_of(shift), column));
    mesons.add(found, shift, shift == 0 ? s : color_field(solved(moved), g, Location::host), s, {0, 0, 0, 0});
  }
  std::map<int, std::vector<double>> first;  // by the shift in time; of spins that anticommute with gamma_t
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const SpinTaste& one = channels[i].terms[0];
    std::vector<double> c;
    for (std::size_t t = 0; t < 8; ++t)
      c.push_back(found[i][0][t].real() * (one.sign() < 0 && t % 2 == 0 ? -1 : 1));
    const auto& as_the_first = first.try_emplace(static_cast<int>(one.shift() >> 3), c).first->second;
    for (std::size_t t = 0; t < 8; ++t)
      EXPECT_NEAR(c[t], as_the_first[t], 1e-10) << channels[i].name << " " << t;
    for (std::size_t t = 1; t < 8; t += 2) EXPECT_GT(c[t], 0.1) << channels[i].name << " " << t;
  }
  EXPECT_EQ(first.size(), 2);
}

}  // namespace
}  // namespace plaq::taste_mesons_test
