// Wrong job files: every mistake is found, at its line, with what would be right.
#include <gtest/gtest.h>

#include "core/system/wording.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

std::string complaint(const std::string& text, const JobFile::Overrides& overrides = {}) {
  return message_of(ErrorKind::job_file, [&] { JobFile::parse(text, "job.toml", overrides); });
}

TEST(JobErrors, UnknownKeyNamesLineColumnAndTheNearestKey) {
  const auto text = complaint(propagator_text + "[solver]\n  tolerence = 1e-8\n");
  EXPECT_EQ(text, "job.toml:9:3: unknown key 'tolerence' in [solver]; did you mean 'tolerance'?");
}

TEST(JobErrors, UnknownKeyFarFromAllNamesThemAll) {
  expect_holds(complaint(propagator_text + "[lattice]\nzzz = 1\n"),
               "unknown key 'zzz' in [lattice]; there is 'extents'");
  const auto text = complaint(propagator_text + "[solver]\nzzz = 1\n");
  expect_holds(text, "unknown key 'zzz' in [solver]; there are 'method', ");
  expect_holds(text, " and 'columns'");
}

TEST(JobErrors, ShortFacesWithoutALowerPrecisionInside) {
  for (const char* why : {"mixed = \"none\"\n", "inner_precision = \"double\"\n"})
    expect_holds(complaint(propagator_text + "[solver]\nhalo_precision = \"half\"\n" + why),
                 "'halo_precision' in [solver]: \"half\" needs a mixed scheme with a lower inner precision");
}

TEST(JobErrors, KeyOfAnotherTable) {
  expect_holds(complaint(propagator_text + "[solver]\nkappa = 1\n"),
               "job.toml:9:1: unknown key 'kappa' in [solver]; it belongs in [action]");
  expect_holds(complaint("tolerance = 1e-3\n" + propagator_text),
               "at the top of the file; it belongs in [solver]");
}

TEST(JobErrors, UnknownTableOnce) {
  const auto text = complaint(propagator_text + "[sorce]\ntype = \"point\"\nposition = [0, 0, 0, 0]\n");
  EXPECT_EQ(text, "job.toml:8:2: unknown table [sorce] in a propagator job; did you mean 'source'?");
  expect_holds(complaint(propagator_text + "[action.inner]\na = 1\n"),
               "job.toml:8:9: unknown table [action.inner]");
}

TEST(JobErrors, TableAndKeyMixedUp) {
  expect_holds(complaint("solver = 3\n" + propagator_text),
               "job.toml:1:1: 'solver' is a table; write [solver]");
  expect_holds(complaint(propagator_text + "[solver.method]\n"), "unknown table [solver.method]");
}

TEST(JobErrors, WrongTypes) {
  const auto solver = [](const std::string& line) {
    return complaint(propagator_text + "[solver]\n" + line);
  };
  EXPECT_EQ(
      solver("max_iterations = 1e3\n"),
      "job.toml:9:1: 'max_iterations' in [solver]: found the real 1000.0, expected integer; for example "
      "max_iterations = 10000");
  expect_holds(solver("tolerance = \"small\"\n"), "found a string, expected real");
  expect_holds(solver("method = 1\n"), "found the integer 1, expected \"cg\", \"cgne\", \"bicgstab\"");
  expect_holds(solver("method = 2024-01-01\n"), "found a date or time");
  expect_holds(solver("method = [\"cg\"]\n"), "found a list");
  expect_holds(complaint(propagator_text + "[lattice]\nextents = [4, 4, 4.0, 4]\n"),
               "found a list with the real 4.0, expected list of 4 even integers");
  expect_holds(complaint(propagator_text + "[run]\nthreads = true\n"),
               "found true or false, expected integer");
}

TEST(JobErrors, RangesLengthsAndChoices) {
  const auto bad = [](const std::string& setting) { return complaint(propagator_text, {setting}); };
  EXPECT_EQ(
      bad("solver.tolerance=2"),
      "--set solver.tolerance: 'tolerance' in [solver]: found 2.0, must be greater than 0 and less than 1");
  expect_holds(bad("solver.tolerance=nan"), "must be finite");
  expect_holds(bad("solver.max_iterations=0"), "found 0, must be 1 to ");
  expect_holds(bad("solver.max_iterations=99999999999999999999"), "found a string, expected integer");
  expect_holds(bad("lattice.extents=[4,4,4]"), "found 3 numbers, must be 4");
  expect_holds(bad("lattice.extents=[4,4,5,4]"), "element 3: found 5, must be even");
  expect_holds(bad("lattice.extents=[4,4,0,4]"), "element 3: found 0, must be 2 to 4096");
  expect_holds(bad("solver.method=gmres"), "found \"gmres\", must be \"cg\", \"cgne\", \"bicgstab\"");
  expect_holds(bad("comms.force_partition=[\"x\",\"x\"]"), "\"x\" is listed twice");
  expect_holds(bad("correlators.channels=[]"), "must not be empty");
  expect_holds(bad("output.file=\"\""), "must not be empty");
  expect_holds(bad("correlators.channels=[\"pi\"]"), "found \"pi\", must be \"pion\"");
  expect_holds(bad("correlators.sinks=wall"), "must be \"point\" or \"smeared\"");
  expect_holds(bad("source.momentum=[1,0,0,0]"), "found 4 numbers, must be 3");
  expect_holds(bad("source.shift=[0,0,0]"), "found 3 numbers, must be 4");
  expect_holds(bad("source.count=0"), "found 0, must be 1 to ");
  expect_holds(bad("quark_smearing.sigma=0"), "must be greater than 0");
  expect_holds(bad("link_smearing.alpha=2"), "must be 0 to 1");
  expect_holds(bad("output.propagators=lime"), "must be \"none\", \"hdf5\" or \"scidac\"");
}

TEST(JobErrors, MissingKeysSayWhereWithAnExample) {
  const auto text = complaint("job = \"generate\"\n");
  expect_holds(text, "job.toml: 4 mistakes");
  expect_holds(text,
               "missing key 'beta' in [gauge] (Coupling 6/g^2; 10/g^2 of luscher_weisz, whose plaquettes "
               "have the coefficient 1); for example beta = 6.0");
  expect_holds(text, "missing key 'seed' in [update]");
  expect_holds(text, "missing key 'prefix' in [output]");
  expect_holds(text, "missing key 'extents' in [lattice]");
}

TEST(JobErrors, JobTypeIsNeededAndKnown) {
  expect_holds(complaint("[gauge]\n"), "missing key 'job'");
  expect_holds(complaint("\njob = \"propagtor\"\n"), "job.toml:2:1: job must be \"generate\"");
  expect_holds(complaint("job = \"propagtor\"\n"), "did you mean 'propagator'?");
  expect_holds(complaint("job = 1\n"), "found the integer 1");
}

TEST(JobErrors, NotToml) {
  expect_holds(complaint("job = \"generate\"\n[gauge\nbeta = 6\n"), "job.toml:2:");
  expect_holds(complaint("job = \"generate\"\njob = \"measure\"\n"), "job.toml:2:");
  expect_holds(complaint("job = \"generate\"\n[gauge]\n[gauge]\n"), "not valid TOML");
  for (const char* stray :
       {"caf\xc3\xa9 = 1", "seed = \xc3\xa9", "seed = 1 \xe2\xb1\x9f", "\"a\\\"\" \xc3\xa9 = \"\""})
    expect_holds(complaint("job = \"generate\" # \xc3\xa9\n" + std::string(stray) + "\n"),
                 "job.toml:2: not valid TOML: a character beyond ASCII");
}

TEST(JobErrors, RulesOfTwoKeys) {
  expect_holds(complaint(propagator_text, {"action.mass=0.1"}),
               "job.toml:5:1: 'kappa' in [action]: 'mass' is given as well");
  expect_holds(complaint(propagator_text, {"action.kappa="}), "missing key 'mass' or 'kappa' in [action]");
  expect_holds(complaint(propagator_text, {"action.boundary=[1,1,0,-1]"}),
               "found 0 in space, each sign must be 1 or -1");
  expect_holds(complaint(propagator_text, {"lattice.extents=[4,4,4,8]", "source.position=[0,4,0,0]"}),
               "y = 4 is outside the lattice, must be 0 to 3");
  expect_holds(complaint(propagator_text, {"lattice.extents=[4,4,4,8]", "comms.process_grid=[1,4,1,1]"}),
               "4 ranks in direction y cannot share 4 sites");
  expect_holds(complaint(propagator_text, {"solver.precision=single"}),
               "1e-10 is out of reach in single precision");
  expect_holds(complaint(generate_text, {"gauge.start=file"}), "missing key 'file' in [gauge]");
  expect_holds(complaint(generate_text, {"gauge.file=a"}), "is read only with start = \"file\"");
  expect_holds(complaint(generate_text, {"update.heatbath=0", "update.overrelaxation=0"}),
               "must be at least 1");
  const JobFile job =
      JobFile::parse(generate_text, "job.toml", {"gauge.start=file", "gauge.file=a", "lattice.extents="});
  EXPECT_FALSE(job.get<LatticeKeys>().extents);
}

TEST(JobErrors, RulesOfSources) {
  const auto wrong = [](JobFile::Overrides overrides, const char* part) {
    expect_holds(complaint(propagator_text, overrides), part);
  };
  const auto good = [](JobFile::Overrides overrides) {
    EXPECT_NO_THROW(JobFile::parse(propagator_text, "job.toml", overrides));
  };
  for (const char* type : {"z2", "z4", "u1", "z3", "normal"}) {
    const std::string noise = std::string("source.type=") + type;
    wrong({noise}, "missing key 'seed' in [source]");
    wrong({noise}, type);
    good({noise, "source.seed=1"});
    wrong({noise, "source.seed=1", "correlators.channels=[\"pion\", \"proton\"]"},
          "'channels' in [correlators]: proton needs three quarks from one point");
    wrong({noise, "source.seed=1", "correlators.channels=proton_minus"}, "proton_minus needs three quarks");
    wrong({noise, "source.seed=1", "correlators.channels=delta"}, "delta needs three quarks");
    wrong({noise, "source.seed=1", "correlators.max_momentum_squared=1"},
          "'max_momentum_squared' in [correlators]: noise sources have momentum 0 alone");
  }
  good({"source.type=wall"});
  good({"source.type=momentum", "source.momentum=[0, 0, -1]", "correlators.max_momentum_squared=1"});
  good({"correlators.channels=[\"pion\", \"proton\"]", "correlators.max_momentum_squared=3"});
  wrong({"correlators.spin_matrix=true"}, "no baryon is among the channels");
  good({"correlators.spin_matrix=true", "correlators.channels=[\"pion\", \"lambda_minus\"]"});
}

TEST(JobErrors, RulesOfQuarksThatAreAntiperiodicInSpace) {
  const std::string boundary = "action.boundary=[1, -1, 1, -1]";
  const auto wrong = [&](JobFile::Overrides overrides, const char* part) {
    overrides.push_back(boundary);
    expect_holds(complaint(propagator_text, overrides), part);
  };
  for (const char* type : {"wall", "momentum"})
    wrong({std::string("source.type=") + type}, "knows no sign at the edge of the lattice");
  wrong({"source.type=gaussian", "source.width=2"}, "'type' in [source]: a gaussian source knows no sign");
  wrong({"source.type=box", "source.size=[2, 2, 2]"}, "a box source");
  wrong({"correlators.channels=[\"pion\", \"proton\"]"},
        "'channels' in [correlators]: proton: three quarks that are antiperiodic in space");
  wrong({"three_point.insertions=proton_u", "three_point.sink_time=2"},
        "of the proton need quarks that are periodic in space");
  for (const char* source : {"source.type=point", "source.seed=1"}) {
    JobFile::Overrides good{boundary, source};
    if (source != std::string("source.type=point")) good.push_back("source.type=z2");
    EXPECT_NO_THROW(JobFile::parse(propagator_text, "job.toml", good)) << source;
  }
}

TEST(JobErrors, RulesOfSmearing) {
  const std::string steps = "quark_smearing.steps=4", sigma = "quark_smearing.sigma=1.5",
                    smeared = "correlators.sinks=[\"point\", \"smeared\"]";
  expect_holds(complaint(propagator_text, {steps}), "missing key 'sigma' in [quark_smearing]");
  expect_holds(complaint(propagator_text, {smeared}),
               "'sinks' in [correlators]: \"smeared\" needs [quark_smearing] with steps of at least 1");
  expect_holds(complaint(propagator_text, {smeared, sigma}), "with steps of at least 1");
  EXPECT_NO_THROW(JobFile::parse(propagator_text, "job.toml", {smeared, steps, sigma}));
  EXPECT_NO_THROW(JobFile::parse(propagator_text, "job.toml", {sigma}));
}

TEST(JobErrors, SmearingThatAmplifies) {
  using Keys = JobFile::Overrides;
  const auto good = [](const Keys& keys) {
    EXPECT_NO_THROW(JobFile::parse(propagator_text, "job.toml", keys)) << keys.front();
  };
  const std::string steps = "quark_smearing.steps=", sigma = "quark_smearing.sigma=6";
  EXPECT_EQ(complaint(propagator_text, {steps + "2", sigma}),
            "--set quark_smearing.steps: 'steps' in [quark_smearing]: 2 steps of width sigma = 6 amplify the "
            "highest momenta instead of smearing; take at least 54");
  expect_holds(complaint(propagator_text, {steps + "53", sigma}), "at least 54");
  good({steps + "54", sigma});
  good({steps + "2", sigma, "quark_smearing.allow_unstable=true"});
  const Keys staggered = {"action.type=staggered", "action.mass=0.1",
                          "action.kappa=", "correlators.channels=[\"pion_ps\"]", sigma};
  const auto with_steps = [&](const char* number) {
    Keys keys = staggered;
    keys.push_back(steps + number);
    return keys;
  };
  expect_holds(complaint(propagator_text, with_steps("13")), "at least 14");
  good(with_steps("14"));
  for (const std::string table : {"link_smearing", "action_smearing"}) {
    const auto of_table = [&](Keys keys) {
      for (std::string& key : keys) key = table + "." + key;
      return keys;
    };
    const auto wrong = [&](const Keys& keys, const char* part) {
      expect_holds(complaint(propagator_text, of_table(keys)), part);
    };
    wrong({"type=ape", "alpha=0.76"}, "at most 0.75");
    wrong({"type=ape", "spatial=true", "alpha=0.67"}, "at most 0.667 in space alone");
    wrong({"type=stout", "rho=0.13"}, "at most 0.125");
    wrong({"type=stout", "spatial=true", "rho=0.17"}, "at most 0.167 in space alone");
    wrong({"type=hyp", "steps=2", "alpha1=1", "alpha2=1", "alpha3=0.5"}, "by 2.33 each");
    wrong({"type=hyp", "steps=2", "alpha2=1", "alpha3=0.5", "spatial=true"}, "by 2.00 each");
    wrong({"type=flow", "flow_step=0.157"}, "less than 0.157");
    for (const Keys& keys : {Keys{"type=ape", "alpha=0.75"}, Keys{"type=ape", "spatial=true", "alpha=0.667"},
                             Keys{"type=stout", "rho=0.125"}, Keys{"type=stout", "spatial=true", "rho=0.167"},
                             Keys{"type=hyp", "steps=100"}, Keys{"type=hyp", "steps=100", "spatial=true"},
                             Keys{"type=hyp", "alpha1=1", "alpha2=1", "alpha3=0.5"},
                             Keys{"type=stout", "rho=0.5", "allow_unstable=true"},
                             Keys{"type=stout", "rho=0.5", "steps=0"}, Keys{"type=none", "rho=0.5"}})
      good(of_table(keys));
  }
}

TEST(JobErrors, RulesOfGaugeFormats) {
  const auto wrong = [](JobFile::Overrides overrides, const char* part) {
    const auto text = complaint(generate_text, overrides);
    expect_holds(text, "'format' in [output]: ");
    expect_holds(text, part);
  };
  const auto good = [](JobFile::Overrides overrides) {
    EXPECT_NO_THROW(JobFile::parse(generate_text, "job.toml", overrides));
  };
  for (const char* format : {"ildg", "scidac"}) {
    const std::string lime = std::string("output.format=") + format;
    good({lime});
    good({lime, "output.precision=single"});
    wrong({lime, "output.rows=3x2"}, "hold all 3");
    wrong({lime, "output.byte_order=little"}, "big");
  }
  wrong({"output.format=milc"}, "single");
  good({"output.format=milc", "output.precision=single"});
  good({"output.format=milc", "output.precision=single", "output.byte_order=little"});
  wrong({"output.format=openqcd"}, "little");
  good({"output.format=openqcd", "output.byte_order=little"});
  wrong({"output.format=openqcd", "output.byte_order=little", "output.precision=single"}, "double");
  good({"output.rows=3x2", "output.precision=single", "output.byte_order=little"});
}

TEST(JobErrors, KeysOfMeasure) {
  const auto bad = [](const std::string& setting) { return complaint(measure_text, {setting}); };
  expect_holds(bad("measure.observables=[]"), "must not be empty");
  expect_holds(bad("measure.observables=charge"), "must be \"plaquette\"");
  expect_holds(bad("gauge.files=[]"), "must not be empty");
  expect_holds(bad("gauge.antiperiodic=keep"), "must be \"refuse\" or \"strip\"");
  expect_holds(bad("flow.step=0.2"), "must be greater than 0 and less than 0.157");
  expect_holds(bad("flow.t_max=0"), "must be greater than 0");
  expect_holds(bad("flow.measure_every=0"), "found 0, must be 1 to ");
  expect_holds(bad("link_smearing.type=hex"), "must be \"none\", \"ape\", \"stout\", \"hyp\" or \"flow\"");
  expect_holds(bad("link_smearing.steps=-1"), "found -1, must be 0 to ");
  expect_holds(complaint(measure_text, {"lattice.extents=[4,4,4,8]", "comms.process_grid=[1,1,1,8]"}),
               "8 ranks in direction t cannot share 8 sites");
}

TEST(JobErrors, AllMistakesAtOnceInTheOrderOfTheFile) {
  const std::string text = R"(job = "propagator"
[gauge]
fle = "a"
[action]
kappa = -1
[solver]
method = "gmres"
tolerance = true
[nonsense]
a = 1
)";
  const auto message = complaint(text, {"run.threads=-1"});
  expect_holds(message, "job.toml: 8 mistakes");
  std::size_t at = 0;
  for (const char* part :
       {"job.toml:3:1: unknown key 'fle'", "job.toml:5:1: 'kappa'", "job.toml:7:1: 'method'",
        "job.toml:8:1: 'tolerance'", "job.toml:9:2: unknown table [nonsense]", "--set run.threads: 'threads'",
        "missing key 'files' in [gauge]", "missing key 'file' in [output]"}) {
    const auto next = message.find(part, at);
    ASSERT_NE(next, std::string::npos) << part << " is missing or out of order in\n" << message;
    at = next;
  }
}

TEST(JobErrors, OverridesThatAreNone) {
  for (const char* setting : {"solver.tolerance", "=1", "solver.=1"})
    expect_holds(
        message_of(ErrorKind::usage, [&] { JobFile::parse(propagator_text, "job.toml", {setting}); }),
        "TABLE.KEY=VALUE");
  expect_holds(complaint(propagator_text, {"solver.tolerence=1"}),
               "--set solver.tolerence: unknown key 'tolerence' in [solver]; did you mean 'tolerance'?");
}

TEST(JobErrors, FilesThatCannotBeRead) {
  expect_holds(message_of(ErrorKind::input_file, [] { JobFile::read("/nowhere/job.toml"); }),
               "/nowhere/job.toml");
  expect_holds(message_of(ErrorKind::input_file, [] { JobFile::read(testing::TempDir()); }),
               "is a directory");
  expect_holds(message_of(ErrorKind::input_file, [] { JobFile::read("/dev/zero"); }),
               "cannot read /dev/zero: it is not a regular file");
}

TEST(JobErrors, NamesOfFilesThatWouldBeMissed) {
  expect_holds(complaint(generate_text, {"output.prefix=\"sub/\""}),
               "found \"sub/\", a directory: its files would be hidden ones such as sub/.history.h5");
  expect_holds(complaint(generate_text, {"output.prefix=\"a\\nb\""}),
               "'prefix' in [output]: found \"a\\nb\", must not hold control characters");
  expect_holds(complaint(measure_text, {"gauge.files=[\"a\\tb\"]"}), "must not hold control characters");
  EXPECT_EQ(JobFile::parse(generate_text, "", {"output.prefix=sub/a b"}).get<ChainOutputKeys>().prefix,
            "sub/a b");
}

TEST(JobErrors, AFlowThatDoesNotFlow) {
  const std::string flow = "measure.observables=[\"flow\"]";
  expect_holds(complaint(measure_text, {flow, "flow.step=0.1", "flow.t_max=0.05"}),
               "'step' in [flow]: 0.1 is above t_max = 0.05: nothing would flow");
  for (const JobFile::Overrides& good : {JobFile::Overrides{flow, "flow.step=0.1", "flow.t_max=0.1"},
                                         JobFile::Overrides{"flow.step=0.1", "flow.t_max=0.05"}})
    EXPECT_NO_THROW(JobFile::parse(measure_text, "", good));
}

TEST(JobErrors, RangesWithoutAnEndHaveNone) {
  EXPECT_EQ(complaint(generate_text, {"update.seed=-1"}),
            "--set update.seed: 'seed' in [update]: found -1, must be at least 0");
}

TEST(JobErrors, TheElementThatDoesNotBelongIsNamed) {
  expect_holds(complaint(propagator_text, {"lattice.extents=[4.0, 4, 4, 8]"}),
               "found a list with the real 4.0, ");
  expect_holds(complaint(measure_text, {"gauge.files=[\"a\", 3]"}), "found a list with the integer 3, ");
  expect_holds(complaint(propagator_text, {"lattice.extents=[[4], 4, 4, 8]"}), "found a list with a list, ");
}

TEST(Nearest, Distances) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("kapap", "kappa"), 1);  // neighbours swapped
  EXPECT_EQ(edit_distance("ca", "abc"), 3);       // optimal string alignment, not full Damerau
  EXPECT_EQ(nearest_name("masss", {"kappa", "mass"}), "mass");
  EXPECT_EQ(nearest_name("masss", {}), "");
  EXPECT_EQ(nearest_hint("masss", {"kappa", "mass"}), "did you mean 'mass'?");
  EXPECT_EQ(nearest_hint("x", {"b", "c", "d"}), "there are 'b', 'c' and 'd'");  // no letter in common
  EXPECT_EQ(nearest_hint("masss", {}), "");
}

}  // namespace
}  // namespace plaq::jobs::test
