// SystemSolver for every discretisation: what it says it solved, with which method, and quark fields that do
// not depend on how they were found.
#include <gtest/gtest.h>

#include <cmath>

#include "core/system/error.hpp"
#include "kernels/quark/sources.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "quarks/action/wilson_action.hpp"
#include "quarks/solve/system_solver.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/world.hpp"

namespace plaq::dirac_actions_test {
namespace {

constexpr int batch = 2;
const Extents extents{4, 4, 4, 8};

struct Problem {
  Problem() : grid(MPI_COMM_WORLD, choose()), geometry(grid.geometry(extents)) {
    reference::Generator generator(5);
    gauge = test::to_plaq(reference::weak_gauge(reference::Lattice{extents}, generator, 0.3), geometry,
                          Precision::double_precision, Location::host);
  }
  static Extents choose() {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return {1, 1, 1, ranks};  // asqtad: four slices a rank
  }
  SystemSolver solver(const ActionPtr& action, const SolverSettings& spec, Location where) const {
    return SystemSolver({&grid, gauge, Queue(where), make_host_transport(grid, where)}, action, spec, batch);
  }
  ProcessGrid grid;
  GeometryPtr geometry;
  Field gauge;
};

struct Named {
  const char* name;
  ActionPtr action;
};

std::vector<Named> actions() {
  StaggeredParameters staggered;
  staggered.mass = 0.3;  // heavy quarks: fewer iterations
  DomainWallChoice wall;
  wall.n_s = 6;
  wall.mass = 0.3;
  std::vector<Named> all = {{"staggered", staggered_action(staggered)},
                            {"asqtad", asqtad_action({staggered, 0.95})},
                            {"hisq", hisq_action({staggered, -0.2})}};
  all.push_back({"shamir", domain_wall_action(wall)});
  wall.kind = WallKind::moebius;
  wall.b5 = 1.5;
  wall.c5 = 0.5;
  all.push_back({"moebius", domain_wall_action(wall)});
  wall.kind = WallKind::borici;
  all.push_back({"borici", domain_wall_action(wall)});
  wall.kind = WallKind::optimal;
  wall.n_s = 4;
  all.push_back({"optimal", domain_wall_action(wall)});  // of measured bounds
  wall.bounds = {0.2, 6.5};
  all.push_back({"optimal in given bounds", domain_wall_action(wall)});
  wall.kind = WallKind::general;
  wall.omega = {1.3, 0.7, 1.1, 0.9};
  wall.sigma = {0.2, 0.6, -0.1, 0.4};
  wall.xi = 2.5;
  wall.nu = 0.9;
  wall.m0 = 0.6;
  all.push_back({"general", domain_wall_action(wall)});
  WilsonParameters twisted{.mass = 0.2, .twisted_mass = 0.15};
  all.push_back({"twisted mass", wilson_action(twisted)});
  twisted.mass = 0;
  twisted.clover = CloverCoefficients::isotropic(1.3);
  all.push_back({"twisted mass, clover", wilson_action(twisted)});
  return all;
}

SolverSettings spec_of(MixedScheme scheme, LinkStorage inner, Preconditioning preconditioning) {
  SolverSettings spec;
  spec.fallback = false;
  spec.method = SolverMethod::cg;
  spec.preconditioning = preconditioning;
  spec.scheme = scheme;
  spec.inner = inner;
  spec.tolerance = 1e-10;
  return spec;
}

// Quark fields on the host; the largest relative difference of components.
Field solved(const Problem& problem, const Named& named, const SolverSettings& spec, Location where) {
  auto solver = problem.solver(named.action, spec, where);
  Field source(problem.geometry, solver.quark_spec()), quark(problem.geometry, solver.quark_spec());
  Field b(problem.geometry, solver.spec_of_fields()), x(problem.geometry, solver.spec_of_fields());
  random_source(source, Noise::z4, 3);
  solver.make_source(b, source);
  const auto report = solver.solve(x, b);
  EXPECT_TRUE(report.converged());
  for (const double residual : report.relative_residuals) EXPECT_LE(residual, spec.tolerance * 1.000001);
  EXPECT_EQ(report.solve.attempts.size(), static_cast<std::size_t>(1 + report.tightened));
  solver.to_4d(quark, x);
  auto here = quark.spec();
  here.location = Location::host;
  Field found(problem.geometry, here);
  copy(found, quark);
  return found;
}

double difference(const Field& a, const Field& b) {
  double most = 0, size = 0;
  for (int subfield = 0; subfield < a.subfields(); ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; s < a.layout().sites; ++s)
        for (int r = 0; r < a.reals_per_site(); ++r) {
          const double x = get_real(a, subfield, parity, s, r), y = get_real(b, subfield, parity, s, r);
          most = std::max(most, std::abs(x - y));
          size = std::max(size, std::abs(x));
        }
  return most / size;
}

class DiracActions : public testing::TestWithParam<std::size_t> {};

TEST_P(DiracActions, QuarksDoNotDependOnTheSolver) {
  const Problem problem;
  const Named named = actions()[GetParam()];
  SCOPED_TRACE(named.name);
  const LinkStorage single{Precision::single_precision, 12}, half{Precision::half_precision, 12},
      eight{Precision::single_precision, 8};
  using enum Preconditioning;
  for (const Location where : test::locations()) {
    std::vector<SolverSettings> specs = {spec_of(MixedScheme::none, single, even_odd),
                                         spec_of(MixedScheme::reliable_updates, half, even_odd)};
    Field expected;
    if (test::world_size() == 1) {
      expected = solved(problem, named, spec_of(MixedScheme::none, single, none), where);
      specs.push_back(spec_of(MixedScheme::defect_correction, single, even_odd));
      specs.push_back(spec_of(MixedScheme::reliable_updates, eight, even_odd));
    } else {  // two ways are enough
      expected = solved(problem, named, specs.front(), where);
      specs.erase(specs.begin());
    }
    for (auto& spec : specs) {
      if (!named.action->has_compressed_links()) spec.inner.reconstruction = 18;
      SCOPED_TRACE(name_of(spec));
      EXPECT_LT(difference(expected, solved(problem, named, spec, where)), 1e-7);
    }
  }
}

// Long links of U(3) are refused as 12 reals, on every rank.
TEST(DiracActions, HisqLinksAreNotCompressed) {
  const Problem problem;
  StaggeredParameters staggered;
  staggered.mass = 0.3;
  const ActionPtr action = hisq_action({staggered, 0});
  EXPECT_FALSE(action->has_compressed_links());
  for (const int reals : {12, 8}) try {
      problem.solver(action,
                     spec_of(MixedScheme::reliable_updates, {Precision::single_precision, reals},
                             Preconditioning::even_odd),
                     Location::host);
      ADD_FAILURE() << reals;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_file);
      EXPECT_NE(std::string(error.what()).find("not SU(3)"), std::string::npos) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(All, DiracActions, testing::Range(std::size_t{0}, actions().size()),
                         [](const auto& info) {
                           std::string name = actions()[info.param].name;
                           std::erase(name, ',');
                           for (char& c : name)
                             if (c == ' ') c = '_';
                           return name;
                         });

// The quark of twisted-mass quarks by each Krylov method.
TEST(DiracActions, TwistedMassBySeveralMethods) {
  const Problem problem;
  const Named named{"twisted mass",
                    wilson_action({.mass = -0.3, .clover = {1.1, 1.1}, .twisted_mass = 0.05})};
  SolverSettings spec = spec_of(MixedScheme::none, {}, Preconditioning::even_odd_asymmetric);
  const Field expected = solved(problem, named, spec, Location::host);
  for (const SolverMethod method : {SolverMethod::cgne, SolverMethod::bicgstab, SolverMethod::gcr}) {
    spec.method = method;
    EXPECT_LT(difference(expected, solved(problem, named, spec, Location::host)), 1e-7) << name_of(spec);
  }
}

// What the numbers say of vectors is what the operators have.
TEST(DiracActions, SpecsAreThoseOfTheOperators) {
  const Problem problem;
  const FermionLinks links = {&problem.grid, problem.gauge, Queue(Location::host),
                              make_host_transport(problem.grid, Location::host)};
  for (const Named& named : actions()) {
    SCOPED_TRACE(named.name);
    DiracOperators operators(links, named.action, Preconditioning::even_odd, batch);
    FieldSpec spec = named.action->full_spec(batch, Location::host);
    EXPECT_EQ(operators.residual_operator().spec(batch), spec);
    spec.subset = subset_of(schur_parity);
    EXPECT_EQ(operators.outer(high_precision_storage)->iterated().spec(batch), spec);
    EXPECT_EQ(operators.measured_bounds().has_value(), named.action->needs_bounds());
  }
}

// Even-odd staggered operators are Hermitian and positive: half as many applications as by normal equations.
TEST(DiracActions, StaggeredNeedsNoNormalEquations) {
  const Problem problem;
  const Named staggered = actions()[0];
  const auto applications = [&](Preconditioning preconditioning) {
    const auto spec = spec_of(MixedScheme::none, {}, preconditioning);
    auto solver = problem.solver(staggered.action, spec, Location::host);
    Field b(problem.geometry, solver.spec_of_fields()), x(problem.geometry, solver.spec_of_fields());
    random_source(b, Noise::z4, 3);
    const auto report = solver.solve(x, b);
    return static_cast<double>(report.solve.inner.calls + report.solve.outer.calls) / report.solve.iterations;
  };
  EXPECT_LT(applications(Preconditioning::even_odd), 1.5);
  EXPECT_GT(applications(Preconditioning::none), 1.5);
}

TEST(DiracActions, RefuseWhatCannotBe) {
  const Problem problem;
  const auto refused = [&](const ActionPtr& action) {
    try {
      problem.solver(action, spec_of(MixedScheme::none, {}, Preconditioning::even_odd), Location::host);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::job_file;
    }
    return false;
  };
  EXPECT_TRUE(refused(staggered_action({})));  // massless
  AsqtadParameters asqtad;
  asqtad.staggered.mass = 0.1;
  asqtad.u0 = 0;
  EXPECT_TRUE(refused(asqtad_action(asqtad)));
  DomainWallChoice wall;
  wall.m0 = 2.5;
  EXPECT_TRUE(refused(domain_wall_action(wall)));
  wall = {};
  wall.kind = WallKind::borici;
  wall.n_s = 5;
  wall.mass = 1;
  EXPECT_TRUE(refused(domain_wall_action(wall)));
  wall = {};
  wall.kind = WallKind::general;
  wall.omega = {1, 1, 1};
  wall.sigma = {1, 1};
  EXPECT_TRUE(refused(domain_wall_action(wall)));
  wall = {};
  wall.xi = 0;
  EXPECT_TRUE(refused(domain_wall_action(wall)));
  wall = {};
  wall.kind = WallKind::optimal;
  wall.bounds = {1.0, 0.5};
  EXPECT_TRUE(refused(domain_wall_action(wall)));
}

}  // namespace
}  // namespace plaq::dirac_actions_test
