// The residual mass of domain-wall quarks on a rough quenched field: it falls with Ls, by its two ways the
// same; that of optimal weights of the kernel's spectrum is far below both.
#include "kernels/quark/residual_mass.hpp"

#include <gtest/gtest.h>

#include "kernels/blas/blas.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"
#include "kernels/dirac/domain_wall/domain_wall_schur.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/update.hpp"
#include "kernels/quark/sources.hpp"
#include "solvers/eigen/singular_range.hpp"
#include "solvers/schur_solve.hpp"
#include "tests/solvers/krylov/methods.hpp"
#include "tests/support/locations.hpp"

namespace plaq::residual_mass_test {
namespace {

constexpr double mass = 0.05, tolerance = 1e-8;

class RoughField : public testing::TestWithParam<Location> {
 protected:
  void SetUp() override {
    QuenchedUpdate update(grid_, gauge_, {5.9, 7}, nullptr);
    cold_start(gauge_, queue_);
    for (std::uint32_t sweep = 0; sweep < 30; ++sweep) {
      update.heatbath_sweep(gauge_, sweep, queue_);
      update.overrelaxation_sweep(gauge_, queue_);
    }
    plaquette_ = average_plaquette(grid_, gauge_, queue_).all;
    source_ = Field(gauge_.geometry_ptr(),
                    spinor_spec(Subset::full, 1, Precision::double_precision, queue_.location()));
    random_source(source_, Noise::z4, 5);
  }

  WilsonHoppingPtr hopping(const DomainWallParameters& p, Precision precision) {
    return make_domain_wall_hopping(grid_, gauge_, p, precision, queue_,
                                    make_host_transport(grid_, queue_.location()));
  }

  double squares(const Field& x) {
    auto sums = blas::slice_norms(x, queue_);
    std::vector<ExactSum> all(1);
    for (auto& sum : sums) all[0].merge(sum);
    return global_sums(grid_, all)[0];
  }

  // By the sum over the lattice, and where there is a midpoint by that.
  struct Found {
    double summed, midpoint;
  };
  Found measure(const DomainWallParameters& p) {
    const auto hop = hopping(p, Precision::double_precision);
    const DomainWallQuark walls(hop, p);
    DomainWallSchur schur(hop, p, 0, 1), inner(hopping(p, Precision::single_precision), p, 0, 1);
    DomainWallOperator full(hop, p, 1);
    const auto solver = test::make_solver("cg", MixedScheme::reliable_updates, schur, inner, grid_, 1);
    Field b(gauge_.geometry_ptr(), full.spec(1)), x(gauge_.geometry_ptr(), full.spec(1));
    walls.make_source(b, source_);
    SolverParameters parameters;
    parameters.tolerance = tolerance;
    EXPECT_TRUE(solve_schur(schur, *solver, full, grid_, x, b, parameters).converged());
    Field q(gauge_.geometry_ptr(), source_.spec());
    walls.to_4d(q, x);
    queue_.synchronize();
    Found found{summed_residual_mass(grid_, source_, q, p.mass, queue_), 0};
    if (p.Ls() % 2 == 1) return found;
    const double below = squares(q);
    walls.midpoint_to_4d(q, x);
    queue_.synchronize();
    found.midpoint = squares(q) / below;
    return found;
  }

  Queue queue_{GetParam()};
  ProcessGrid grid_{MPI_COMM_SELF, {1, 1, 1, 1}};
  Field gauge_{grid_.geometry({4, 4, 4, 4}), gauge_spec(Precision::double_precision, GetParam())};
  Field source_;
  double plaquette_ = 0;
};

TEST_P(RoughField, ResidualMassFallsWithTheFifthDimension) {
  EXPECT_GT(plaquette_, 0.5);
  EXPECT_LT(plaquette_, 0.68);
  double shamir = 1, moebius = 1;
  for (const int n : {4, 8, 12}) {
    SCOPED_TRACE(n);
    const Found one = measure(DomainWallParameters::shamir(n, 1.8, mass)),
                two = measure(DomainWallParameters::moebius(n, 1.8, mass, 1.5, 0.5));
    EXPECT_NEAR(one.summed, one.midpoint, 1e-6);
    EXPECT_NEAR(two.summed, two.midpoint, 1e-6);
    EXPECT_GT(two.midpoint, 1e-7);
    EXPECT_LT(one.midpoint, 0.6 * shamir);
    EXPECT_LT(two.midpoint, 0.6 * moebius);
    EXPECT_LT(two.midpoint, one.midpoint);  // b5 + c5 = 2
    shamir = one.midpoint;
    moebius = two.midpoint;
  }
  // Odd Ls, and the weights of the kernel's spectrum.
  auto p = DomainWallParameters::borici(1, 1.8, mass);
  WilsonOperator d_w(hopping(p, Precision::double_precision));
  Field start(gauge_.geometry_ptr(), d_w.spec(1));
  random_source(start, Noise::z4, 1);
  const SingularRange range = singular_range(d_w, grid_, start);
  ASSERT_TRUE(range.converged());
  double before = 1;
  for (const int n : {5, 8}) {
    const Found found =
        measure(DomainWallParameters::optimal(optimal_weights(n, range.below, range.above), 1.8, mass));
    EXPECT_LT(std::abs(found.summed), 0.5 * before) << n;
    before = std::abs(found.summed);
  }
  EXPECT_LT(before, shamir / 10);
}

INSTANTIATE_TEST_SUITE_P(Locations, RoughField, testing::ValuesIn(test::locations()),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace plaq::residual_mass_test
