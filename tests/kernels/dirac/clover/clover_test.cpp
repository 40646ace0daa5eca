// The clover term, its inverse and its application against the slow reference, on every process grid.
#include <bit>
#include <cmath>

#include "tests/kernels/dirac/clover/clover_support.hpp"
#include "tests/reference/flow.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/support/error_of.hpp"

namespace plaq {
namespace {

using reference::CloverMatrices;
using reference::GaugeField;
using reference::Matrix12;
using test::for_all_geometries;
using test::to_plaq;

constexpr CloverCoefficients anisotropic{0.91 / 2.464, 1.07};
constexpr Precision both_precisions[] = {Precision::double_precision, Precision::single_precision};

Field links(const GaugeField& gauge, const GeometryPtr& geometry,
            Precision precision = Precision::double_precision) {
  return to_plaq(gauge, geometry, precision, Location::host);
}

// d + A, or d exp(A/d)
CloverMatrices expected_term(const GaugeField& gauge, double diagonal, const CloverCoefficients& c) {
  reference::CloverParameters parameters{{}, c.spatial, c.temporal, c.exponential};
  parameters.wilson.mass = diagonal - 4;
  auto term = test::from_first_rank([&] { return reference::clover_matrices(parameters, gauge); });
  for (auto& m : term) m = m + reference::Complex(diagonal) * Matrix12::unit();
  return term;
}

GaugeField random_links(const Extents& extents, int seed) {
  reference::Generator generator(static_cast<std::uint64_t>(seed));
  return reference::random_gauge({extents}, generator);
}

class Clover : public testing::TestWithParam<Extents> {};

// A has no trace in a chirality: det exp(A/d) = 1.
TEST_P(Clover, ExponentialHasAConstantDeterminant) {
  const auto gauge = random_links(GetParam(), 23);
  const double sites = 0.5 * static_cast<double>(gauge.link.size());
  for_all_geometries(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location l) {
    for (const double diagonal : {4.13, -0.7}) {
      CloverField clover(grid, links(gauge, geometry), diagonal, {1.7, 1.7, true}, Queue(l),
                         make_host_transport(grid, l));
      for (const int parity : {0, 1}) {
        const CloverDeterminant found = clover.determinant(parity);
        EXPECT_NEAR(found.log, 12 * sites * std::log(std::abs(diagonal)), 1e-11 * sites);
        EXPECT_EQ(found.negative, 0);  // of an even number of rows
      }
    }
    test::expect_error(ErrorKind::job_file, "that is not 0", [&] {
      CloverField(grid, links(gauge, geometry), 0, {1.7, 1.7, true}, Queue(l), make_host_transport(grid, l));
    });
  });
}

TEST_P(Clover, TermMatchesTheReference) {
  const auto gauge = random_links(GetParam(), 21);
  for (const auto& c : {anisotropic, CloverCoefficients::isotropic(1.769), CloverCoefficients{1.1, 1.6, true},
                        CloverCoefficients{6, 4, true}}) {
    const auto expected = expected_term(gauge, 4.13, c);
    for_all_geometries(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location l) {
      for (const Precision precision : both_precisions) {
        const CloverField clover(grid, links(gauge, geometry, precision), 4.13, c, Queue(l),
                                 make_host_transport(grid, l));
        EXPECT_LT(test::max_difference(clover.term(), expected),
                  precision == Precision::double_precision ? 1e-14 : 2e-6);
      }
      const CloverField clover(grid, links(gauge, geometry), 4.13, c, Queue(l), make_host_transport(grid, l));
      const Field single = clover_blocks(clover.term(), Precision::single_precision);
      EXPECT_LT(test::max_difference(single, expected), 5e-7);
    });
  }
}

// With the small diagonal many blocks are indefinite.
TEST_P(Clover, InverseAndDeterminantMatchTheReferenceWithTheSameBitsOnAnyGrid) {
  const auto gauge = random_links(GetParam(), 22);
  const reference::Lattice& lattice = gauge.lattice;
  for (const double diagonal : {4.13, 0.2}) {
    const auto term = expected_term(gauge, diagonal, anisotropic);
    CloverMatrices inverse;
    double log[2] = {0, 0}, worst = 0;
    std::int64_t negative[2] = {0, 0};
    for (int x = 0; x < lattice.volume(); ++x) {
      const auto& m = term[static_cast<std::size_t>(x)];
      inverse.push_back(reference::invert(m).inverse);
      worst = std::max(worst, reference::max_difference(inverse.back(), Matrix12{}));
      for (int chirality = 0; chirality < 2; ++chirality) {
        const auto det = reference::invert(test::chirality_of(m, chirality)).determinant;
        log[lattice.parity(x)] += std::log(std::abs(det));
        negative[lattice.parity(x)] += det.real() < 0;
      }
    }
    if (diagonal < 1) {
      EXPECT_GT(negative[0] + negative[1], lattice.volume() / 8);
    }
    for_all_geometries(
        GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                        Location l) {
          CloverField clover(grid, links(gauge, geometry), diagonal, anisotropic, Queue(l),
                             make_host_transport(grid, l));
          std::vector<std::uint64_t> bits{test::fingerprint(clover.term(), grid)};
          for (const int parity : {0, 1}) {
            EXPECT_EQ(clover.inverse(parity).spec().subset, subset_of(parity));
            EXPECT_LT(test::max_difference(clover.inverse(parity), inverse), 1e-14 * worst * worst);
            const auto found = clover.determinant(parity);
            EXPECT_NEAR(found.log, log[parity], 1e-11 * lattice.volume());
            EXPECT_EQ(found.negative, negative[parity]);
            const Field t = test::on_host(clover.term()), i = test::on_host(clover.inverse(parity));
            test::for_stored_sites(*geometry, [&](int p, int s, int) {
              if (p != parity) return;
              const auto one = test::dense(i, p, s) * test::dense(t, p, s);
              EXPECT_LT(reference::max_difference(one, Matrix12::unit()), 1e-13 * worst);
            });
            bits.push_back(test::fingerprint(clover.inverse(parity), grid));
            bits.push_back(std::bit_cast<std::uint64_t>(found.log));
          }
          return bits;
        }));
  }
}

TEST_P(Clover, AppliesToTheActiveOfABatch) {
  const auto gauge = random_links(GetParam(), 24);
  reference::Generator generator(25);
  const auto in = reference::random_spinors(gauge.lattice, 6, generator),
             before = reference::random_spinors(gauge.lattice, 6, generator);
  std::vector<reference::SpinorField> expected;
  const auto term = expected_term(gauge, 1.3, anisotropic);
  const std::vector<char> flags{1, 0, 1, 1, 1, 0};
  for (std::size_t k = 0; k < flags.size(); ++k)
    expected.push_back(flags[k] ? reference::times(term, in[k]) : before[k]);
  for_all_geometries(GetParam(),
                     [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                       const Queue queue(location);
                       const CloverField clover(grid, links(gauge, geometry), 1.3, anisotropic, queue,
                                                make_host_transport(grid, queue.location()));
                       for (const Precision precision : both_precisions) {
                         const double tolerance = precision == Precision::double_precision ? 2e-14 : 1e-5;
                         const Field blocks = clover_blocks(clover.term(), precision);
                         const Field x = to_plaq(in, geometry, Subset::full, precision, location);
                         Field y = to_plaq(before, geometry, Subset::full, precision, location);
                         for (const int parity : {0, 1})
                           apply_clover(y, x, blocks, parity, ActiveSet(flags), queue);
                         queue.synchronize();
                         EXPECT_LT(test::max_difference(y, expected), tolerance);

                         // Alone and in place: the same bits. Fields of one parity.
                         for (const int parity : {0, 1}) {
                           const auto in_place = [&](const std::vector<reference::SpinorField>& batch) {
                             Field f = to_plaq(batch, geometry, subset_of(parity), precision, location);
                             apply_clover(f, f, blocks, parity, ActiveSet(f.subfields()), queue);
                             queue.synchronize();
                             return test::fingerprints(f, grid);
                           };
                           const auto together = in_place(in);
                           for (std::size_t k = 0; k < in.size(); ++k)
                             EXPECT_EQ(in_place({in[k]})[0], together[k]);
                         }
                       }
                     });
}

INSTANTIATE_TEST_SUITE_P(Extents, Clover,
                         testing::Values(Extents{4, 4, 4, 8}, Extents{2, 2, 2, 2}, Extents{6, 2, 10, 4},
                                         Extents{4, 6, 2, 12}),
                         [](const auto& info) { return to_string(info.param); });

TEST(CloverTerm, OfUnitLinksIsTheDiagonal) {
  const Extents extents{4, 4, 4, 4};
  const auto gauge = reference::unit_gauge({extents});
  const CloverMatrices diagonal(static_cast<std::size_t>(gauge.lattice.volume()),
                                reference::Complex(0.3) * Matrix12::unit());
  for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    CloverField clover(grid, links(gauge, geometry), 0.3, anisotropic, Queue(location),
                       make_host_transport(grid, location));
    EXPECT_EQ(test::max_difference(clover.term(), diagonal), 0);
    const auto det = clover.determinant(1);
    EXPECT_NEAR(det.log, 12 * 128 * std::log(0.3), 1e-10);
    EXPECT_EQ(det.negative, 0);
  });
}

// F_xy = sin(a) diag(1, -1, 0), F_zt = sin(b) diag(1, -1, 0) and no other: a formula without leaves.
TEST(CloverTerm, OfConstantFluxIsKnown) {
  const Extents extents{4, 6, 4, 8};
  const auto gauge = reference::constant_flux({extents}, 1, 2);
  const double a = 2 * std::numbers::pi / 24, b = 2 * std::numbers::pi * 2 / 32;
  const auto xy = reference::Complex(0, 1) * (reference::gamma(0) * reference::gamma(1));
  const auto zt = reference::Complex(0, 1) * (reference::gamma(2) * reference::gamma(3));
  Matrix12 m;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) {
      if (i == j) m(i, j) = 4.0;
      if (i % 3 == j % 3 && i % 3 < 2)
        m(i, j) -= 0.5 * (i % 3 == 0 ? 1 : -1) *
                   (anisotropic.spatial * std::sin(a) * xy(i / 3, j / 3) +
                    anisotropic.temporal * std::sin(b) * zt(i / 3, j / 3));
    }
  const CloverMatrices expected(gauge.link.size(), m);
  for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    const CloverField clover(grid, links(gauge, geometry), 4.0, anisotropic, Queue(location),
                             make_host_transport(grid, location));
    EXPECT_LT(test::max_difference(clover.term(), expected), 1e-14);
  });
}

// C[U^g](x) = g(x) C[U](x) g(x)^dagger
TEST(CloverTerm, TurnsWithTheGauge) {
  const Extents extents{4, 2, 6, 4};
  const auto gauge = random_links(extents, 26);
  reference::Generator generator(27);
  const auto g = reference::random_transformation(gauge.lattice, generator);
  auto expected = expected_term(gauge, 2.1, anisotropic);
  for (std::size_t x = 0; x < expected.size(); ++x) {
    Matrix12 turn;
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 3; ++j) turn(i, i / 3 * 3 + j) = g[x](i % 3, j);
    expected[x] = turn * expected[x] * reference::dagger(turn);
  }
  const auto turned = reference::transformed(gauge, g);
  for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    const CloverField clover(grid, links(turned, geometry), 2.1, anisotropic, Queue(location),
                             make_host_transport(grid, location));
    EXPECT_LT(test::max_difference(clover.term(), expected), 1e-14);
  });
}

TEST(CloverInverse, RefusesSingularBlocks) {
  const Extents extents{4, 4, 4, 4};
  for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    const auto make = [&](const GaugeField& gauge, double diagonal) {
      return CloverField(grid, links(gauge, geometry), diagonal, anisotropic, Queue(location),
                         make_host_transport(grid, location));
    };
    const auto expect_failure = [](CloverField clover, int parity, const char* part) {
      test::expect_error(ErrorKind::job_file, part, [&] { clover.inverse(parity); });
    };
    expect_failure(make(reference::unit_gauge({extents}), 0), 0,
                   "in 256 of the 256 chiral blocks on even sites of 4x4x4x4");
    // Constant flux in one plane: an eigenvalue d - c sin(a)/2 = 0 in each block.
    const auto flux = reference::constant_flux({extents}, 1, 0);
    const double eigenvalue = 0.5 * anisotropic.spatial * std::sin(2 * std::numbers::pi / 16);
    expect_failure(make(flux, eigenvalue), 1, "in 256 of the 256 chiral blocks on odd sites");
    EXPECT_NO_THROW(make(flux, eigenvalue * (1 + 1e-10)).inverse(1));
    // A link that is not a number is in leaves of 14 sites: its ends, and two for each of six plaquettes.
    auto broken = random_links(extents, 28);
    broken.link[5][2](0, 1) = NAN;
    for (const int parity : {0, 1}) expect_failure(make(broken, 4), parity, "in 14 of the 256 chiral blocks");
  });
}

}  // namespace
}  // namespace plaq
