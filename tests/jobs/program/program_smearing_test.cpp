// Smeared links from end to end: written as gauge files, and under Dirac operators.
#include "tests/jobs/program/propagator_program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Numbers;
using test::Outcome;

constexpr const char* first_field = "field.000002.nersc";
const std::string one = "--set gauge.files=field.000002.nersc ";
const std::string clover = "--set action.type=clover --set action.c_sw=1.2 ";

class ProgramSmearing : public test::PropagatorProgram {
 protected:
  void SetUp() override {
    PropagatorProgram::SetUp();
    box_.write("measure.toml", test::measure_job);
  }
  Outcome measure(const std::string& more, int ranks = 1) const {
    return box_.plaq("run measure.toml --set output.fields=true " + more, ranks);
  }
  // `keys` of a table of smearing.
  static std::string keys(const std::string& table, const std::vector<std::string>& values) {
    std::string text;
    for (const std::string& value : values) text += "--set " + table + "." + value + " ";
    return text;
  }
  std::string bytes_of(const std::string& name) const { return contents(box_ / name); }
};

const std::map<std::string, std::vector<std::string>> smearings = {
    {"stout", {"type=stout", "steps=2", "rho=0.08"}},
    {"ape", {"type=ape", "alpha=0.6", "spatial=true"}},
    {"hyp", {"type=hyp", "alpha1=0.7"}},
    {"flow", {"type=flow", "steps=3", "flow_step=0.05"}},
};

TEST_F(ProgramSmearing, FieldsAreWrittenAsTheyAreMeasured) {
  for (const auto& [kind, values] : smearings) {
    SCOPED_TRACE(kind);
    const std::string more = keys("link_smearing", values) + "--set output.overwrite=true ";
    const std::string name = kind + "." + first_field;
    std::string alone;
    for (const int ranks : {1, 2, 4}) {
      if (ranks == 2 && kind != "hyp") continue;
      const Outcome outcome = measure(more, ranks);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      if (alone.empty()) alone = bytes_of(name);
      EXPECT_TRUE(bytes_of(name) == alone) << ranks;
    }
    EXPECT_NE(alone.find("LINK_SMEARING = " + kind), std::string::npos);
    const Numbers measured = test::read_numbers((box_ / "measured.h5").string());
    EXPECT_EQ(measured.at("/observables/plaquette").values.size(), 2u);  // not what was written before
    const auto info = box_.plaq("info " + name);
    EXPECT_EQ(info.code, 0) << info.err;
    // Measured once more.
    ASSERT_EQ(
        box_.plaq(
                "run measure.toml --set output.file=again.h5 --set output.overwrite=true --set gauge.files=" +
                name)
            .code,
        0);
    const Numbers again = test::read_numbers((box_ / "again.h5").string());
    for (const char* path :
         {"/observables/plaquette", "/observables/link_trace", "/observables/polyakov_loop"})
      EXPECT_EQ(again.at(path).at(0), measured.at(path).at(0)) << path;
    EXPECT_LT(again.at("/observables/unitarity_violation").values[0], 1e-14);
  }
}

TEST_F(ProgramSmearing, WrittenFieldsBelongToTheJob) {
  const std::string stout = keys("link_smearing", smearings.at("stout")) + "--set output.directory=made ";
  std::filesystem::create_directory(box_ / "made");
  ASSERT_EQ(measure(stout + "--set output.format=ildg").code, 0);
  EXPECT_TRUE(exists("made/stout.field.000002.ildg"));
  const std::string results = bytes_of("measured.h5");
  const Outcome again = measure(stout + "--set output.format=ildg");
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("complete"), std::string::npos) << again.err;
  // What is missing is not passed over, and what is there not replaced.
  std::filesystem::remove(box_ / "made/stout.field.000004.ildg");
  expect_failure(measure(stout + "--set output.format=ildg"), 5, {"stout.field.000004.ildg is missing"});
  expect_failure(measure(stout + "--set output.format=ildg --set output.file=other.h5"), 5,
                 {"stout.field.000002.ildg"});
  EXPECT_TRUE(bytes_of("measured.h5") == results);
  // Nothing would be smeared; no format is of that precision; the flow has no form in space.
  expect_failure(measure("", 2), 3, {"'fields' in [output]"});
  expect_failure(measure(stout + "--set output.format=milc"), 3, {"'format' in [output]"});
  expect_failure(measure("--set link_smearing.type=flow --set link_smearing.spatial=true"), 3,
                 {"'spatial' in [link_smearing]"});
}

// A job on smeared links does what a job on the file of these links does, to the bit: files are in double precision.
TEST_F(ProgramSmearing, DiracOperatorsOnSmearedLinksAreThoseOnTheirFiles) {
  struct Case {
    const char* kind;
    std::string action, channel;
  };
  const std::string staggered = "--set action.kappa= --set action.type=staggered --set action.mass=0.4 ";
  const std::string wall =
      "--set action.kappa= --set action.type=domain_wall --set action.mass=0.4 --set action.n_s=4 ";
  for (const auto& [kind, action, channel] :
       {Case{"hyp", clover, "pion"}, Case{"stout", "", "pion"}, Case{"flow", wall, "pion"},
        Case{"ape", staggered, "pion_ps"}}) {
    SCOPED_TRACE(kind);
    const auto& values = smearings.at(kind);
    ASSERT_EQ(measure(one + keys("link_smearing", values) + "--set output.overwrite=true").code, 0);
    const std::string name = std::string(kind) + "." + first_field;
    const Numbers smeared = run(std::string("by_") + kind, one + action + keys("action_smearing", values), 2);
    const Numbers written = run(std::string("of_") + kind, "--set gauge.files=" + name + " " + action);
    const Numbers thin = run(std::string("thin_") + kind, one + action);
    const std::string path = "/correlators/" + channel + "/p_0_0_0/point";
    EXPECT_EQ(smeared.at(path), written.at(path));
    EXPECT_EQ(smeared.at("/solves/iterations"), written.at("/solves/iterations"));
    EXPECT_NE(smeared.at(path), thin.at(path));
  }
}

// Quarks are smeared by links of their own, whatever those of the operator are.
TEST_F(ProgramSmearing, SourcesHaveLinksOfTheirOwn) {
  const std::string source =
      one + keys("link_smearing", {"type=ape", "steps=2"}) +
      "--set quark_smearing.steps=3 --set quark_smearing.sigma=1.2 --set output.propagators=hdf5 ";
  const Numbers smeared = run("both", source + keys("action_smearing", smearings.at("stout")));
  const Numbers other = run("other", one + keys("link_smearing", {"type=stout", "rho=0.12"}) +
                                         "--set output.overwrite=true --set quark_smearing.steps=3 --set "
                                         "quark_smearing.sigma=1.2 --set output.propagators=hdf5 " +
                                         keys("action_smearing", smearings.at("stout")));
  EXPECT_NE(smeared.at(test::pion), other.at(test::pion));
  // A source that is not smeared sees the operator alone.
  const Numbers point = run("point", one + keys("action_smearing", smearings.at("stout"))),
                same = run("same", one + keys("link_smearing", {"type=ape", "steps=2"}) +
                                       keys("action_smearing", smearings.at("stout")));
  EXPECT_EQ(point.at(test::pion), same.at(test::pion));
}

TEST_F(ProgramSmearing, ThinCloverTermsAreOtherOperatorsAndJobsKnowIt) {
  const std::string stout = keys("action_smearing", smearings.at("stout"));
  const std::string thin = "--set action_smearing.clover_links=thin ";
  const Numbers smeared = run("smeared", one + clover + stout),
                bare = run("bare", one + clover + stout + thin, 2);
  EXPECT_NE(smeared.at(test::pion), bare.at(test::pion));
  // Results of another smearing are not taken as complete.
  expect_failure(propagator(one + clover + stout + "--set output.file=bare.h5"), 5, {"bare.h5"});
  expect_failure(propagator(one + clover + "--set output.file=bare.h5"), 5, {"bare.h5"});
  EXPECT_EQ(propagator(one + clover + stout + thin + "--set output.file=bare.h5").code, 0);
  expect_failure(propagator(one + stout + thin), 3, {"'clover_links' in [action_smearing]", "wilson"});
  expect_failure(propagator(one + clover + thin), 3, {"'clover_links' in [action_smearing]"});
  expect_failure(
      propagator(one + "--set action.kappa= --set action.mass=0.3 --set action.type=asqtad " + stout), 3,
      {"'type' in [action_smearing]", "asqtad"});
}

// Setups of multigrid and eigenvectors are of the links that operators have.
TEST_F(ProgramSmearing, SetupsAndEigenvectorsKnowTheirLinks) {
  for (const char* directory : {"setups", "modes"}) std::filesystem::create_directory(box_ / directory);
  const std::string gauge = "\n[gauge]\nfiles = [\"field.000002.nersc\"]\n";
  const std::string action =
      "[action]\ntype = \"clover\"\nkappa = 0.14\nc_sw = 1.0\n[action_smearing]\ntype = \"stout\"\nrho = "
      "0.1\n";
  const std::string run = "[run]\nlocation = \"host\"\nthreads = 1\n";
  const std::string multigrid =
      "[multigrid]\nblocks = [\"2x2x2x2\"]\nvectors = [6]\ndirectory = \"setups\"\n";
  box_.write("setup.toml", "job = \"multigrid_setup\"" + gauge + action +
                               "[solver]\ntolerance = 1e-8\n[output]\nfile = \"setups.h5\"\n" + multigrid +
                               run);
  box_.write("modes.toml",
             "job = \"eigenvectors\"" + gauge + action +
                 "[eigenvectors]\ndirectory = \"modes\"\nmodes = 4\n[output]\nfile = \"modes.h5\"\n" + run);
  box_.write("solve.toml", "job = \"propagator\"" + gauge + action +
                               "[solver]\ntolerance = 1e-8\npreconditioner = \"multigrid\"\n[output]\nfile = "
                               "\"solve.h5\"\n" +
                               multigrid + run);
  ASSERT_EQ(box_.plaq("run setup.toml", 2).code, 0);
  ASSERT_EQ(box_.plaq("run modes.toml", 2).code, 0);
  const auto found = box_.plaq("run solve.toml");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_NE(found.err.find("it was made for this operator"), std::string::npos) << found.err;
  const std::string deflated =
      "run solve.toml --set solver.preconditioner= --set solver.deflation=modes --set "
      "output.file=deflated.h5 ";
  const auto with_modes = box_.plaq(deflated);
  EXPECT_EQ(with_modes.code, 0) << with_modes.err;
  for (const char* other :
       {"action_smearing.rho=0.11", "action_smearing.type=none", "action_smearing.clover_links=thin"}) {
    SCOPED_TRACE(other);
    const std::string set = std::string("--set ") + other + " --set output.overwrite=true ";
    expect_failure(box_.plaq("run solve.toml " + set), 4,
                   {"setups/field.000002.nersc.mg.lime", "checksum of the links"});
    expect_failure(box_.plaq(deflated + set), 4, {"modes/field.000002.nersc.eig.lime", "another operator"});
  }
}

// A task of a campaign reads the fields that a measure task has smeared.
TEST_F(ProgramSmearing, CampaignsSolveOnSmearedFields) {
  std::filesystem::create_directory(box_ / "c");
  std::string job = test::measure_job;
  job.insert(job.find("[output]"), "[link_smearing]\ntype = \"hyp\"\n");
  job.insert(job.find("[output]\n") + 9, "fields = true\ndirectory = \"smeared\"\n");
  box_.write("c/smear.toml", job);
  box_.write("c/pion.toml", test::propagator_job);
  box_.write("c/campaign.toml", R"([ensemble]
files = "../field.{trajectory}.nersc"
[task.smear]
job = "smear.toml"
[task.pion]
job = "pion.toml"
gauge = "smear"
)");
  const Outcome outcome = box_.plaq("campaign run c");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(exists("c/smeared/hyp.field.000002.nersc"));
  const Numbers of_task = test::read_numbers((box_ / "c/results/pion.h5").string());
  const Numbers expected = run("expected", keys("action_smearing", {"type=hyp"}));
  EXPECT_EQ(of_task.at(test::pion), expected.at(test::pion));
  EXPECT_EQ(of_task.at("/configurations/trajectory").values, (std::vector<double>{2, 4}));
}

}  // namespace
}  // namespace plaq
