// Setups of multigrid on disk: jobs that find, keep, refresh and refuse them, and kills in the middle.
#include <signal.h>

#include <functional>

#include "core/launch/queue.hpp"
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

constexpr const char* first_field = "field.000002.nersc";
constexpr const char* first_setup = "setups/field.000002.nersc.mg.lime";
constexpr const char* second_setup = "setups/field.000004.nersc.mg.lime";
constexpr const char* multigrid_table = R"(
[multigrid]
blocks = ["2x2x2x2"]
vectors = [6]
directory = "setups"
checkpoint_minutes = 0
)";

class ProgramMultigrid : public test::PropagatorProgram {
 protected:
  void SetUp() override {
    PropagatorProgram::SetUp();
    fs::create_directory(box_ / "setups");
    std::string job = test::propagator_job;
    job.replace(job.find("0.11"), 4, "0.16");
    const std::string solver = "tolerance = 1e-9\n";
    box_.write("propagator.toml",
               job.insert(job.find(solver) + solver.size(),
                          std::string("preconditioner = \"multigrid\"\n") + multigrid_table));
    box_.write("setup.toml", std::string(R"(job = "multigrid_setup"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.16
[solver]
tolerance = 1e-9
[output]
file = "setups.h5"
[run]
location = "host"
threads = 1
)") + multigrid_table);
  }
  Outcome setup(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run setup.toml " + more, ranks);
  }
  std::string bytes_of(const std::string& name) const { return contents(box_ / name); }
  void forget(const std::string& name) const { fs::remove(box_ / name); }
  void forget_setups() const {
    fs::remove_all(box_ / "setups");
    fs::create_directory(box_ / "setups");
  }
  void damage(const std::string& name, const std::function<void(std::string&)>& change) const {
    std::string bytes = bytes_of(name);
    change(bytes);
    box_.write(name, bytes);
  }
};

void expect_says(const Outcome& outcome, const std::vector<std::string>& parts) {
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const auto& part : parts)
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
}

TEST_F(ProgramMultigrid, SetupsAreKeptOnlyWhereTheJobSaysSo) {
  expect_says(propagator("--set multigrid.directory="), {"multigrid: 4x4x4x8, 6 vectors to 2x2x2x4"});
  EXPECT_TRUE(fs::is_empty(box_ / "setups"));
  const Numbers without = test::read_numbers((box_ / "pion.h5").string());
  const Numbers with = run("with", "");
  EXPECT_TRUE(exists(first_setup) && exists(second_setup));
  EXPECT_EQ(without.at(test::pion).values, with.at(test::pion).values);
  for (const char* name :
       {"/solves/multigrid_lattices", "/solves/multigrid_rounds", "/solves/multigrid_reduction"})
    EXPECT_EQ(without.at(name).values, with.at(name).values) << name;
  EXPECT_EQ(with.at("/solves/multigrid_lattices").values, (std::vector<double>{1, 1}));
  for (const double rho : with.at("/solves/multigrid_reduction").values)
    EXPECT_TRUE(rho > 0 && rho < 0.9) << rho;
  // Found, used after one probe, and left as it is: the same bits.
  const std::string file = bytes_of(first_setup);
  fs::last_write_time(box_ / first_setup, fs::file_time_type{});
  expect_says(propagator("--set output.file=again.h5"),
              {std::string(first_setup) + ": 6 near-null vectors of", "it was made for this operator"});
  EXPECT_TRUE(test::read_numbers((box_ / "again.h5").string()) == with);
  EXPECT_EQ(fs::last_write_time(box_ / first_setup), fs::file_time_type{});
  // Another mass: used as well.
  expect_says(propagator("--set output.file=other.h5 --set action.kappa=0.155"),
              {"it was made for another mass: mass"});
  EXPECT_TRUE(bytes_of(first_setup) == file);
  const auto shown = box_.plaq(std::string("info ") + first_setup);
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("multigrid setup, single precision"), std::string::npos) << shown.out;
}

TEST_F(ProgramMultigrid, SetupJobsMakeWhatPropagatorsMake) {
  const Numbers made = run("made", "");
  const std::string first = bytes_of(first_setup), second = bytes_of(second_setup);
  std::string results;
  for (const int ranks : {1, 2}) {
    SCOPED_TRACE(ranks);
    forget_setups();
    expect_says(setup("--set output.overwrite=true", ranks), {"wrote setups.h5"});
    EXPECT_TRUE(bytes_of(first_setup) == first);
    EXPECT_TRUE(bytes_of(second_setup) == second);
    if (results.empty()) results = bytes_of("setups.h5");
    EXPECT_TRUE(bytes_of("setups.h5") == results);
  }
  expect_says(setup(), {"setups.h5 is complete: nothing to do"});
  const Numbers of_setups = test::read_numbers((box_ / "setups.h5").string());
  EXPECT_EQ(of_setups.at("/setups/reduction").values, made.at("/solves/multigrid_reduction").values);
  EXPECT_EQ(of_setups.at("/setups/rounds").values, made.at("/solves/multigrid_rounds").values);
  const auto &values = of_setups.at("/setups/check_value").values,
             &limits = of_setups.at("/setups/check_limit").values;
  ASSERT_EQ(values.size(), 10u);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_LE(values[i], limits[i]) << i;
  EXPECT_TRUE(run("used", "") == made);
}

// What a setup has chosen is in its file: other jobs, and the next field, take it from there without a probe.
TEST_F(ProgramMultigrid, ChoicesOfCyclesAreKept) {
  const std::string more = std::string("--set multigrid.refresh=true --set multigrid.dense_rows=0 ");
  const char *steps = "multigrid_smoothing_steps", *tolerance = "multigrid_coarse_tolerance";
  std::string first, second;
  for (const int ranks : {1, 2}) {
    forget_setups();
    const Outcome outcome = setup(more + "--set solver.solves=240 --set output.overwrite=true", ranks);
    expect_says(outcome, {" smoothing steps, coarse tolerance ", " probed; an iteration leaves"});
    const std::size_t probed = outcome.err.find(" probed; ");
    EXPECT_EQ(outcome.err.find(" probed; ", probed + 1), std::string::npos) << "on the second field, too";
    if (ranks == 1) first = bytes_of(first_setup), second = bytes_of(second_setup);
    EXPECT_TRUE(bytes_of(first_setup) == first);
    EXPECT_TRUE(bytes_of(second_setup) == second);
  }
  const Numbers of_setups = test::read_numbers((box_ / "setups.h5").string());
  const Numbers used = run("used", more);
  EXPECT_EQ(used.at(std::string("/solves/") + steps).values, of_setups.at("/setups/smoothing_steps").values);
  EXPECT_EQ(used.at(std::string("/solves/") + tolerance).values,
            of_setups.at("/setups/coarse_tolerance").values);
  EXPECT_EQ(used.at("/solves/multigrid_reduction").values, of_setups.at("/setups/reduction").values);
  EXPECT_TRUE(bytes_of(first_setup) == first);
  // Numbers in a job file are not chosen, and not taken from others.
  const Numbers named = run("named", more + "--set multigrid.smoothing_steps=3");
  EXPECT_EQ(named.at(std::string("/solves/") + steps).values, (std::vector<double>{3, 3}));
  EXPECT_EQ(named.at(std::string("/solves/") + tolerance).values,
            used.at(std::string("/solves/") + tolerance).values);
}

TEST_F(ProgramMultigrid, RefreshesFromTheFieldBefore) {
  expect_says(setup("--set multigrid.refresh=true"),
              {std::string(first_setup) + ": 6 near-null vectors", "are refreshed"});
  const std::string second = bytes_of(second_setup);
  // The same bits where the first field was set up by an earlier run.
  forget(second_setup);
  expect_says(setup("--set multigrid.refresh=true --set output.file=again.h5"), {"are refreshed"});
  EXPECT_TRUE(bytes_of(second_setup) == second);
  // A file that is there, of other links: refused, or refreshed and replaced.
  fs::copy_file(box_ / first_setup, box_ / second_setup, fs::copy_options::overwrite_existing);
  expect_failure(setup("--set output.file=other.h5", 2), 4,
                 {second_setup, "another gauge field", "refresh = true"});
  forget("other.h5.journal");
  EXPECT_TRUE(bytes_of(second_setup) == bytes_of(first_setup));
  expect_says(setup("--set multigrid.refresh=true --set output.file=other.h5"),
              {"it was made for another gauge field"});
  EXPECT_TRUE(bytes_of(second_setup) == second);
  // One of another action is left alone.
  forget(second_setup);
  const std::string clover =
      "--set multigrid.refresh=true --set output.file=clover.h5 --set action.type=clover "
      "--set action.c_sw=1.0 --set multigrid.directory=";
  fs::create_directory(box_ / "of_clover");
  expect_failure(setup(clover + "setups"), 4, {first_setup, "another action", "clover coefficient"});
  fs::copy_file(box_ / first_setup, box_ / "of_clover/field.000002.nersc.mg.lime");
  expect_failure(setup(clover + "of_clover"), 4, {"of_clover/field.000002", "another action"});
}

TEST_F(ProgramMultigrid, WhatIsOfNoUseIsOneError) {
  ASSERT_EQ(setup().code, 0);
  const std::string good = bytes_of(first_setup);
  const std::string other = std::string("--set gauge.files=") + first_field + " --set output.file=other.h5 ";
  struct Wrong {
    const char* more;
    std::vector<std::string> parts;
  };
  const std::vector<Wrong> all = {
      {"--set action.type=clover --set action.c_sw=1.1", {"another action", "clover coefficient"}},
      {"--set action.nu=0.9", {"another action", "nu 1 in the file, 0.9 here"}},
      {"--set action.boundary=[1,1,1,1]",
       {"other boundary conditions", "boundary signs 1 1 1 -1 in the file"}},
      {"--set multigrid.vectors=[4]", {"holds 6 near-null vectors, 4 are wanted"}}};
  for (const Wrong& wrong : all) {
    SCOPED_TRACE(wrong.more);
    std::vector<std::string> parts = wrong.parts;
    parts.insert(parts.end(), {first_setup, "not replaced", "name another directory"});
    expect_failure(propagator(other + wrong.more), 4, parts);
    expect_failure(setup(other + wrong.more, 2), 4, parts);
    EXPECT_TRUE(bytes_of(first_setup) == good);
  }
  // Of another lattice: the fields of one under the names of the other.
  box_.write("generate.toml", test::generate_job);
  ASSERT_EQ(box_.plaq("run generate.toml --set lattice.extents=[4,4,8,8] --set output.prefix=wide").code, 0);
  fs::rename(box_ / "wide.000002.nersc", box_ / first_field);
  expect_failure(propagator(other), 4, {first_setup, "another lattice", "4x4x4x8 in the file, 4x4x8x8 here"});
  box_.write(first_field, fields_[first_field]);
  // Damage: nothing is lost.
  const std::vector<std::pair<const char*, std::function<void(std::string&)>>> damages = {
      {"the near-null vectors are damaged",
       [](std::string& b) { b[b.size() / 2] = static_cast<char>(b[b.size() / 2] ^ 1); }},
      {"", [](std::string& b) { b[300] = static_cast<char>(b[300] ^ 1); }},
      {"", [](std::string& b) { b.resize(b.size() / 2); }},
      {"", [](std::string& b) { b.clear(); }}};
  for (const auto& [what, change] : damages) {
    box_.write(first_setup, good);
    damage(first_setup, change);
    const std::string bad = bytes_of(first_setup);
    for (const int ranks : {1, 2}) expect_failure(propagator(other, ranks), 4, {first_setup, what});
    EXPECT_TRUE(bytes_of(first_setup) == bad);
  }
  EXPECT_FALSE(exists("other.h5"));
}

TEST_F(ProgramMultigrid, WhatCannotBeWrittenIsSaidAtOnce) {
  for (const std::string directory : {"nowhere", "pion"}) {
    if (directory == "pion") box_.write("pion", "a file");
    const std::string there = "--set multigrid.directory=" + directory;
    expect_failure(propagator(there), 5, {directory + "/field.000002.nersc.mg.lime"});
    expect_failure(setup(there, 2), 5, {directory + "/field.000002.nersc.mg.lime"});
  }
  expect_failure(setup("--set multigrid.directory="), 3, {"missing key 'directory' in [multigrid]"});
  expect_failure(propagator("--set multigrid.directory= --set multigrid.refresh=true"), 3,
                 {"missing key 'directory' in [multigrid]"});
  fs::create_directory(box_ / "b");
  fs::copy_file(box_ / "field.000004.nersc", box_ / "b" / first_field);
  expect_failure(
      setup(std::string("--set 'gauge.files=[\"") + first_field + "\", \"b/" + first_field + "\"]'"), 3,
      {"would both have", first_setup});
  expect_failure(setup(std::string("--set output.file=") + first_setup), 3,
                 {first_setup, "a name of its own"});
}

// Said before anything is computed: no gauge field has been read.
TEST_F(ProgramMultigrid, GpusThatAreNotThereAreSaidAtOnce) {
  if (device_count() > 0) GTEST_SKIP() << "there are some";
  const std::string coarse = "--set 'multigrid.coarse_locations=[\"gpu\"]'";
  for (const Outcome& outcome : {propagator(coarse, 2), setup(coarse)}) {
    expect_failure(outcome, 8, {"coarse_locations = \"gpu\" was asked for, but "});
    EXPECT_EQ(outcome.err.find("plaquette"), std::string::npos) << outcome.err;
  }
  expect_failure(propagator("--set run.location=gpu"), 8, {"location = \"gpu\" was asked for, but "});
}

// kill -9 after rounds, a little later, and while a file is written; SIGTERM too. The same files as without.
TEST_F(ProgramMultigrid, KillsChangeNoBit) {
  const std::string more = "--set multigrid.filter_iterations=20 --set multigrid.refresh=true ";
  ASSERT_EQ(propagator(more).code, 0);
  const std::vector<std::string> files = {"pion.h5", first_setup, second_setup};
  std::map<std::string, std::string> calm;
  for (const auto& file : files) calm[file] = bytes_of(file);
  const auto being_written = [&] {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(box_ / "setups", ignored))
      if (entry.path().extension() == ".part") return true;
    return false;
  };
  const auto says = [](const char* text) {
    return [=](const Launched& run) { return run.err().find(text) != std::string::npos; };
  };
  const std::vector<std::function<bool(const Launched&)>> points = {
      says("multigrid: 0 rounds"), says("multigrid: 1 rounds"), says("are refreshed"),
      [&](const Launched&) { return being_written(); },
      [&](const Launched& run) { return says("multigrid: 0 rounds")(run) && being_written(); }};
  int in_first = 0, in_second = 0, halves = 0;
  for (std::size_t kill = 0; kill < 10; ++kill) {
    SCOPED_TRACE(kill);
    const std::size_t point = kill % points.size();
    forget("pion.h5");
    forget_setups();
    const int ranks = kill % 4 == 3 ? 2 : 1;
    Launched run(box_, "run propagator.toml " + more, ranks);
    while (!points[point](run) && !run.ends_within(0))
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    if (point < 3) std::this_thread::sleep_for(std::chrono::microseconds(700 * kill));
    if (kill == 5 || kill == 8) {                 // obeyed within the round
      run.signal(kill == 5 ? SIGTERM : SIGUSR1);  // mpirun ends its ranks at SIGTERM
      ASSERT_TRUE(run.ends_within(60));
      EXPECT_TRUE(run.code() == 9 || exists("pion.h5")) << run.err();
    } else {
      if (ranks == 1) run.signal(SIGKILL);  // at once
      run.kill();
    }
    const auto cut_short = [&](const char* file) { return exists(file) && bytes_of(file) != calm[file]; };
    in_first += cut_short(first_setup);
    in_second += !cut_short(first_setup) && (cut_short(second_setup) || !exists(second_setup));
    halves += being_written();
    const Outcome on = propagator(more, static_cast<int>(kill % 2) + 1);
    ASSERT_EQ(on.code, 0) << on.err;
    for (const auto& file : files) EXPECT_TRUE(bytes_of(file) == calm[file]) << file;
    EXPECT_FALSE(being_written());
  }
  std::printf("10 kills: %d in the setup of the first field, %d later, %d that left half a file\n", in_first,
              in_second, halves);
  EXPECT_GT(in_first, 3);
  EXPECT_GT(in_second, 0);
}

}  // namespace
}  // namespace plaq
