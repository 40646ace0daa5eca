// Campaigns: many jobs on an ensemble, by any number of workers, whatever fails.
#include <sys/stat.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/jobs/program/launched.hpp"
#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Outcome;

namespace fs = std::filesystem;

constexpr const char* fixing = R"(job = "gaugefix"
[gauge]
files = ["x"]
[fixing]
gauge = "landau"
theta = 1e-8
[output]
file = "x.h5"
directory = "fixed"
[run]
location = "host"
threads = 1
)";

constexpr const char* campaign = R"([ensemble]
files = "field.{trajectory}.nersc"
[task.measure]
job = "measure.toml"
[task.landau]
job = "landau.toml"
[task.pion]
job = "propagator.toml"
gauge = "landau"
[retry]
machine = 1
)";

std::map<std::string, std::string> make_fields() {
  const test::Sandbox box;
  box.write("generate.toml", test::generate_job);
  EXPECT_EQ(box.plaq("run generate.toml --set update.configurations=4").code, 0);
  std::map<std::string, std::string> fields;
  for (const char* name : {"000002", "000004", "000006", "000008"})
    fields[name] = contents(box / ("field." + std::string(name) + ".nersc"));
  return fields;
}

class CampaignProgram : public testing::Test {
 protected:
  static void SetUpTestSuite() { fields_ = make_fields(); }
  CampaignProgram() {
    box_.write("measure.toml", test::measure_job);
    box_.write("propagator.toml", test::propagator_job);
    box_.write("landau.toml", fixing);
    box_.write("campaign.toml", campaign);
    for (const auto& [name, bytes] : fields_) bring(name);
  }
  void bring(const std::string& name) const { box_.write("field." + name + ".nersc", fields_.at(name)); }
  void damage(const std::string& name) const {
    std::string bytes = fields_.at(name);
    bytes[bytes.size() / 2] ^= 1;
    box_.write("field." + name + ".nersc", bytes);
  }
  Outcome run(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("campaign run . " + more, ranks);
  }
  void expect_run(const std::string& more = "", int ranks = 1, int code = 0) const {
    const Outcome outcome = run(more, ranks);
    ASSERT_EQ(outcome.code, code) << outcome.err << outcome.out;
  }
  // results/TASK.h5 is what plaq run makes of these fields.
  void expect_like_one_run(const std::string& task, const std::vector<std::string>& names,
                           bool of_fixed = false) const {
    const std::string job = task == "pion" ? "propagator" : task, head = of_fixed ? "fixed/landau." : "";
    std::string files;
    for (const std::string& name : names)
      files += (files.empty() ? "\"" : ",\"") + head + "field." + name + ".nersc\"";
    const Outcome one =
        box_.plaq("run " + job + ".toml --set 'gauge.files=[" + files + "]' --set 'gauge.numbering=\"" +
                  head + "field.{trajectory}.nersc\"' --set output.file=one.h5 --set output.overwrite=true");
    ASSERT_EQ(one.code, 0) << one.err;
    EXPECT_EQ(contents(box_ / "one.h5"), contents(box_ / ("results/" + task + ".h5"))) << task;
  }
  nlohmann::json status() const { return nlohmann::json::parse(box_.plaq("campaign status . --json").out); }

  test::Sandbox box_;
  static std::map<std::string, std::string> fields_;
};
std::map<std::string, std::string> CampaignProgram::fields_;

constexpr int left_out = 10;  // exit code
const std::vector<std::string> all = {"000002", "000004", "000006", "000008"};

TEST_F(CampaignProgram, WhatOneRunOfEachTaskWrites) {
  expect_run();
  expect_like_one_run("measure", all);
  expect_like_one_run("landau", all);
  expect_like_one_run("pion", all, true);
  const auto now = status();
  for (const auto& task : now.at("tasks")) {
    EXPECT_EQ(task.at("done"), 4);
    EXPECT_EQ(task.at("left"), 0);
  }
  // Nothing is left to do.
  const auto written = fs::last_write_time(box_ / "results/pion.h5");
  expect_run();
  EXPECT_EQ(fs::last_write_time(box_ / "results/pion.h5"), written);
  EXPECT_TRUE(fs::is_empty(box_ / "leases"));
}

TEST_F(CampaignProgram, GrowsAndIsSeenAtAnyTime) {
  for (const char* late : {"000004", "000008"}) fs::remove(box_ / ("field." + std::string(late) + ".nersc"));
  expect_run("--task measure");
  expect_like_one_run("measure", {"000002", "000006"});
  for (const char* late : {"000004", "000008"}) bring(late);
  fs::remove(box_ / "results/measure.h5");
  Outcome snapshot = box_.plaq("campaign snapshot .");
  ASSERT_EQ(snapshot.code, 0) << snapshot.err;
  EXPECT_NE(snapshot.out.find("measure: 2 of 4 gauge fields"), std::string::npos) << snapshot.out;
  EXPECT_NE(snapshot.out.find("pion: nothing is done yet"), std::string::npos) << snapshot.out;
  expect_like_one_run("measure", {"000002", "000006"});
  expect_run("--task measure");
  expect_like_one_run("measure", all);
}

TEST_F(CampaignProgram, GroupsOfRanks) {
  expect_run("--ranks-per-task 2", 4);
  expect_like_one_run("measure", all);
  expect_like_one_run("pion", all, true);
  expect_failure(run("--ranks-per-task 3", 4), 2, {"4 ranks are not shared evenly by groups of 3"});
  const Outcome audit = box_.plaq("campaign audit . --sample 2");
  EXPECT_EQ(audit.code, 0) << audit.err << audit.out;
  EXPECT_NE(audit.out.find("6 of 6 come out the same"), std::string::npos) << audit.out;
}

TEST_F(CampaignProgram, AuditsWhatIsStored) {
  std::string job = test::propagator_job;
  const std::string output = "[output]\n";
  job.insert(job.find(output) + output.size(), "propagators = \"hdf5\"\npropagator_directory = \"stored\"\n");
  box_.write("propagator.toml", job);
  expect_run();
  const Outcome same = box_.plaq("campaign audit . --task pion --sample 4", 2);
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_NE(same.out.find("4 of 4 come out the same"), std::string::npos) << same.out;
  const auto stored = [&](const std::string& name) {
    return box_ / ("stored/landau.field." + name + ".nersc.s0.prop.h5");
  };
  fs::copy_file(stored("000002"), stored("000006"), fs::copy_options::overwrite_existing);
  const Outcome other = box_.plaq("campaign audit . --task pion --sample 4");
  EXPECT_EQ(other.code, 1) << other.err;
  EXPECT_NE(other.out.find("DIFFERS: stored/landau.field.000006.nersc.s0.prop.h5"), std::string::npos)
      << other.out;
  EXPECT_NE(other.out.find("3 of 4 come out the same"), std::string::npos) << other.out;
}

TEST_F(CampaignProgram, OneThatFailsStopsNoOther) {
  damage("000004");
  expect_run("", 1, left_out);
  const std::string quarantine = contents(box_ / "quarantine.toml");
  EXPECT_NE(quarantine.find("[all.000004]"), std::string::npos) << quarantine;
  EXPECT_NE(quarantine.find("checksum"), std::string::npos) << quarantine;
  expect_like_one_run("measure", {"000002", "000006", "000008"});
  expect_like_one_run("pion", {"000002", "000006", "000008"}, true);
  EXPECT_EQ(status().at("left_out").at("input_file"), 3);
  // Whole again.
  bring("000004");
  EXPECT_EQ(box_.plaq("campaign retry . 000004").code, 0);
  expect_run();
  EXPECT_EQ(contents(box_ / "quarantine.toml").find("\n[all."), std::string::npos);
  expect_like_one_run("measure", all);
  expect_like_one_run("pion", all, true);
}

// A field that states a stale checksum is left out, until the campaign names that of its links.
TEST_F(CampaignProgram, AStaleChecksumIsAccepted) {
  const std::string key = "CHECKSUM = ", whole = fields_.at("000004");
  const std::size_t at = whole.find(key) + key.size();
  const std::string actual = whole.substr(at, whole.find('\n', at) - at);
  std::string stale = whole;
  stale.replace(at, actual.size(), "12345678");
  box_.write("field.000004.nersc", stale);
  expect_run("--task measure", 1, left_out);
  EXPECT_NE(contents(box_ / "quarantine.toml").find("[all.000004]"), std::string::npos);
  std::string campaign = contents(box_ / "campaign.toml");
  campaign.insert(campaign.find("[ensemble]\n") + 11, "accept_checksums = [\"1\", \"" + actual + "\"]\n");
  box_.write("campaign.toml", campaign);
  EXPECT_EQ(box_.plaq("campaign retry . 000004").code, 0);
  expect_run("--task measure");
  EXPECT_EQ(contents(box_ / "quarantine.toml").find("\n[all."), std::string::npos);
  const std::string said = box_.plaq("info --all results/measure.h5").out;
  EXPECT_NE(said.find("stated_checksum"), std::string::npos) << said;
  EXPECT_NE(said.find("12345678"), std::string::npos) << said;
  const Outcome check = box_.plaq("campaign check .");
  EXPECT_EQ(check.code, 0) << check.err << check.out;
  const auto inventory = nlohmann::json::parse(contents(box_ / "inventory.json"));
  for (const auto& field : inventory.at("fields"))
    EXPECT_EQ(field.contains("stated_checksum"), field.at("name") == "000004") << field.dump();
  // Jobs alone, which grow: the row of this field is known again.
  const auto alone = [&](const std::string& files, const std::string& more) {
    return box_.plaq("run measure.toml --set 'gauge.files=[" + files + "]' --set output.file=one.h5" + more);
  };
  const std::string accept = " --set 'gauge.accept_checksums=[\"" + actual + "\"]'";
  expect_failure(alone("\"field.000004.nersc\"", ""), 4, {"field.000004.nersc", "12345678", actual});
  EXPECT_EQ(alone("\"field.000004.nersc\"", accept).code, 0);
  const Outcome grown = alone("\"field.000004.nersc\",\"field.000006.nersc\"", accept);
  EXPECT_EQ(grown.code, 0) << grown.err;
  EXPECT_EQ(grown.err.find("states the checksum"), std::string::npos) << grown.err;  // it was not read again
  expect_failure(alone("\"field.000006.nersc\"", " --set 'gauge.accept_checksums=[\"tea\"]'"), 3,
                 {"accept_checksums", "tea", "hexadecimal"});
}

// Rows of a job file that was changed meanwhile are not mixed with new ones, with a ladder or without.
TEST_F(CampaignProgram, AChangedJobFileIsNoticedAtOnce) {
  const std::string job = test::propagator_job, tolerance = "tolerance = 1e-9";
  std::string other = job;
  other.replace(other.find(tolerance), tolerance.size(), "tolerance = 1e-10");
  const std::string tasks =
      "[ensemble]\nfiles = \"field.{trajectory}.nersc\"\n[task.pion]\njob = \"propagator.toml\"\n";
  for (const char* ladder : {"", "ladder = [\"solver.max_iterations=500\"]\n"}) {
    box_.write("campaign.toml", tasks + ladder);
    for (const char* made : {"rows", "log", "work", "results", "quarantine.toml"})
      fs::remove_all(box_ / made);
    box_.write("propagator.toml", job);
    for (const char* late : {"000004", "000006", "000008"})
      fs::remove(box_ / ("field." + std::string(late) + ".nersc"));
    expect_run();
    for (const char* late : {"000004", "000006", "000008"}) bring(late);
    box_.write("propagator.toml", other);
    const std::vector<std::string> named = {"'tolerance' in [solver]", "1e-09", "1e-10",
                                            "rows/pion/000002.h5"};
    expect_failure(run(), 3, named);
    EXPECT_FALSE(fs::exists(box_ / "rows/pion/000004.h5"));
    const auto task = status().at("tasks").at(0);
    EXPECT_EQ(task.at("wrong_rows"), 1);
    const std::string shown = box_.plaq("campaign status .").out;
    for (const std::string& part : named) EXPECT_NE(shown.find(part), std::string::npos) << shown;
    // One that came in all the same is not joined with others.
    box_.write("propagator.toml", job);
    expect_run();
    EXPECT_EQ(status().at("tasks").at(0).at("wrong_rows"), 0);
  }
}

// Rows of fields are not mixed with those of what a task made of them.
TEST_F(CampaignProgram, OtherFieldsAreNoticedAtOnce) {
  expect_run("--task landau");
  std::string text = campaign;
  const std::string gauge = "gauge = \"landau\"\n";
  text.replace(text.find(gauge), gauge.size(), "");
  box_.write("campaign.toml", text);
  expect_run("--task pion");
  box_.write("campaign.toml", campaign);
  expect_failure(run("--task pion"), 3, {"'numbering' in [gauge]", "landau.field", "4 rows of task pion"});
}

// A damaged row is named before the first item, and computed again when it is gone.
TEST_F(CampaignProgram, ADamagedRow) {
  expect_run("--task measure");
  std::string row = contents(box_ / "rows/measure/000004.h5");
  row[row.size() / 2] ^= 1;
  box_.write("rows/measure/000004.h5", row);
  expect_failure(run("--task measure"), 4, {"rows/measure/000004.h5", "remove this row"});
  fs::remove(box_ / "rows/measure/000004.h5");
  expect_run("--task measure");
  expect_like_one_run("measure", all);
}

TEST_F(CampaignProgram, ALadderOfSolvers) {
  box_.write("campaign.toml", std::string("[ensemble]\nfiles = \"field.{trajectory}.nersc\"\n"
                                          "[task.pion]\njob = \"propagator.toml\"\nladder = "
                                          "[\"solver.max_iterations=2\", \"solver.max_iterations=500\"]\n"));
  box_.write("propagator.toml", std::string(test::propagator_job) + "[source]\ntype = \"point\"\n");
  ASSERT_EQ(box_.plaq("campaign run . --task pion").code, 0);
  // A first rung that none can climb.
  fs::remove_all(box_ / "rows");
  fs::remove_all(box_ / "log");
  std::string job = test::propagator_job;
  job.replace(job.find("tolerance"), 0, "max_iterations = 1\n");
  box_.write("propagator.toml", job);
  expect_run();
  EXPECT_TRUE(fs::exists(box_ / "rows/pion/000002.h5"));
  const std::string said = box_.plaq("info --all results/pion.h5").out;
  EXPECT_NE(said.find("/configurations/rung"), std::string::npos) << said;
  // The rows say it, and not the logs.
  fs::remove_all(box_ / "results");
  fs::remove_all(box_ / "log");
  expect_run();
  EXPECT_EQ(box_.plaq("info --all results/pion.h5").out, said);
  // Rows that do not say it: their job does.
  fs::remove_all(box_ / "results");
  for (const std::string& name : all) {
    fs::remove(box_ / ("rows/pion/" + name + ".h5"));
    const Outcome one = box_.plaq("run propagator.toml --set 'gauge.files=[\"field." + name +
                                  ".nersc\"]' --set 'gauge.numbering=\"field.{trajectory}.nersc\"' --set "
                                  "solver.max_iterations=500 --set "
                                  "output.file=rows/pion/" +
                                  name + ".h5");
    ASSERT_EQ(one.code, 0) << one.err;
  }
  expect_run();
  EXPECT_EQ(box_.plaq("info --all results/pion.h5").out, said);
  // One that leads nowhere.
  fs::remove_all(box_ / "rows");
  fs::remove_all(box_ / "log");
  box_.write("campaign.toml",
             "[ensemble]\nfiles = \"field.{trajectory}.nersc\"\n"
             "[task.pion]\njob = \"propagator.toml\"\nladder = [\"solver.max_iterations=2\"]\n");
  expect_run("", 1, left_out);
  const std::string listed = box_.plaq("campaign quarantine .").out;
  EXPECT_NE(listed.find("pion.000002"), std::string::npos) << listed;
  EXPECT_NE(listed.find("not_converged"), std::string::npos) << listed;
  EXPECT_EQ(status().at("left_out").at("not_converged"), 4);
  expect_failure(box_.plaq("campaign retry . --reason not_convergd"), 2, {"did you mean 'not_converged'?"});
  expect_failure(box_.plaq("campaign retry . --node nowhere"), 2, {"nowhere"});
}

TEST_F(CampaignProgram, LooksAtEveryField) {
  damage("000004");
  box_.write("field.000020.nersc", fields_.at("000008"));
  Outcome check = box_.plaq("campaign check . --ranks-per-task 1", 2);
  EXPECT_EQ(check.code, 4) << check.err;
  for (const char* part :
       {"5 gauge fields, 4 of them good", "000004: ", "000008 and 000020 have the same links",
        "000008 to 000020: a step of 12 where 2 is usual"})
    EXPECT_NE(check.out.find(part), std::string::npos) << part << '\n' << check.out;
  const auto inventory = nlohmann::json::parse(contents(box_ / "inventory.json"));
  EXPECT_EQ(inventory.at("fields").size(), 5u);
  bring("000004");
  fs::remove(box_ / "field.000020.nersc");
  check = box_.plaq("campaign check .");
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_NE(check.out.find("nothing is odd"), std::string::npos) << check.out;
}

// An item that a user leaves out for a reason is no failure.
TEST_F(CampaignProgram, LeftOutByPeople) {
  ASSERT_EQ(box_.plaq("campaign quarantine . 000004").code, 0);
  expect_run("--task measure");
  expect_like_one_run("measure", {"000002", "000006", "000008"});
  damage("000006");
  fs::remove(box_ / "rows/measure/000006.h5");
  const Outcome outcome = run("--task measure");
  EXPECT_EQ(outcome.code, left_out) << outcome.err;
  EXPECT_NE(outcome.err.find("1 items are left out"), std::string::npos) << outcome.err;
  std::string text = contents(box_ / "quarantine.toml");
  const std::string reason = "\"input_file\"";
  text.replace(text.find(reason), reason.size(), "\"I have seen it\"");
  box_.write("quarantine.toml", text);
  expect_run("--task measure");
}

TEST_F(CampaignProgram, NothingThatWasFoundIsNothingDone) {
  box_.write("campaign.toml",
             "[ensemble]\nfiles = \"fields/f.{trajectory}.nersc\"\n[task.measure]\njob = \"measure.toml\"\n");
  const std::vector<std::string> said = {"no gauge field fields/f.{trajectory}.nersc",
                                         fs::canonical(box_ / "").string()};
  expect_failure(run(), 4, said);
  expect_failure(box_.plaq("campaign check ."), 4, said);
  EXPECT_NE(box_.plaq("campaign status .").out.find(said.front()), std::string::npos);
  box_.write("campaign.toml", std::string(campaign));
  expect_failure(box_.plaq("campaign audit ."), 2, {"nothing", "done yet"});
}

TEST_F(CampaignProgram, SaysWhatItWaitsFor) {
  const Outcome outcome = run("--task pion");
  EXPECT_EQ(outcome.code, left_out) << outcome.err;
  EXPECT_NE(outcome.err.find("4 items wait for others that are not done, such as pion/000002"),
            std::string::npos)
      << outcome.err;
}

// A second worker waits for the fields that the first one makes.
TEST_F(CampaignProgram, WaitsForTheFieldsOfATask) {
  box_.write("generate.toml", std::string(test::generate_job)
                                  .replace(std::string(test::generate_job).find("\"field\""), 7, "\"made\""));
  box_.write("campaign.toml",
             "[ensemble]\nfiles = \"made.{trajectory}.nersc\"\n[task.generate]\njob = \"generate.toml\"\n"
             "[task.measure]\njob = \"measure.toml\"\n[workers]\nheartbeat = 0.2\nlease_timeout = 2\n");
  // The lease of another node: its worker makes the fields, and ends.
  fs::create_directory(box_ / "leases");
  box_.write("leases/generate@once.0",
             R"({"worker":"far.1","node":"far","host":"far x y","process":1,"started":1})");
  test::Launched waiting(box_, "campaign run .", 1);
  EXPECT_FALSE(waiting.ends_within(1)) << waiting.err();
  ASSERT_TRUE(waiting.ends_within(60)) << waiting.err();  // it took the lease over
  EXPECT_EQ(waiting.code(), 0) << waiting.err();
  EXPECT_TRUE(fs::exists(box_ / "results/measure.h5"));
}

// A chain whose job file asks for more fields goes on, and its new fields are measured like others.
TEST_F(CampaignProgram, GrowsWithItsChain) {
  std::string job = test::generate_job;
  job.replace(job.find("\"field\""), 7, "\"made\"");
  const auto with_fields = [&](const std::string& count) {
    std::string text = job;
    return text.replace(text.find("configurations = 2"), 18, "configurations = " + count);
  };
  box_.write("generate.toml", with_fields("2"));
  box_.write("campaign.toml",
             "[ensemble]\nfiles = \"made.{trajectory}.nersc\"\n[task.generate]\njob = \"generate.toml\"\n"
             "[task.measure]\njob = \"measure.toml\"\n");
  expect_run();
  const std::string first = contents(box_ / "made.000002.nersc"),
                    row = contents(box_ / "rows/measure/000002.h5");
  box_.write("generate.toml", with_fields("4"));
  expect_run();
  EXPECT_TRUE(contents(box_ / "made.000002.nersc") == first);
  EXPECT_TRUE(contents(box_ / "rows/measure/000002.h5") == row);
  for (const auto& [name, bytes] :
       fields_)  // those of one long run, as far as names of files are not in them
    EXPECT_TRUE(contents(box_ / ("made." + name + ".nersc")) == bytes) << name;
  EXPECT_EQ(status().at("tasks").at(1).at("done"), 4);
  expect_run();  // nothing is left
}

// Useless files in work/ are no reason to leave a field out.
TEST_F(CampaignProgram, BeginsAnewWhereWorkCannotBeUsed) {
  expect_run();
  const std::string other_row = contents(box_ / "rows/measure/000008.h5");
  const std::string pion = contents(box_ / "results/pion.h5");
  for (const char* task : {"measure", "landau", "pion"})
    fs::remove(box_ / ("rows/" + std::string(task) + "/000004.h5"));
  fs::create_directories(box_ / "work/gone.1");
  fs::create_directories(box_ / "work/gone.2");
  box_.write("work/gone.1/measure.000004.h5", other_row);
  box_.write("work/gone.2/measure.000004.h5.journal", "garbage");
  box_.write("work/gone.1/landau.000004.h5", "garbage");
  box_.write("work/gone.1/landau.000004.h5.journal",
             std::string("plaqJRNL\1\0\0\0", 12) + std::string(100, 'x'));
  box_.write("work/gone.1/pion.000004.h5.journal", std::string(1000, '\0'));
  // A pipe that nobody writes to is not waited for.
  for (const char* pipe : {"work/gone.2/pion.000004.h5.journal", "log/pipe.jsonl", "leases/other@000004.0"})
    ASSERT_EQ(::mkfifo((box_ / pipe).c_str(), 0600), 0);
  expect_run();
  expect_like_one_run("measure", all);
  EXPECT_EQ(contents(box_ / "results/pion.h5"), pion);
  for (const auto& file : fs::recursive_directory_iterator(box_ / "work"))
    EXPECT_TRUE(file.is_directory()) << file.path();
  EXPECT_EQ(status().at("tasks").at(0).at("done"), 4);
}

// A rung that is another method does not go on from the journal of the one before.
TEST_F(CampaignProgram, ARungThatIsAnotherMethod) {
  std::string job = std::string(test::propagator_job) + "[source]\ncount = 2\nshift = [0, 0, 0, 2]\n";
  job.replace(job.find("tolerance"), 0, "max_iterations = 25\n");
  box_.write("propagator.toml", job);
  box_.write("campaign.toml",
             "[ensemble]\nfiles = \"field.{trajectory}.nersc\"\n[task.pion]\njob = \"propagator.toml\"\n"
             "ladder = [\"solver.method=bicgstab; solver.max_iterations=500\"]\n");
  expect_run();
}

TEST_F(CampaignProgram, LittleTime) {
  const Outcome outcome = run("--time 30");  // of which a minute is for the end
  EXPECT_EQ(outcome.code, 9) << outcome.err;
  EXPECT_EQ(status().at("tasks").at(0).at("done"), 0);
}

TEST_F(CampaignProgram, ScriptsForSlurm) {
  box_.write("campaign.toml", std::string(campaign) + "[slurm]\nrestarts = 7\n");
  const Outcome script = box_.plaq("campaign submit . --dry-run");
  ASSERT_EQ(script.code, 0) << script.err;
  for (const char* part :
       {"#SBATCH --array=1-1", "#SBATCH --signal=B:USR1@300", "#SBATCH --ntasks=8", "campaign run . &",
        "-lt 7 ] && scontrol requeue \"$SLURM_JOB_ID\"", "sbatch submit.sh"})
    EXPECT_NE(script.out.find(part), std::string::npos) << part << '\n' << script.out;
  box_.write("submit.sh", script.out);
  EXPECT_EQ(std::system(("bash -n '" + (box_ / "submit.sh").string() + "'").c_str()), 0);
}

TEST_F(CampaignProgram, Begins) {
  ASSERT_EQ(box_.plaq("campaign init new --files '../field.{trajectory}.nersc' --job measure.toml").code, 0);
  expect_failure(box_.plaq("campaign init new"), 5, {"exists"});
  const Outcome outcome = box_.plaq("campaign run new");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(box_ / "new/results/measure.h5"));
  expect_failure(box_.plaq("campaign status nowhere"), 2, {"nowhere"});
  expect_failure(box_.plaq("campaign retry new 000003"), 2, {"000003", "measure.000002"});
}

TEST_F(CampaignProgram, ReportsItAll) {
  damage("000004");
  expect_run("", 1, left_out);
  // One that is done is left out by hand: means are shown with it, too.
  ASSERT_EQ(box_.plaq("campaign quarantine . measure.000006 --reason 'a <burst>'").code, 0);
  ASSERT_EQ(box_.plaq("campaign check .").code, 4);
  const Outcome report = box_.plaq("campaign report . --output page.html");
  if (report.code == 2 && report.err.find("needs Python") != std::string::npos) GTEST_SKIP() << report.err;
  ASSERT_EQ(report.code, 0) << report.err;
  const std::string page = contents(box_ / "page.html");
  for (const char* part :
       {"<!DOCTYPE html>", "all.000004", "checksum", "a &lt;burst&gt;", "Means without and with",
        "theta of each copy", "effective", "tau_int", "propagator.toml", "node hours"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  for (const char* part : {"<script", "src=\"http", "href=\"http", "nan(", "None"})
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  expect_failure(box_.plaq("campaign report . --output nowhere/page.html"), 5, {"nowhere/page.html"});
}

// Rows of many files in one, and a job that is not complete.
TEST_F(CampaignProgram, ResultsAreJoinedAndSeenEarly) {
  for (const std::string& name : all)
    ASSERT_EQ(box_.plaq("run propagator.toml --set 'gauge.files=[\"field." + name +
                        ".nersc\"]' --set output.file=" + name + ".h5")
                  .code,
              0);
  const Outcome joined = box_.plaq("results join joined.h5 000002.h5 000004.h5 000006.h5 000008.h5");
  ASSERT_EQ(joined.code, 0) << joined.err;
  const std::string files =
      "--set 'gauge.files=[\"field.000002.nersc\",\"field.000004.nersc\",\"field.000006.nersc\","
      "\"field.000008.nersc\"]'";
  ASSERT_EQ(box_.plaq("run propagator.toml " + files).code, 0);
  EXPECT_EQ(contents(box_ / "joined.h5"), contents(box_ / "pion.h5"));
  expect_failure(box_.plaq("results join joined.h5 000002.h5"), 5, {"joined.h5"});
  expect_failure(box_.plaq("results join again.h5 000002.h5 000002.h5"), 4, {"both have the gauge field"});
  // The third field is damaged: two are found.
  fs::remove(box_ / "pion.h5");
  damage("000006");
  EXPECT_EQ(box_.plaq("run propagator.toml " + files).code, 4);
  const Outcome snapshot = box_.plaq("results snapshot propagator.toml early.h5 " + files);
  ASSERT_EQ(snapshot.code, 0) << snapshot.err;
  ASSERT_EQ(box_.plaq("results join two.h5 000002.h5 000004.h5").code, 0);
  EXPECT_EQ(contents(box_ / "early.h5"), contents(box_ / "two.h5"));
  EXPECT_TRUE(fs::exists(box_ / "pion.h5.journal"));
  EXPECT_FALSE(fs::exists(box_ / "early.h5.journal"));
}

}  // namespace
}  // namespace plaq
