// Solver studies from end to end: what is in the file, the tables, any number of ranks, kills and stops.
#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "jobs/solver_study/study_spec.hpp"
#include "tests/jobs/program/launched.hpp"
#include "tests/jobs/program/propagator_program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Launched;
using test::Numbers;
using test::Outcome;

namespace fs = std::filesystem;

constexpr const char* study_job = R"(job = "solver_study"
[gauge]
files = ["field.*.nersc"]
[action]
masses = [0.6, 0.2, 0.35]
[study]
solvers = [
  "cg, double 18",
  "bicgstab, double 18",
  "bicgstab, half 12 in double 18, reliable updates 0.1",
  "bicgstab, single 8 in double 18, defect correction 1e-3",
  "bicgstab, single 12",
]
baseline = "bicgstab, double 18"
sources = 2
tolerance = 1e-11
[output]
file = "study.h5"
[run]
location = "host"
threads = 1
)";
constexpr std::size_t configurations = 2, masses = 3, solvers = 5, sources = 2;
constexpr const char* solves[] = {
    "iterations",         "updates", "outcome", "true_residual", "inner_applications",
    "outer_applications", "flops",   "bytes"};

class ProgramSolverStudy : public test::PropagatorProgram {
 protected:
  void SetUp() override {
    PropagatorProgram::SetUp();
    box_.write("study.toml", study_job);
  }
  Outcome study(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run study.toml " + more, ranks);
  }
  Numbers numbers(const std::string& name) const { return test::read_numbers((box_ / name).string()); }
  // All but what a clock says.
  static void expect_same(const Numbers& found, const Numbers& expected) {
    for (const std::string name : solves)
      EXPECT_TRUE(found.at("/solves/" + name) == expected.at("/solves/" + name)) << name;
  }
  static std::size_t at(std::size_t c, std::size_t m, std::size_t s, std::size_t source) {
    return ((c * masses + m) * solvers + s) * sources + source;
  }
};

TEST_F(ProgramSolverStudy, FileHoldsWhatWasFound) {
  const Outcome outcome = study();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Numbers found = numbers("study.h5");
  for (const std::string name : {"iterations", "updates", "outcome", "true_residual"})
    EXPECT_EQ(found.at("/solves/" + name).extents,
              (std::vector<std::size_t>{configurations, masses, solvers, sources}))
        << name;
  for (const std::string name :
       {"seconds", "seconds_median", "flops", "bytes", "inner_applications", "outer_applications"})
    EXPECT_EQ(found.at("/solves/" + name).extents,
              (std::vector<std::size_t>{configurations, masses, solvers, 1}))
        << name;
  EXPECT_EQ(found.at("/solves/setup_seconds").extents,
            (std::vector<std::size_t>{configurations, masses, solvers}));
  const auto &residual = found.at("/solves/true_residual").values,
             &ended = found.at("/solves/outcome").values, &iterations = found.at("/solves/iterations").values,
             &updates = found.at("/solves/updates").values;
  for (std::size_t c = 0; c < configurations; ++c)
    for (std::size_t k = 0; k < sources; ++k) {
      for (std::size_t m = 0; m < masses; ++m) {
        for (std::size_t s = 0; s + 1 < solvers; ++s) {
          EXPECT_EQ(ended[at(c, m, s, k)], 0);
          EXPECT_LE(residual[at(c, m, s, k)], 1e-11 * 1.000001);
          EXPECT_GT(residual[at(c, m, s, k)], 1e-15);
        }
        // Single precision alone stands far above: a finding.
        EXPECT_NE(ended[at(c, m, 4, k)], 0);
        EXPECT_GT(residual[at(c, m, 4, k)], 1e-9);
        EXPECT_LT(residual[at(c, m, 4, k)], 1e-5);
        EXPECT_GE(updates[at(c, m, 2, k)], 6);  // eleven decades, at least one an update
        EXPECT_GT(iterations[at(c, m, 0, k)], iterations[at(c, m, 1, k)]);  // two applications each
      }
      for (std::size_t s = 0; s < 3; ++s) {  // 0.6 is heavier than 0.35 than 0.2
        const double heavy = iterations[at(c, 0, s, k)], middle = iterations[at(c, 2, s, k)],
                     light = iterations[at(c, 1, s, k)];
        EXPECT_LT(heavy, light) << s;
        if (s < 2) {
          EXPECT_TRUE(heavy < middle && middle < light) << s;
        } else {  // an iteration more or less by rounding inside
          EXPECT_TRUE(heavy <= middle && middle <= light) << s;
        }
      }
    }
  for (const double seconds : found.at("/solves/seconds").values) EXPECT_GT(seconds, 0);
  for (const double seconds : found.at("/solves/setup_seconds").values) EXPECT_GT(seconds, 0);
  const Outcome info = box_.plaq("info --all study.h5");
  EXPECT_EQ(info.code, 0) << info.err;
  for (const char* part :
       {"solver_study", "0.6 0.2 0.35", "bicgstab, single 8 in double 18, defect correction 0.001",
        "baseline       bicgstab, double 18", "converged; maximum of iterations; breakdown"})
    EXPECT_NE(info.out.find(part), std::string::npos) << part << "\n" << info.out;
}

TEST_F(ProgramSolverStudy, TablesAreThoseOfTheFile) {
  const Outcome outcome = study("--set gauge.files=field.000002.nersc");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto iterations = numbers("study.h5").at("/solves/iterations").values;
  std::istringstream lines(outcome.out);
  std::vector<std::string> table;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 110u) << line;
    table.push_back(line);
  }
  const auto title = [&](const std::string& text) {
    return std::find_if(table.begin(), table.end(), [&](const auto& line) { return line.starts_with(text); });
  };
  auto row = title("One precision: iterations");
  ASSERT_NE(row, table.end()) << outcome.out;
  row = std::find_if(row, table.end(), [](const auto& line) { return line.starts_with("0.2 "); });
  ASSERT_NE(row, table.end()) << outcome.out;
  std::istringstream cells(*row);
  std::string mass, cg, bicgstab, single;
  cells >> mass >> cg >> bicgstab >> single;
  EXPECT_NEAR(std::stod(cg), (iterations[at(0, 1, 0, 0)] + iterations[at(0, 1, 0, 1)]) / 2, 0.5001);
  EXPECT_NEAR(std::stod(bicgstab), (iterations[at(0, 1, 1, 0)] + iterations[at(0, 1, 1, 1)]) / 2, 0.5001);
  EXPECT_EQ(single, "*");
  for (const char* text :
       {"Defect correction by inner tolerance, bicgstab in double 18: iterations and recomputed",
        "Reliable updates by delta, bicgstab in double 18: seconds",
        "One precision: seconds (speed-up against bicgstab, double 18)"})
    EXPECT_NE(title(text), table.end()) << text << "\n" << outcome.out;
  EXPECT_NE(outcome.out.find("(1.00)"), std::string::npos) << outcome.out;  // the baseline
}

TEST_F(ProgramSolverStudy, AnyNumberOfRanksAndAnyBatchFindTheSame) {
  const std::string clover = "--set action.type=clover --set action.c_sw=1.1 ";
  for (const std::string& more : {std::string(), clover + "--set study.preconditioning=even-odd-asymmetric ",
                                  std::string("--set study.preconditioning=none ")}) {
    const std::string one = "--set gauge.files=field.000002.nersc --set output.overwrite=true " + more;
    ASSERT_EQ(study(one).code, 0);
    const Numbers expected = numbers("study.h5");
    for (const int ranks : {2, 4}) {
      if (ranks == 4 && more.starts_with("--set study")) continue;  // with preconditioning
      const Outcome outcome = study(one, ranks);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      expect_same(numbers("study.h5"), expected);
    }
    const Outcome outcome = study(one + "--set study.batch=1 --set study.repeats=2 ", 2);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Numbers alone = numbers("study.h5");
    for (const std::string name : {"iterations", "updates", "outcome", "true_residual"})
      EXPECT_TRUE(alone.at("/solves/" + name) == expected.at("/solves/" + name)) << name;
    EXPECT_EQ(alone.at("/solves/seconds").extents, (std::vector<std::size_t>{1, masses, solvers, 2}));
  }
}

TEST_F(ProgramSolverStudy, ABaselineThatFailsIsAWarning) {
  const Outcome outcome = study("--set study.max_iterations=3 --set gauge.files=field.000002.nersc", 2);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("the baseline did not get there"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out.find("(1.00)"), std::string::npos) << outcome.out;
  const Numbers found = numbers("study.h5");
  for (const double code : found.at("/solves/outcome").values) EXPECT_EQ(code, 1);
  for (const double n : found.at("/solves/iterations").values) EXPECT_EQ(n, 3);
}

TEST_F(ProgramSolverStudy, KillsAndStopsGoOnWithTheNextMass) {
  std::string wide;
  const auto compare_with = [&](int repeats) {
    wide = "--set gauge.files=field.000002.nersc --set study.sources=8 --set study.repeats=" +
           std::to_string(repeats) + ' ';
    fs::remove(box_ / "calm.h5");
    ASSERT_EQ(study(wide + "--set output.file=calm.h5").code, 0);
  };
  ASSERT_NO_FATAL_FAILURE(compare_with(2));
  const auto finish = [&](int ranks) {
    const Outcome outcome = study(wide, ranks);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find(" of 3 masses of all fields are done and kept"), std::string::npos)
        << outcome.err;
    expect_same(numbers("study.h5"), numbers("calm.h5"));
    EXPECT_FALSE(exists("study.h5.journal"));
    EXPECT_NE(study(wide).err.find("study.h5 is complete: nothing to do"), std::string::npos);
    fs::remove(box_ / "study.h5");
  };
  // `end` at the second mass, when the first one is in the journal. Where the machine is so busy, or so fast, that
  // the job is done before, it is run again, at last with more to do.
  const auto interrupt = [&](int ranks, const std::function<void(Launched&)>& end) {
    std::string err;
    for (const int more : {0, 32, 128}) {
      if (more > 0) {
        ASSERT_NO_FATAL_FAILURE(compare_with(more));
      }
      for (int attempt = 0; attempt < 7; ++attempt) {
        Launched run(box_, "run study.toml " + wide, ranks);
        while (run.err().find("mass 0.2: cg") == std::string::npos && !run.ends_within(0))
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        end(run);
        if (!exists("study.h5")) return;
        fs::remove(box_ / "study.h5");
        err = run.err();
      }
    }
    FAIL() << "it was always done before:\n" << err;
  };
  for (const int ranks : {1, 2}) {
    SCOPED_TRACE(ranks);
    ASSERT_NO_FATAL_FAILURE(interrupt(ranks, [](Launched& run) { run.kill(); }));
    std::string plan = box_.plaq("plan study.toml " + wide).out;
    std::replace(plan.begin(), plan.end(), '\n', ' ');
    EXPECT_NE(plan.find(" of 3 masses of all fields are done, says study.h5.journal"), std::string::npos)
        << plan;
    // Another job does not take it for its own.
    expect_failure(study(wide + "--set study.seed=2"), 5, {"study.h5.journal", "[study] seed"});
    ASSERT_NO_FATAL_FAILURE(finish(3 - ranks));
  }
  for (const auto& [ranks, number, name] : {std::tuple{1, SIGTERM, "SIGTERM"}, {2, SIGUSR1, "SIGUSR1"}}) {
    SCOPED_TRACE(name);
    int code = -1;
    std::string err;
    ASSERT_NO_FATAL_FAILURE(interrupt(ranks, [&, wanted = number](Launched& run) {
      run.signal(wanted);
      ASSERT_TRUE(run.ends_within(60));
      code = run.code();
      err = run.err();
    }));
    EXPECT_EQ(code, 9) << err;
    EXPECT_NE(err.find(std::string("stopped by ") + name), std::string::npos) << err;
    ASSERT_NO_FATAL_FAILURE(finish(ranks));
  }
}

TEST_F(ProgramSolverStudy, WrongKeysAreNamed) {
  expect_failure(
      study("--set 'study.solvers=[\"cg, double 17\", \"gmres, double 18\"]' --set action.kappas=[0.1]", 2),
      3, {"\"cg, double 17\"", "\"gmres, double 18\"", "'masses' is given as well"});
  expect_failure(study("--set study.solver=cg"), 3, {"did you mean 'solvers'?"});
  EXPECT_FALSE(exists("study.h5"));
}

}  // namespace
}  // namespace plaq
