// Studies of solvers with multigrid: setups that are kept, and one for all masses.
#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/jobs/program/launched.hpp"
#include "tests/jobs/program/propagator_program.hpp"

namespace plaq::program_study_setups_test {
namespace {

using test::contents;
using test::expect_failure;
using test::Launched;
using test::Numbers;
using test::Outcome;

namespace fs = std::filesystem;

constexpr const char* first_setup = "setups/field.000002.nersc.mg.lime";
constexpr const char* second_setup = "setups/field.000004.nersc.mg.lime";
constexpr const char* study_job = R"(job = "study"
[gauge]
files = ["field.*.nersc"]
[action]
kappas = [0.16, 0.14, 0.15]
[study]
targets = []
memory_limit = false
solvers = [
  "bicgstab, double 18",
  "gcr(16) with multigrid, single 12 in double 18, defect correction 1e-4",
]
right_hand_sides = [2]
tolerance = 1e-9
[multigrid]
blocks = ["2x2x2x2"]
vectors = [6]
[output]
file = "study.h5"
[run]
location = "host"
threads = 1
)";
constexpr std::size_t masses = 3, solvers = 2;

class ProgramStudySetups : public test::PropagatorProgram {
 protected:
  void SetUp() override {
    PropagatorProgram::SetUp();
    fs::create_directory(box_ / "setups");
    box_.write("study.toml", study_job);
  }
  Outcome study(const std::string& more, int ranks = 1) const {
    return box_.plaq("run study.toml " + more, ranks);
  }
  Numbers numbers(const std::string& more, int ranks = 1) const {
    fs::remove(box_ / "study.h5");
    const Outcome outcome = study(more, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? test::read_numbers((box_ / "study.h5").string()) : Numbers{};
  }
  std::string bytes_of(const std::string& name) const { return contents(box_ / name); }
  // All but what a clock says; NaN is what solvers without multigrid have.
  static void expect_same(const Numbers& found, const Numbers& expected) {
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    for (const std::string name :
         {"iterations", "outcome", "true_residual", "multigrid_reduction", "multigrid_rounds"}) {
      const auto &a = found.at("/rows/" + name).values, &b = expected.at("/rows/" + name).values;
      EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end(), same)) << name;
    }
  }
  static void expect_converged(const Numbers& found) {
    for (const double code : found.at("/rows/outcome").values) EXPECT_EQ(code, 0);  // the first name
    for (const double residual : found.at("/rows/true_residual").values) EXPECT_LE(residual, 1e-9);
  }
};

const std::string kept = "--set multigrid.directory=setups ", one = "--set 'multigrid.setups=first mass' ";

// Setups of the first mass, which a setup job would make; later masses take what is there.
TEST_F(ProgramStudySetups, AreKeptAsThoseOfOtherJobs) {
  const Numbers without = numbers("");
  EXPECT_FALSE(fs::exists(box_ / first_setup));
  const Numbers made = numbers(kept);
  expect_converged(made);
  const std::string first = bytes_of(first_setup), second = bytes_of(second_setup);
  EXPECT_FALSE(first.empty());
  for (std::size_t solver = 0; solver < solvers; ++solver)  // first field, first mass
    EXPECT_EQ(made.at("/rows/iterations").values[solver], without.at("/rows/iterations").values[solver]);
  const Numbers used = numbers(kept, 2);
  expect_same(used, made);
  EXPECT_TRUE(bytes_of(first_setup) == first);
  EXPECT_TRUE(bytes_of(second_setup) == second);
  box_.write("setup.toml",
             "job = \"multigrid_setup\"\n[gauge]\nfiles = [\"field.*.nersc\"]\n[action]\nkappa = 0.16\n"
             "[solver]\ntolerance = 1e-9\ninner_links = 12\n[multigrid]\nblocks = [\"2x2x2x2\"]\n"
             "vectors = [6]\ndirectory = \"others\"\n[output]\nfile = \"setups.h5\"\n[run]\n"
             "location = \"host\"\nthreads = 1\n");
  fs::create_directory(box_ / "others");
  const Outcome others = box_.plaq("run setup.toml");
  ASSERT_EQ(others.code, 0) << others.err;
  EXPECT_TRUE(bytes_of("others/field.000002.nersc.mg.lime") == first);
  // Refreshed of the field before.
  fs::remove(box_ / second_setup);
  fs::remove(box_ / "study.h5");
  const Outcome refreshed = study(kept + "--set multigrid.refresh=true");
  EXPECT_EQ(refreshed.code, 0) << refreshed.err;
  EXPECT_NE(refreshed.err.find("are refreshed"), std::string::npos) << refreshed.err;
  EXPECT_TRUE(fs::exists(box_ / second_setup));
}

TEST_F(ProgramStudySetups, WhatIsOfNoUseIsOneError) {
  expect_failure(study("--set multigrid.refresh=true"), 3,
                 {"missing key 'directory' in [multigrid]", "refreshed"});
  expect_failure(study("--set 'multigrid.setups=some mass'"), 3, {"setups", "\"first mass\""});
  expect_failure(study(kept + "--set output.file=" + first_setup), 3, {first_setup, "a name of its own"});
  numbers(kept);
  const std::string good = bytes_of(first_setup);
  const std::string other = kept + "--set output.file=other.h5 ";
  expect_failure(study(other + "--set multigrid.vectors=[4]", 2), 4,
                 {first_setup, "holds 6 near-null vectors, 4 are wanted", "not replaced"});
  std::string bad = good;
  bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 1);
  box_.write(first_setup, bad);
  expect_failure(study(other), 4, {first_setup, "the near-null vectors are damaged"});
  EXPECT_TRUE(bytes_of(first_setup) == bad);
}

TEST_F(ProgramStudySetups, OneServesAllMasses) {
  const Numbers each = numbers(""), found = numbers(one);
  expect_converged(found);
  const auto &own = each.at("/rows/iterations").values, &with = found.at("/rows/iterations").values,
             &seconds = found.at("/rows/setup_seconds").values,
             &rounds = found.at("/rows/multigrid_rounds").values;
  const auto at = [](std::size_t field, std::size_t mass) { return (field * masses + mass) * solvers + 1; };
  for (std::size_t field = 0; field < 2; ++field) {
    EXPECT_EQ(with[at(field, 0)], own[at(field, 0)]);
    EXPECT_EQ(with[at(field, 0) - 1], own[at(field, 0) - 1]);
    for (std::size_t mass = 1; mass < masses; ++mass) {
      EXPECT_LE(with[at(field, mass)], own[at(field, mass)] + 4);
      EXPECT_GT(seconds[at(field, mass)], 0);
      EXPECT_EQ(rounds[at(field, mass)], rounds[at(field, 0)]);
    }
  }
  for (const int ranks : {2, 4}) expect_same(numbers(one, ranks), found);
  // With files: the first mass is looked up in them, no other one.
  expect_same(numbers(one + kept), found);
  const std::string file = bytes_of(first_setup);
  expect_same(numbers(one + kept), found);
  EXPECT_TRUE(bytes_of(first_setup) == file);
}

// A run that goes on behind the first mass makes its setup again.
TEST_F(ProgramStudySetups, KillsChangeNoBit) {
  const std::string more = one + "--set gauge.files=field.000002.nersc --set study.samples=40 ";
  const Numbers calm = numbers(more);
  for (const int ranks : {1, 2}) {
    SCOPED_TRACE(ranks);
    for (int attempt = 0;; ++attempt) {
      ASSERT_LT(attempt, 7) << "it was always done before";
      fs::remove(box_ / "study.h5");
      Launched run(box_, "run study.toml " + more, ranks);
      while (run.err().find("mass -0.428571: bicgstab") == std::string::npos && !run.ends_within(0))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      run.kill();
      if (!exists("study.h5")) break;
    }
    const Outcome on = study(more, ranks);
    ASSERT_EQ(on.code, 0) << on.err;
    EXPECT_NE(on.err.find(" of 3 tasks are done and kept"), std::string::npos) << on.err;
    expect_same(test::read_numbers((box_ / "study.h5").string()), calm);
  }
}

// More right-hand sides than a propagator has columns: each as in small batches.
TEST_F(ProgramStudySetups, BatchesOfAnySize) {
  const std::string more =
      "--set gauge.files=field.000002.nersc --set action.kappas=[0.16] --set study.sources=48 ";
  const auto of = [&](int batch, int ranks) {
    const Numbers found =
        numbers(more + "--set study.right_hand_sides=[" + std::to_string(batch) + "]", ranks);
    expect_converged(found);
    return found;
  };
  const Numbers alone = of(1, 1);
  for (const auto& [batch, ranks] : {std::pair{16, 1}, {24, 1}, {48, 1}, {48, 2}}) {
    SCOPED_TRACE(batch);
    const Numbers found = of(batch, ranks);
    // A row for each batch of each solver, with the most of its right-hand sides.
    const std::size_t batches = static_cast<std::size_t>(48 / batch), each = static_cast<std::size_t>(batch);
    for (const std::string name : {"/rows/iterations", "/rows/true_residual"})
      for (std::size_t i = 0; i < solvers * batches; ++i) {
        const auto first = alone.at(name).values.begin() + static_cast<std::ptrdiff_t>(i * each);
        EXPECT_EQ(found.at(name).values.at(i),
                  *std::max_element(first, first + static_cast<std::ptrdiff_t>(each)))
            << name << " " << i;
      }
  }
}

// A setup is for all columns of all sources of a field; of a study as if for one propagator.
TEST_F(ProgramStudySetups, AreForTheSolvesOfTheJob) {
  const Outcome two = propagator(
      "--set solver.preconditioner=multigrid --set multigrid.blocks=2x2x2x2 --set multigrid.vectors=[4] "
      "--set source.count=2 --set source.shift=[0,0,0,1] --set gauge.files=field.000002.nersc");
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_NE(two.err.find("rounds for 24 solves"), std::string::npos) << two.err;
  const Outcome of_study = study("--set gauge.files=field.000002.nersc");
  EXPECT_NE(of_study.err.find("rounds for 12 solves"), std::string::npos) << of_study.err;
}

}  // namespace
}  // namespace plaq::program_study_setups_test
