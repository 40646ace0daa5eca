// Low modes of every discretisation: found, kept, read again, and what they save of a solve.
#include "quarks/solve/low_modes.hpp"

#include <gtest/gtest.h>

#include "io/eigenvectors/eigenvector_file.hpp"
#include "io/gauge/link_sum.hpp"
#include "kernels/quark/sources.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "quarks/action/wilson_action.hpp"
#include "quarks/solve/system_solver.hpp"
#include "solvers/normal_operator.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/files.hpp"
#include "tests/support/world.hpp"

namespace plaq::low_modes_test {
namespace {

constexpr int batch = 2;
const Extents extents{4, 4, 4, 4};

struct ModeProblem {
  ModeProblem() : grid(MPI_COMM_WORLD, {1, 1, 1, test::world_size()}), geometry(grid.geometry(extents)) {
    reference::Generator generator(5);
    gauge = test::to_plaq(reference::weak_gauge(reference::Lattice{extents}, generator, 0.5), geometry,
                          Precision::double_precision, Location::host);
  }
  FermionLinks links() const { return {&grid, gauge, queue, make_host_transport(grid, Location::host)}; }

  ProcessGrid grid;
  GeometryPtr geometry;
  Queue queue{Location::host};
  Field gauge;
};

// Light quarks, each with one of the forms that there are.
struct ModeCase {
  const char* name;
  ActionPtr action;
  Preconditioning form = Preconditioning::even_odd;
  SolverMethod method = SolverMethod::cg;
};
std::vector<ModeCase> mode_cases() {
  WilsonParameters wilson;
  wilson.mass = -0.9;
  wilson.clover = CloverCoefficients::isotropic(1);
  StaggeredParameters staggered;
  staggered.mass = 0.1;
  DomainWallChoice wall;
  wall.n_s = 2;
  wall.mass = 0.4;
  return {{"clover", wilson_action(wilson), Preconditioning::even_odd_asymmetric, SolverMethod::cgne},
          {"staggered", staggered_action(staggered)},
          {"domain_wall", domain_wall_action(wall)}};
}

class LowModes : public testing::TestWithParam<ModeCase> {
 protected:
  std::unique_ptr<SystemSolver> solver_of(std::optional<int> modes, MixedScheme scheme, int columns) const {
    SolverSettings spec;
    spec.fallback = false;
    spec.method = GetParam().method;
    spec.preconditioning = GetParam().form;
    spec.scheme = scheme;
    spec.modes = modes;
    spec.tolerance = 1e-7;
    SetupPaths paths;
    paths.modes = path_;
    return std::make_unique<SystemSolver>(
        FermionLinks{&p_.grid, p_.gauge, p_.queue, make_host_transport(p_.grid, Location::host)},
        GetParam().action, spec, columns, nullptr, paths);
  }
  // A solve by the lowest modes of a file; none without a number.
  FullSolveReport solve(Field& x, std::optional<int> modes, MixedScheme scheme) const {
    const auto made = solver_of(modes, scheme, batch);
    SystemSolver& solver = *made;
    Field b(p_.geometry, solver.spec_of_fields());
    x = Field(p_.geometry, b.spec());
    random_source(b, Noise::z4, 3);
    return solver.solve(x, b);
  }
  // By modes alone nothing is left in the modes: what they make of the residual is next to nothing. Each
  // right-hand side has the same bits in any batch, and whatever x held.
  void expect_that_modes_alone_approximate() const {
    const Approximation alone{.modes = true};
    for (const MixedScheme scheme : {MixedScheme::none, MixedScheme::reliable_updates}) {
      const auto solver = solver_of(0, scheme, batch), single = solver_of(0, scheme, 1);
      const FieldSpec spec = solver->spec_of_fields();
      Field b(p_.geometry, spec), x(p_.geometry, spec), mx(p_.geometry, spec), rest(p_.geometry, spec);
      random_source(b, Noise::z4, 3);
      copy(x, b);
      const FullSolveReport report = solver->approximate(x, b, alone);
      for (const SolveResult& result : report.solve.results) {
        EXPECT_EQ(result.iterations, 0);
        EXPECT_EQ(result.reason, StopReason::max_iterations);
      }
      EXPECT_EQ(report.solve.attempts.size(), 1u);
      for (const double residual : report.relative_residuals) EXPECT_GT(residual, 1e-3);
      solver->apply(mx, x);
      Field r(p_.geometry, spec);
      Batch sums(p_.grid, p_.queue, batch);
      sums.sum<blas::Residual>(sums.coefficients(sums.all()), {&b, &mx, &r});
      solver->approximate(rest, r, alone);
      Field on_even = even_of(x), of_rest = even_of(rest);
      EXPECT_LT(norm_of(of_rest), 1e-2 * norm_of(on_even));
      EXPECT_GT(norm_of(on_even), 0.1);
      const FieldSpec one = single->spec_of_fields();
      Field b1(p_.geometry, one), x1(p_.geometry, one), expected(p_.geometry, one);
      for (int s = 0; s < one.subfields; ++s) {
        const int at = (batch - 1) * one.subfields + s;
        copy_subfield(b1, s, b, at);
        copy_subfield(expected, s, x, at);
      }
      single->approximate(x1, b1, alone);
      EXPECT_EQ(test::fingerprint(x1, p_.grid), test::fingerprint(expected, p_.grid));
    }
    EXPECT_EQ(alone.fault(SolverSettings{})->parameter, "modes");
    EXPECT_EQ((Approximation{.iterations = 1, .modes = true}.fault()->parameter), "modes");
  }
  Field even_of(const Field& x) const {
    FieldSpec spec = x.spec();
    spec.subset = Subset::even;
    Field even(p_.geometry, spec);
    copy_parity(even, x, schur_parity, p_.queue);
    p_.queue.synchronize();
    return even;
  }
  double norm_of(const Field& x) const {
    Batch sums(p_.grid, p_.queue, batch);
    double square = 0;
    for (const double s : sums.sum<blas::Norm>(sums.coefficients(sums.all()), {&x})) square += s;
    return std::sqrt(square);
  }

  ModeProblem p_;
  test::SharedDirectory directory_;
  std::string path_ = directory_ / "modes";
};
INSTANTIATE_TEST_SUITE_P(Actions, LowModes, testing::ValuesIn(mode_cases()),
                         [](const auto& info) { return info.param.name; });

// |A v - value v| of a mode in single precision.
double error_of(LinearOperator& a, const ProcessGrid& grid, const Field& modes, int i, double value) {
  FieldSpec one = a.spec(1);
  one.precision = Precision::single_precision;
  Field single(a.geometry(), one), v(a.geometry(), a.spec(1)), q(a.geometry(), a.spec(1));
  for (int s = 0; s < one.Ls; ++s) copy_subfield(single, s, modes, i * one.Ls + s);
  copy(v, single);
  a.apply(q, v);
  Batch sums(grid, a.queue(), 1);
  auto c = sums.coefficients(sums.all());
  set(c[0], 0, -value);
  return std::sqrt(sums.sum<blas::AxpyNorm>(c, {&v, &q})[0]);
}

// |x - y| / |x| of all right-hand sides together.
double difference(const Field& x, const Field& y) {
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, test::world_size()});
  Batch sums(grid, Queue(Location::host), batch);
  const auto c = sums.coefficients(sums.all());
  Field r(x.geometry_ptr(), x.spec());
  double square = 0, norm = 0;
  for (const double s : sums.sum<blas::Residual>(c, {&x, &y, &r})) square += s;
  for (const double s : sums.sum<blas::Norm>(c, {&x})) norm += s;
  return std::sqrt(square / norm);
}

TEST_P(LowModes, AreKeptAndSaveIterations) {
  const ModeCase& of = GetParam();
  EigenvectorSettings keys;
  keys.modes = 6;
  keys.filter_degree = 10;
  const FoundModes found = find_modes(p_.links(), of.action, of.form, keys);
  EigenvectorInfo info;
  info.operator_entries = found.operator_entries;
  info.links = checksum_of_links(p_.grid, p_.gauge);
  info.values = found.report.values;
  info.bounds = found.report.bounds;
  EXPECT_TRUE(std::is_sorted(info.values.begin(), info.values.end()));

  DiracOperators operators(p_.links(), of.action, of.form, 1);
  const auto s = operators.outer(high_precision_storage);
  NormalOperator normal(s->iterated(), 1);
  LinearOperator& a = of.action->positive() ? s->iterated() : normal;
  for (int i = 0; i < keys.modes; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_LE(error_of(a, p_.grid, found.modes, i, info.values[at]), info.bounds[at] + 1e-5);
    EXPECT_LE(info.bounds[at], keys.tolerance * info.values[at]);
  }

  Field x, y;
  const FullSolveReport alone = solve(x, std::nullopt, MixedScheme::none);
  const struct {
    Precision stored;
    MixedScheme scheme;
    double more;  // iterations of the scheme alone
  } ways[] = {{Precision::single_precision, MixedScheme::none, 1},
              {Precision::half_precision, MixedScheme::reliable_updates, 1},
              {Precision::half_precision, MixedScheme::defect_correction, 1.35}};
  for (const auto& [stored, scheme, more] : ways) {
    SCOPED_TRACE(fmt::format("{}, {}", name_of(stored), name_of(scheme)));
    write_eigenvectors(path_, p_.grid, found.modes, info, stored);
    const FullSolveReport all = solve(y, 0, scheme);
    EXPECT_TRUE(alone.converged() && all.converged());
    EXPECT_LT(all.solve.iterations, more * alone.solve.iterations);
    EXPECT_LT(difference(x, y), 1e-5);
  }
  EXPECT_TRUE(solve(y, 2, MixedScheme::reliable_updates).converged());
  write_eigenvectors(path_, p_.grid, found.modes, info, Precision::single_precision);
  expect_that_modes_alone_approximate();
}

TEST(LowModesOf, OtherOperatorsAreRefused) {
  const ModeProblem p;
  const test::SharedDirectory directory;
  const std::string path = directory / "modes";
  const auto action = mode_cases()[0].action, other = mode_cases()[1].action;
  const auto form = Preconditioning::even_odd;
  DiracOperators operators(p.links(), action, form, 1);
  const auto kept = operators.outer(high_precision_storage);
  LinearOperator& s = kept->iterated();
  EigenvectorInfo info;
  info.operator_entries = operator_entries(*action, form);
  info.links = checksum_of_links(p.grid, p.gauge);
  info.values = {0.1, 0.2};
  info.bounds = {0, 0};
  FieldSpec two = Deflation::mode_spec(s);
  two.subfields = 2;
  write_eigenvectors(path, p.grid, Field(p.geometry, two), info, Precision::single_precision);
  const auto read = [&](int modes, const ActionPtr& of, Preconditioning by, const Field& gauge) {
    return read_deflation(path, modes, {&p.grid, gauge, p.queue, nullptr}, *of, by, s, 1);
  };
  EXPECT_EQ(read(0, action, form, p.gauge)->values(), info.values);
  EXPECT_EQ(read(1, action, form, p.gauge)->modes(), 1);
  const auto expect = [&](const std::string& part, int modes, const ActionPtr& of, Preconditioning by,
                          const Field& gauge) {
    try {
      read(modes, of, by, gauge);
      ADD_FAILURE() << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_file);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect("it holds 2 eigenvectors, 3 are to deflate", 3, action, form, p.gauge);
  expect("of another operator: type clover in the file, staggered here", 0, other, form, p.gauge);
  expect("of another operator: form even-odd in the file, even-odd-asymmetric here", 0, action,
         Preconditioning::even_odd_asymmetric, p.gauge);
  Field links(p.geometry, p.gauge.spec());
  copy(links, p.gauge);
  set_real(links, 0, 0, 0, 0, 0.5);
  expect("of another operator: checksum of the links", 0, action, form, links);
}

}  // namespace
}  // namespace plaq::low_modes_test
