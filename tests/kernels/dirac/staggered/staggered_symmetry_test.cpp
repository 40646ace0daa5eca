// What the staggered operators must do whatever their code: plane waves on unit links, gauge covariance, an
// anti-Hermitian D, and every boundary sign.
#include <complex>

#include "tests/kernels/dirac/staggered/staggered_support.hpp"
#include "tests/support/first_rank.hpp"

namespace plaq {
namespace {

using test::ColorBatch;
using Complex64 = std::complex<double>;

constexpr Precision both[] = {Precision::double_precision, Precision::single_precision};
double tolerance_of(Precision p) { return p == Precision::double_precision ? 3e-14 : 1e-5; }

std::array<int, 4> signs_of(int bits) {
  std::array<int, 4> boundary;
  for (int mu = 0; mu < 4; ++mu) boundary[static_cast<std::size_t>(mu)] = (bits >> mu) & 1 ? -1 : 1;
  return boundary;
}

// M in, or M^dagger in.
Field applied(LinearOperator& m, const ColorBatch& in, bool dagger = false) {
  const FieldSpec spec = m.spec(static_cast<int>(in.size()));
  const Field source = test::to_plaq(in, m.geometry(), spec.subset, spec.precision, spec.location);
  Field out(m.geometry(), spec);
  dagger ? m.apply_dagger(out, source) : m.apply(out, source);
  m.queue().synchronize();
  return out;
}

// Every geometry on which the operator fits: plain, and with all directions forced to exchange.
template <class Visit>
void for_fitting(const test::StaggeredProblem& p, const Extents& extents, Visit&& visit) {
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const auto forced = g->decomposition().forced;
    if ((forced == 0 || forced == 15) && test::fits(p, *g)) visit(grid, g, location);
  });
}

struct Case {
  Extents extents;
  bool improved;
};
std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  return to_string(info.param.extents) + (info.param.improved ? "_improved" : "");
}

class StaggeredWaves : public testing::TestWithParam<Case> {};

TEST_P(StaggeredWaves, EveryMomentumWithEveryBoundarySign) {
  const auto [extents, improved] = GetParam();
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(12);
  for (int signs = 0; signs < 16; ++signs) {
    auto p = test::make_staggered(extents, improved, 0, signs_of(signs));
    p.links = {reference::unit_gauge(lattice), reference::unit_gauge(lattice)};
    ColorBatch in, expected, expected_dagger, expected_schur;
    auto compare = [&] {
      for_fitting(p, extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        for (const Precision precision : both) {
          const double tolerance = tolerance_of(precision);
          const auto hopping = test::make_staggered_hopping(p, grid, g, precision, Queue(location));
          StaggeredOperator m(hopping);
          ASSERT_LT(test::deviation(applied(m, in), expected).most, tolerance);
          ASSERT_LT(test::deviation(applied(m, in, true), expected_dagger).most, tolerance);
          StaggeredSchur schur(hopping, signs % 2, static_cast<int>(in.size()));
          ASSERT_LT(test::deviation(applied(schur, in), expected_schur).most, tolerance);
        }
      });
      in.clear(), expected.clear(), expected_dagger.clear(), expected_schur.clear();
    };
    // On several ranks some momenta, others for each choice of signs: what they check is who has which site.
    const int step = test::world_size() > 1 ? 7 : 1;
    for (int n = signs % step; n < lattice.volume(); n += step) {
      const auto momentum = reference::staggered_momentum(p.theirs, lattice, lattice.coordinates(n));
      const auto sines = reference::staggered_sines(p.theirs, momentum);
      double squares = p.ours.mass * p.ours.mass;
      for (const double s : sines) squares += s * s;
      const auto chi = reference::random_colors({{1, 1, 1, 1}}, generator)[0];
      reference::ColorField wave(static_cast<std::size_t>(lattice.volume())),
          m_wave = wave, dagger_wave = wave, schur_wave = wave;
      for (int site = 0; site < lattice.volume(); ++site) {
        const auto i = static_cast<std::size_t>(site);
        double phase = 0, symbol = 0;
        for (int mu = 0; mu < 4; ++mu) {
          const auto d = static_cast<std::size_t>(mu);
          phase += momentum[d] * lattice.coordinates(site)[d];
          symbol += reference::eta(lattice, site, mu) * sines[d];
        }
        for (std::size_t c = 0; c < 3; ++c) {
          wave[i][c] = std::polar(1.0, phase) * chi[c];
          m_wave[i][c] = Complex64(p.ours.mass, symbol) * wave[i][c];
          dagger_wave[i][c] = Complex64(p.ours.mass, -symbol) * wave[i][c];
          schur_wave[i][c] = squares * wave[i][c];
        }
      }
      in.push_back(wave), expected.push_back(m_wave);
      expected_dagger.push_back(dagger_wave), expected_schur.push_back(schur_wave);
      if (in.size() == 64 || n + step >= lattice.volume()) compare();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, StaggeredWaves,
                         testing::Values(Case{{4, 2, 4, 6}, false}, Case{{2, 4, 2, 2}, false},
                                         Case{{4, 2, 4, 8}, true}, Case{{8, 4, 2, 2}, true}),
                         name_of_case);

class StaggeredSymmetry : public testing::TestWithParam<Case> {};

// Random links: hops of three steps around lattices of 2 and 4 sites as well.
TEST_P(StaggeredSymmetry, EveryBoundarySignOnRandomLinks) {
  const auto [extents, improved] = GetParam();
  for (int signs = 0; signs < 16; ++signs) {
    if (test::world_size() > 1 && signs % 5 != 0) continue;  // both signs of every direction
    const auto p = test::make_staggered(extents, improved, 1, signs_of(signs));
    const auto expected =
        test::from_first_rank([&] { return ColorBatch{reference::staggered(p.theirs, p.links, p.in[0])}; });
    for_fitting(p, extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      StaggeredOperator m(test::make_staggered_hopping(p, grid, g, LinkStorage(), Queue(location)));
      EXPECT_LT(test::deviation(applied(m, p.in), expected).most, 3e-14) << signs;
    });
  }
}

TEST_P(StaggeredSymmetry, GaugeCovariance) {
  const auto [extents, improved] = GetParam();
  auto p = test::make_staggered(extents, improved, 2, {1, -1, 1, -1});
  reference::Generator generator(13);
  const auto g = reference::random_transformation(p.links.near.lattice, generator);
  auto turned = p;
  turned.links = reference::transformed(p.links, g);
  for (auto& chi : turned.in) chi = reference::times(g, chi);
  for (const Location location : test::locations())
    for (const Precision precision : both)
      for (const int reals : {18, 8}) {
        const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
        const LinkStorage storage(precision, reals);
        StaggeredOperator alone(
            test::make_staggered_hopping(p, self, self.geometry(extents), storage, Queue(location)));
        ColorBatch expected = test::to_reference(applied(alone, p.in));
        for (auto& chi : expected) chi = reference::times(g, chi);
        for_fitting(p, extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
          if (where != location) return;
          StaggeredOperator m(test::make_staggered_hopping(turned, grid, geometry, storage, Queue(location)));
          EXPECT_LT(test::deviation(applied(m, turned.in), expected).most, tolerance_of(precision));
        });
      }
}

// (y, D x) = -(D y, x), and M^dagger is what `dagger` gives.
TEST_P(StaggeredSymmetry, TheHoppingTermIsAntiHermitian) {
  const auto [extents, improved] = GetParam();
  auto p = test::make_staggered(extents, improved, 2);
  p.ours.mass = 0;
  for_fitting(p, extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    StaggeredOperator m(test::make_staggered_hopping(p, grid, geometry, LinkStorage(), Queue(location)));
    const ColorBatch d = test::to_reference(applied(m, p.in)),
                     dagger = test::to_reference(applied(m, p.in, true));
    const auto here = test::to_reference(
        test::to_plaq(p.in, geometry, Subset::full, Precision::double_precision, Location::host));
    Complex64 sums[3] = {reference::dot(here[1], d[0]), reference::dot(d[1], here[0]),
                         reference::dot(dagger[1], here[0])};
    MPI_Allreduce(MPI_IN_PLACE, sums, 6, MPI_DOUBLE, MPI_SUM, grid.comm());
    EXPECT_GT(std::abs(sums[0]), 1);
    EXPECT_LT(std::abs(sums[0] + sums[1]), 1e-10 * std::abs(sums[0]));
    EXPECT_LT(std::abs(sums[0] - sums[2]), 1e-10 * std::abs(sums[0]));
  });
}

INSTANTIATE_TEST_SUITE_P(Cases, StaggeredSymmetry,
                         testing::Values(Case{{4, 4, 2, 6}, false}, Case{{2, 2, 2, 2}, false},
                                         Case{{4, 8, 4, 8}, true}, Case{{2, 4, 2, 8}, true}),
                         name_of_case);

}  // namespace
}  // namespace plaq
