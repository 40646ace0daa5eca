// Studies of whole solves from end to end: rows, any number of ranks, kills and stops.
#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tests/jobs/program/launched.hpp"
#include "tests/jobs/program/propagator_program.hpp"

namespace plaq::program_study_solvers_test {
namespace {

using Json = nlohmann::json;
using test::contents;
using test::expect_failure;
using test::Launched;
using test::Outcome;

namespace fs = std::filesystem;

constexpr const char* study_job = R"(job = "study"
[gauge]
files = ["field.*.nersc"]
[action]
masses = [0.6, 0.2, 0.35]
[study]
targets = []
memory_limit = false
solvers = [
  "bicgstab, double 18",
  "cg, double 18",
  "bicgstab, half 12 in double 18, reliable updates 0.1",
  "bicgstab, single 8 in double 18, defect correction 1e-3",
  "bicgstab, single 12",
]
right_hand_sides = [2]
tolerance = 1e-11
[output]
file = "study.h5"
json = "study.json"
overwrite = true
[run]
location = "host"
threads = 1
)";
constexpr std::size_t configurations = 2, masses = 3, solvers = 5;

class ProgramStudySolvers : public test::PropagatorProgram {
 protected:
  void SetUp() override {
    PropagatorProgram::SetUp();
    box_.write("study.toml", study_job);
  }
  Outcome study(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run study.toml " + more, ranks);
  }
  Json rows(const std::string& name = "study.json") const {
    return Json::parse(contents(box_ / name))["rows"];
  }
  // All but what a clock says, and where.
  static Json without_times(Json all) {
    for (Json& row : all)
      for (const char* key : {"seconds", "seconds_least", "seconds_most", "flops_per_second", "setup_seconds",
                              "speed_up", "process_grid", "ranks", "transport", "samples"})
        row.erase(key);
    return all;
  }
  static std::size_t at(std::size_t c, std::size_t m, std::size_t s) {
    return (c * masses + m) * solvers + s;
  }
};

TEST_F(ProgramStudySolvers, RowsHoldWhatWasFound) {
  const Outcome outcome = study();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json found = rows();
  ASSERT_EQ(found.size(), configurations * masses * solvers);
  const auto iterations = [&](std::size_t c, std::size_t m, std::size_t s) {
    return found[at(c, m, s)]["iterations"].get<int>();
  };
  for (std::size_t c = 0; c < configurations; ++c) {
    for (std::size_t m = 0; m < masses; ++m) {
      for (std::size_t s = 0; s < solvers; ++s) {
        const Json& row = found[at(c, m, s)];
        EXPECT_EQ(row["configuration"], c == 0 ? "field.000002.nersc" : "field.000004.nersc");
        EXPECT_EQ(row["mass"], m == 0 ? 0.6 : m == 1 ? 0.2 : 0.35);
        EXPECT_EQ(row["right_hand_sides"], 2);
        EXPECT_EQ(row["source"], 0);
        for (const char* positive : {"seconds", "setup_seconds", "flops", "bytes", "inner_applications"})
          EXPECT_GT(row[positive], 0) << positive;
        EXPECT_GE(row["outer_applications"], 0);
        if (s + 1 == solvers) continue;
        EXPECT_EQ(row["outcome"], "converged");
        EXPECT_LE(row["true_residual"], 1e-11 * 1.000001);
        EXPECT_GT(row["true_residual"], 1e-15);
        EXPECT_NEAR(row["speed_up"].get<double>(),
                    found[at(c, m, 0)]["seconds_least"].get<double>() / row["seconds_least"].get<double>(),
                    1e-9);
      }
      // Single precision alone stands far above: a finding.
      const Json& single = found[at(c, m, 4)];
      EXPECT_NE(single["outcome"], "converged");
      EXPECT_GT(single["true_residual"], 1e-9);
      EXPECT_LT(single["true_residual"], 1e-5);
      EXPECT_FALSE(single.contains("speed_up"));
      EXPECT_GE(found[at(c, m, 2)]["updates"], 6);          // eleven decades, at least one an update
      EXPECT_GT(iterations(c, m, 1), iterations(c, m, 0));  // BiCGstab has two applications each
    }
    for (std::size_t s = 0; s < 3; ++s) {  // 0.6 is heavier than 0.35 than 0.2
      const int heavy = iterations(c, 0, s), middle = iterations(c, 2, s), light = iterations(c, 1, s);
      EXPECT_LT(heavy, light) << s;
      if (s < 2) {
        EXPECT_TRUE(heavy < middle && middle < light) << s;
      } else {  // an iteration more or less by rounding inside
        EXPECT_TRUE(heavy <= middle && middle <= light) << s;
      }
    }
  }
  for (const char* column :
       {"iterations", "residual", "speed-up", "bicgstab, single 8 in double 18, defect correction 0.001"})
    EXPECT_NE(outcome.out.find(column), std::string::npos) << column << '\n' << outcome.out;
  const Outcome info = box_.plaq("info --all study.h5");
  EXPECT_EQ(info.code, 0) << info.err;
  for (const char* part :
       {"0.6 0.2 0.35", "bicgstab, single 8 in double 18, defect correction 0.001", "plaquette"})
    EXPECT_NE(info.out.find(part), std::string::npos) << part << "\n" << info.out;
}

// Operators on the same field, beside solves; also solves on random links.
TEST_F(ProgramStudySolvers, StandBesideOperators) {
  const std::string more =
      "--set 'study.targets=[\"hop\"]' --set 'study.storages=[\"double 18\"]' --set study.samples=1 --set "
      "'study.solvers=[\"cg, double 18\"]' --set action.masses=[0.6] ";
  ASSERT_EQ(study(more).code, 0);
  Json found = rows();
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0]["target"], "wilson_hop");
  EXPECT_EQ(found[0]["configuration"], "field.000002.nersc");
  EXPECT_NE(found[0]["checksum"], found[2]["checksum"]);
  EXPECT_EQ(found[1]["target"], "cg, double 18");
  const std::string random = more + "--set gauge.files=[] --set 'study.lattices=[\"4x4x4x8\"]' ";
  ASSERT_EQ(study(random).code, 0);
  found = rows();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1]["outcome"], "converged");
  EXPECT_FALSE(found[1].contains("configuration"));
  ASSERT_EQ(study(random, 2).code, 0);
  EXPECT_EQ(rows()[1]["checksum"], found[1]["checksum"]);
}

TEST_F(ProgramStudySolvers, AnyNumberOfRanksAndAnyBatchFindTheSame) {
  const std::string clover = "--set action.type=clover --set action.c_sw=1.1 ";
  for (const std::string& more : {std::string(), clover + "--set study.preconditioning=even-odd-asymmetric ",
                                  std::string("--set study.preconditioning=none ")}) {
    const std::string one = "--set gauge.files=field.000002.nersc " + more;
    ASSERT_EQ(study(one).code, 0);
    const Json expected = without_times(rows());
    for (const int ranks : {2, 4}) {
      if (ranks == 4 && more.starts_with("--set study")) continue;  // with preconditioning
      const Outcome outcome = study(one, ranks);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(without_times(rows()), expected);
    }
    // Several grids in one study: its solutions are compared.
    if (more.empty()) {
      ASSERT_EQ(study(one + "--set study.ranks=[1,2]", 2).code, 0);
      EXPECT_EQ(rows().size(), 2 * expected.size());
    }
    const Outcome outcome =
        study(one + "--set study.right_hand_sides=[1] --set study.sources=2 --set study.samples=2 ", 2);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json alone = rows();
    ASSERT_EQ(alone.size(), 2 * expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Json &first = alone[2 * i], &second = alone[2 * i + 1];
      EXPECT_EQ(second["source"], 1);
      for (const char* most : {"iterations", "updates", "true_residual"})
        EXPECT_EQ(std::max(first[most].get<double>(), second[most].get<double>()),
                  expected[i][most].get<double>())
            << most;
    }
  }
}

TEST_F(ProgramStudySolvers, AFirstSolverThatFailsIsAWarning) {
  const Outcome outcome = study("--set study.max_iterations=3 --set gauge.files=field.000002.nersc", 2);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("the first solver did not get there"), std::string::npos) << outcome.err;
  for (const Json& row : rows()) {
    EXPECT_EQ(row["outcome"], "maximum of iterations");
    EXPECT_EQ(row["iterations"], 3);
    EXPECT_FALSE(row.contains("speed_up"));
  }
}

TEST_F(ProgramStudySolvers, KillsAndStopsGoOnWithTheNextMass) {
  std::string wide;
  const std::string keep = "--set output.overwrite=false ";
  const auto compare_with = [&](int samples) {
    wide = "--set gauge.files=field.000002.nersc --set study.right_hand_sides=[8] --set study.samples=" +
           std::to_string(samples) + ' ' + keep;
    for (const char* file : {"calm.h5", "calm.json"}) fs::remove(box_ / file);
    ASSERT_EQ(study(wide + "--set output.file=calm.h5 --set output.json=calm.json").code, 0);
  };
  const auto clear = [&] {
    for (const char* file : {"study.h5", "study.json"}) fs::remove(box_ / file);
  };
  ASSERT_NO_FATAL_FAILURE(compare_with(2));
  const auto finish = [&](int ranks) {
    const Outcome outcome = study(wide, ranks);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find(" of 3 tasks are done and kept"), std::string::npos) << outcome.err;
    EXPECT_EQ(without_times(rows()), without_times(rows("calm.json")));
    EXPECT_FALSE(exists("study.h5.journal"));
    EXPECT_NE(study(wide, ranks).err.find("study.h5 is complete: nothing to do"), std::string::npos);
    clear();
  };
  // `end` at the second mass, when the first one is in the journal. Where the machine is so busy, or so fast,
  // that the job is done before, it is run again, at last with more to do.
  const auto interrupt = [&](int ranks, const std::function<void(Launched&)>& end) {
    std::string err;
    for (const int more : {0, 32, 128}) {
      if (more > 0) {
        ASSERT_NO_FATAL_FAILURE(compare_with(more));
      }
      for (int attempt = 0; attempt < 7; ++attempt) {
        Launched run(box_, "run study.toml " + wide, ranks);
        while (run.err().find("mass 0.2: bicgstab") == std::string::npos && !run.ends_within(0))
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        end(run);
        if (!exists("study.h5")) return;
        clear();
        err = run.err();
      }
    }
    FAIL() << "it was always done before:\n" << err;
  };
  for (const int ranks : {1, 2}) {
    SCOPED_TRACE(ranks);
    ASSERT_NO_FATAL_FAILURE(interrupt(ranks, [](Launched& run) { run.kill(); }));
    std::string plan = box_.plaq("plan study.toml --ranks " + std::to_string(ranks) + ' ' + wide).out;
    std::replace(plan.begin(), plan.end(), '\n', ' ');
    EXPECT_NE(plan.find(" of 3 tasks are done, says study.h5.journal"), std::string::npos) << plan;
    // Another job does not take it for its own.
    expect_failure(study(wide + "--set study.seed=2", ranks), 5, {"study.h5.journal", "[study] seed"});
    ASSERT_NO_FATAL_FAILURE(finish(ranks));
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

TEST_F(ProgramStudySolvers, WrongKeysAreNamed) {
  expect_failure(study("--set 'study.solvers=[\"cg, double 17\", \"gmres, double 18\"]'", 2), 3,
                 {"\"cg, double 17\"", "\"gmres, double 18\""});
  expect_failure(study("--set action.kappas=[0.1]"), 3, {"'masses' is given as well"});
  expect_failure(study("--set study.solver=cg"), 3, {"did you mean 'solvers'?"});
  EXPECT_FALSE(exists("study.h5"));
}

}  // namespace
}  // namespace plaq::program_study_solvers_test
