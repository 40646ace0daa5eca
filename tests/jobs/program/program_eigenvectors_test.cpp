// Eigenvectors from end to end: jobs that find them, and propagators and studies that they deflate.
#include <algorithm>

#include "tests/jobs/program/propagator_program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Numbers;
using test::Outcome;

namespace fs = std::filesystem;

constexpr const char* first_modes = "modes/field.000002.nersc.eig.lime";
constexpr const char* second_modes = "modes/field.000004.nersc.eig.lime";
constexpr const char* by_modes = "--set solver.deflation=modes ";

class ProgramEigenvectors : public test::PropagatorProgram {
 protected:
  void SetUp() override {
    PropagatorProgram::SetUp();
    fs::create_directory(box_ / "modes");
    std::string job = test::propagator_job;
    box_.write("propagator.toml", job.replace(job.find("0.11"), 4, "0.16"));
    box_.write("eigenvectors.toml", R"(job = "eigenvectors"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.16
[eigenvectors]
directory = "modes"
modes = 6
[output]
file = "eigenvalues.h5"
[run]
location = "host"
threads = 1
)");
  }
  Outcome eigenvectors(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run eigenvectors.toml " + more, ranks);
  }
  // NERSC, unit links on 4x4x4x4.
  void write_unit_links() const {
    std::string text =
        "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = 4D_SU3_GAUGE_3x3\nDIMENSION_1 = 4\nDIMENSION_2 = 4\n"
        "DIMENSION_3 = 4\nDIMENSION_4 = 4\nLINK_TRACE = 1.0\nPLAQUETTE = 1.0\nBOUNDARY_1 = PERIODIC\n"
        "BOUNDARY_2 = PERIODIC\nBOUNDARY_3 = PERIODIC\nBOUNDARY_4 = PERIODIC\nCHECKSUM = 0\n"
        "FLOATING_POINT = IEEE64BIG\nEND_HEADER\n";
    const std::string one("\x3f\xf0\0\0\0\0\0\0", 8), zero(8, '\0');
    for (int link = 0; link < 4 * 4 * 4 * 4 * 4; ++link)
      for (int i = 0; i < 9; ++i) text += (i % 4 == 0 ? one : zero) + zero;
    box_.write("unit.nersc", text);
  }
  // Modes of the free quark of mass 0.1 on these links have the same bits on two ranks.
  std::vector<double> free_values(const std::string& action, int modes) const {
    const auto run = [&](int ranks) {
      const Outcome found = eigenvectors(
          "--set 'gauge.files=[\"unit.nersc\"]' --set action.kappa= --set action.mass=0.1 " + action +
              " --set output.overwrite=true --set output.file=free.h5 --set eigenvectors.modes=" +
              std::to_string(modes),
          ranks);
      EXPECT_EQ(found.code, 0) << found.err;
      return found.code == 0 ? bytes_of("free.h5") + bytes_of("modes/unit.nersc.eig.lime") : "";
    };
    const std::string one = run(1);
    if (one.empty()) return {};
    const auto values = test::read_numbers((box_ / "free.h5").string()).at("/modes/eigenvalue").values;
    EXPECT_TRUE(run(2) == one);
    return values;
  }
  std::string bytes_of(const std::string& name) const { return contents(box_ / name); }
  static double most(const Numbers& numbers, const char* name) {
    const auto& values = numbers.at(name).values;
    return *std::max_element(values.begin(), values.end());
  }
};

TEST_F(ProgramEigenvectors, DeflateSolves) {
  const Outcome found = eigenvectors();
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_NE(found.err.find("wrote eigenvalues.h5"), std::string::npos) << found.err;
  const Numbers modes = test::read_numbers((box_ / "eigenvalues.h5").string());
  const auto& values = modes.at("/modes/eigenvalue").values;
  const auto& bounds = modes.at("/modes/error_bound").values;
  ASSERT_EQ(values.size(), 12u);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_LE(bounds[i], 1e-3 * values[i]);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.begin() + 6));

  const Numbers alone = run("alone", ""), with = run("with", by_modes),
                few = run("few", std::string(by_modes) + "--set solver.deflation_modes=2");
  const char* iterations = "/solves/iterations";
  EXPECT_LT(most(with, iterations), most(few, iterations));
  EXPECT_LT(most(with, iterations), 0.9 * most(alone, iterations));
  const auto &expected = alone.at(test::pion).values, &deflated = with.at(test::pion).values;
  for (std::size_t i = 0; i < expected.size(); i += 2)  // real parts
    EXPECT_NEAR(deflated[i] / expected[i], 1, 1e-6);

  // On two ranks the same bits, of files and of what is computed with them.
  const std::string file = bytes_of(first_modes), results = bytes_of("eigenvalues.h5");
  const Outcome again = eigenvectors("--set output.overwrite=true", 2);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(bytes_of(first_modes) == file);
  EXPECT_TRUE(bytes_of("eigenvalues.h5") == results);
  EXPECT_TRUE(run("two", by_modes, 2) == with);
  const auto shown = box_.plaq(std::string("info ") + first_modes);
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("eigenvectors, single precision"), std::string::npos) << shown.out;
}

// On unit links each eigenvalue has many copies: one Krylov space has one of each, and ends.
TEST_F(ProgramEigenvectors, EveryCopyOfDegenerateOnesIsFound) {
  write_unit_links();
  // Wilson: p = 0 but for p_4 = +-pi/4, +-3 pi/4; the lowest have 2 signs, 4 spins, 3 colors.
  const auto some = free_values("", 16);
  ASSERT_EQ(some.size(), 16u);
  for (const double value : some) EXPECT_NEAR(value / some[0], 1, 1e-6);
  EXPECT_NEAR(some[0], 0.1423, 1e-4);
  const auto wilson = free_values("", 26);
  ASSERT_EQ(wilson.size(), 26u);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(wilson[i] / some[0], 1, 1e-6) << i;
  EXPECT_GT(wilson[24], 1.1 * some[0]);
  // Staggered: m^2 + sum of sin^2 p, for 8 momenta in space, 4 in time and 3 colors, half of them on even sites.
  const auto staggered = free_values("--set action.type=staggered", 50);
  ASSERT_EQ(staggered.size(), 50u);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_NEAR(staggered[i], i < 48 ? 0.51 : 1.51, 1e-6) << i;
}

TEST_F(ProgramEigenvectors, ASearchForCopiesThatDoesNotEndIsNoSuccess) {
  write_unit_links();
  expect_failure(
      eigenvectors("--set 'gauge.files=[\"unit.nersc\"]' --set action.kappa= --set action.mass=0.1 "
                   "--set eigenvectors.modes=26 --set eigenvectors.max_applications=400"),
      6, {"26 of 26 modes", "the search for others as low did not end", "max_applications"});
}

TEST_F(ProgramEigenvectors, OfOtherOperatorsAreRefused) {
  ASSERT_EQ(eigenvectors().code, 0);
  const std::string with = by_modes;
  expect_failure(propagator(with + "--set action.kappa=0.155"), 4,
                 {first_modes, "of another operator: mass", "in the file"});
  expect_failure(propagator(with + "--set 'action.boundary=[1,1,1,1]'"), 4,
                 {first_modes, "boundary 1 1 1 -1"});
  expect_failure(propagator(with + "--set solver.deflation_modes=7"), 4,
                 {"it holds 6 eigenvectors, 7 are to deflate"});
  fs::rename(box_ / second_modes, box_ / first_modes);
  expect_failure(propagator(with), 4, {first_modes, "checksum of the links"});
  fs::remove(box_ / first_modes);
  const Outcome missing = propagator(with);
  expect_failure(missing, 4, {first_modes, "no such file", "job type eigenvectors"});
  EXPECT_EQ(missing.err.find("links = 18"), std::string::npos) << missing.err;
  // Keys.
  expect_failure(propagator(with + "--set solver.method=bicgstab"), 3, {"deflation", "\"cg\" and \"cgne\""});
  expect_failure(propagator("--set solver.deflation_modes=7"), 3, {"deflation"});
  expect_failure(eigenvectors("--set eigenvectors.basis=7 --set output.overwrite=true"), 3, {"at least 8"});
  // Outputs that are there are not replaced unasked.
  ASSERT_EQ(eigenvectors("--set output.overwrite=true").code, 0);
  fs::remove(box_ / "eigenvalues.h5");
  expect_failure(eigenvectors(), 5, {first_modes});
}

TEST_F(ProgramEigenvectors, AreComparedInStudies) {
  ASSERT_EQ(eigenvectors("--set eigenvectors.precision=half").code, 0);
  box_.write("study.toml", R"(job = "solver_study"
[gauge]
files = ["field.*.nersc"]
[action]
kappas = [0.16]
[study]
solvers = ["cg, double 18", "cg with deflation(2), double 18",
           "cgne with deflation, single 12 in double 18, reliable updates 0.1"]
deflation = "modes"
[output]
file = "study.h5"
[run]
location = "host"
threads = 1
)");
  const Outcome planned = box_.plaq("plan study.toml");
  EXPECT_EQ(planned.code, 0) << planned.err;
  EXPECT_NE(planned.out.find("eigenvectors"), std::string::npos) << planned.out;
  const Outcome study = box_.plaq("run study.toml");
  ASSERT_EQ(study.code, 0) << study.err;
  const Numbers numbers = test::read_numbers((box_ / "study.h5").string());
  const auto& iterations = numbers.at("/solves/iterations").values;
  ASSERT_EQ(iterations.size(), 6u);
  for (std::size_t field = 0; field < 2; ++field) {
    EXPECT_NE(iterations[3 * field + 1], iterations[3 * field]);
    EXPECT_LT(iterations[3 * field + 2], std::min(iterations[3 * field], iterations[3 * field + 1]));
  }
  for (const double outcome : numbers.at("/solves/outcome").values) EXPECT_EQ(outcome, 0);
  expect_failure(box_.plaq("run study.toml --set study.deflation= --set output.file=other.h5"), 3,
                 {"deflation", "finds its eigenvectors"});
}

}  // namespace
}  // namespace plaq
