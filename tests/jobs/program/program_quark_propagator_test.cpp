// Quark propagators in momentum space: on unit links the analytic ones at every momentum, with any boundary conditions;
// the same numbers on any ranks; fields that are not fixed.
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <map>

#include "tests/jobs/program/program.hpp"
#include "tests/jobs/results/result_data.hpp"
#include "tests/reference/dense.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/wilson.hpp"

namespace plaq {
namespace {

using ComplexNumber = std::complex<double>;
using test::contents;
using test::expect_failure;
using Numbers = std::map<std::string, test::StoredNumbers>;

const reference::Lattice lattice{{4, 4, 4, 8}};

// NERSC, unit links in double.
std::string unit_field() {
  std::string text =
      "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = 4D_SU3_GAUGE_3x3\nDIMENSION_1 = 4\nDIMENSION_2 = 4\n"
      "DIMENSION_3 = 4\nDIMENSION_4 = 8\nLINK_TRACE = 1.0\nPLAQUETTE = 1.0\nBOUNDARY_1 = PERIODIC\n"
      "BOUNDARY_2 = PERIODIC\nBOUNDARY_3 = PERIODIC\nBOUNDARY_4 = PERIODIC\nCHECKSUM = 0\n"
      "FLOATING_POINT = IEEE64BIG\nEND_HEADER\n";
  const std::string one("\x3f\xf0\0\0\0\0\0\0", 8), zero(8, '\0');
  for (int link = 0; link < 4 * lattice.volume(); ++link)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) text += (i == j ? one : zero) + zero;
  return text;
}

constexpr const char* quark_job = R"(job = "propagator"
[gauge]
files = ["unit.nersc"]
[action]
mass = 0.3
[source]
position = [1, 3, 2, 5]
[solver]
tolerance = 1e-13
[quark_propagator]
max_n = 2
max_n_t = 4
[output]
file = "quark.h5"
[run]
location = "host"
threads = 1
)";

constexpr const char* landau_job = R"(job = "gaugefix"
[gauge]
files = ["field.*.nersc"]
[fixing]
gauge = "landau"
theta = 1e-14
[output]
file = "fixed.h5"
[run]
location = "host"
threads = 1
)";

class QuarkPropagatorJob : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("quark.toml", quark_job);
    box_.write("unit.nersc", unit_field());
  }
  Numbers run(const std::string& more = "", int ranks = 1) const {
    const auto outcome = box_.plaq("run quark.toml --set output.overwrite=true " + more, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? test::read_numbers((box_ / "quark.h5").string()) : Numbers{};
  }
  test::Sandbox box_;
};

reference::SpinMatrix inverse(const reference::SpinMatrix& m) {
  reference::ComplexDense dense(4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) dense(i, j) = m(i, j);
  const reference::ComplexDense inverted = dense.inverse();
  reference::SpinMatrix result;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) result(i, j) = inverted(i, j);
  return result;
}

// Where p_mu and -p_mu are the same momentum, the average over reflections has no vector.
bool is_odd(const reference::WilsonParameters& parameters, const std::array<int, 4>& n, int mu) {
  const auto at = static_cast<std::size_t>(mu);
  return parameters.boundary[at] < 0 || (2 * n[at]) % lattice.extents[at] != 0;
}

void expect_free(const Numbers& found, const reference::WilsonParameters& parameters, std::int64_t momenta) {
  ASSERT_TRUE(found.contains("/quark_propagator/scalar"));
  const auto& n = found.at("/quark_propagator/n").values;
  const auto& count = found.at("/quark_propagator/count").values;
  const auto scalar = found.at("/quark_propagator/scalar").at(0).at(0).values,
             vector = found.at("/quark_propagator/vector").at(0).at(0).values;
  double all = 0;
  for (std::size_t row = 0; row < count.size(); ++row) {
    all += count[row];
    std::array<int, 4> at{};
    for (std::size_t mu = 0; mu < 4; ++mu) at[mu] = static_cast<int>(n[4 * row + mu]);
    const auto p = reference::momentum(parameters, lattice, at);
    const auto s = inverse(reference::wilson_symbol(parameters, p));
    EXPECT_LT(std::abs(ComplexNumber(scalar[2 * row], scalar[2 * row + 1]) - reference::trace(s) / 4.0),
              1e-12)
        << row;
    for (int mu = 0; mu < 4; ++mu) {
      const std::size_t i = 4 * row + static_cast<std::size_t>(mu);
      const ComplexNumber expected =
          is_odd(parameters, at, mu) ? reference::trace(reference::gamma(mu) * s) / 4.0 : ComplexNumber(0);
      EXPECT_LT(std::abs(ComplexNumber(vector[2 * i], vector[2 * i + 1]) - expected), 1e-12)
          << row << " " << mu;
      EXPECT_NEAR(found.at("/quark_propagator/p").values[i], p[static_cast<std::size_t>(mu)], 1e-14);
    }
  }
  EXPECT_EQ(all, static_cast<double>(momenta));
}

// What the file says of the tree level, which analysis takes out.
void expect_tree_level(const Numbers& found, double bound) {
  ASSERT_TRUE(found.contains("/quark_propagator/tree_vector"));
  const auto &v = found.at("/quark_propagator/tree_vector").values,
             &s = found.at("/quark_propagator/tree_scalar").values;
  const auto& k = found.at("/quark_propagator/k").values;
  const auto scalar = found.at("/quark_propagator/scalar").at(0).at(0).values,
             vector = found.at("/quark_propagator/vector").at(0).at(0).values;
  for (std::size_t row = 0; row < s.size(); ++row) {
    EXPECT_NEAR(scalar[2 * row], s[row], bound * (1 + std::abs(s[row])));
    for (std::size_t mu = 0; mu < 4; ++mu)
      EXPECT_NEAR(vector[2 * (4 * row + mu) + 1], -k[4 * row + mu] * v[row], bound * (1 + std::abs(v[row])));
  }
}

TEST_F(QuarkPropagatorJob, OnUnitLinksIsTheInverseOfTheSymbol) {
  reference::WilsonParameters parameters;
  parameters.mass = 0.3;
  Numbers found = run();
  expect_free(found, parameters, 512);
  expect_tree_level(found, 1e-12);
  EXPECT_NEAR(found.at("/quark_propagator/tree_mass").values.at(0), 0.3, 1e-14);
  EXPECT_EQ(found.at("/quark_propagator/scalar").extents, (std::vector<std::size_t>{1, 1, 40, 2}));
  parameters.boundary = {-1, 1, 1, 1};
  found = run("--set action.boundary=[-1,1,1,1] --set source.count=2 --set source.shift=[3,2,1,6]");
  expect_free(found, parameters, 512);
  EXPECT_EQ(found.at("/quark_propagator/scalar").extents.at(1), 2u);
  const auto& both = found.at("/quark_propagator/vector").at(0);
  for (std::size_t i = 0; i < both.at(0).values.size(); ++i)
    EXPECT_NEAR(both.at(0).values[i], both.at(1).values[i], 1e-12);
  parameters.boundary = {-1, -1, -1, -1};
  parameters.xi = 2.5;
  parameters.nu = 1.2;
  found = run("--set action.boundary=[-1,-1,-1,-1] --set action.xi=2.5 --set action.nu=1.2", 2);
  expect_free(found, parameters, 512);
  expect_tree_level(found, 1e-12);
}

TEST_F(QuarkPropagatorJob, DomainWallsOnUnitLinksAreTheirTreeLevel) {
  const std::string walls =
      "--set action.type=domain_wall --set action.n_s=6 --set action.m0=1.4 --set solver.tolerance=1e-12 ";
  for (const char* variant :
       {"--set action.variant=shamir --set action.xi=1.5 --set action.nu=1.2",
        "--set action.variant=moebius --set action.b5=1.5 --set action.c5=0.5",
        "--set action.variant=optimal --set action.bounds=[0.3,6.4]",
        "--set action.omega=[1.5,1.2,0.8,1.0,1.1,1.4] --set action.sigma=[0.5,0.1,0.3,0.0,0.2,0.4]"}) {
    SCOPED_TRACE(variant);
    expect_tree_level(run(walls + variant), 2e-11);
  }
}

TEST_F(QuarkPropagatorJob, SameFilesOnAnyRanksAndFixedFieldsAlone) {
  box_.write("generate.toml", test::generate_job);
  box_.write("fix.toml", landau_job);
  ASSERT_EQ(box_.plaq("run generate.toml").code, 0);
  ASSERT_EQ(box_.plaq("run fix.toml").code, 0);
  const std::string keys =
      "--set 'gauge.files=[\"landau.field.*.nersc\"]' --set action.type=clover --set action.c_sw=1.0 --set "
      "action.mass=0.5 --set solver.tolerance=1e-9 ";
  std::string alone;
  for (const auto& [ranks, comms] : {std::pair{1, ""}, {2, ""}, {4, "--set comms.process_grid=[2,2,1,1]"}}) {
    const Numbers found = run(keys + comms, ranks);
    const std::string bytes = contents(box_ / "quark.h5");
    if (alone.empty()) alone = bytes;
    EXPECT_TRUE(bytes == alone) << ranks << ": other bytes";
    ASSERT_TRUE(found.contains("/quark_propagator/scalar"));
    EXPECT_EQ(found.at("/quark_propagator/scalar").extents, (std::vector<std::size_t>{2, 1, 40, 2}));
  }
  expect_failure(
      box_.plaq("run quark.toml --set output.overwrite=true --set 'gauge.files=[\"field.000002.nersc\"]'"), 4,
      {"field.000002.nersc", "theta of Landau gauge", "max_theta", "[quark_propagator]"});
  expect_failure(box_.plaq("run quark.toml --set source.type=wall"), 3, {"max_n", "point"});
  expect_failure(box_.plaq("run quark.toml --set quark_smearing.steps=2 --set quark_smearing.sigma=1.0"), 3,
                 {"max_n", "source = false"});
  expect_failure(box_.plaq("run quark.toml --set action.type=staggered"), 3, {"max_n", "staggered"});
}

}  // namespace
}  // namespace plaq
