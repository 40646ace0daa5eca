// Propagator jobs of several masses: the numbers of jobs with one mass each, mesons of two masses by both ways, multi-shift
// CG, one setup of multigrid for all, going on, and what there is of one mass alone.
#include <algorithm>
#include <cmath>

#include "tests/jobs/program/propagator_program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Numbers;
using test::StoredNumbers;

const std::string two_kappas = "--set action.kappa= --set 'action.kappas=[0.11, 0.10]' ";
const std::string one_field = "--set gauge.files=field.000002.nersc ";

class ProgramMasses : public test::PropagatorProgram {
 protected:
  static std::string path(const std::string& channel) { return "/correlators/" + channel + "/p_0_0_0/point"; }
};

// The last two axes but one: [configuration][source][mass]...
StoredNumbers of_mass(const StoredNumbers& all, std::size_t mass) {
  StoredNumbers one = all;
  one.values.clear();
  one.extents.erase(one.extents.begin() + 2);
  const std::size_t pieces = all.extents[0] * all.extents[1], masses = all.extents[2],
                    size = all.values.size() / (pieces * masses);
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const auto at = all.values.begin() + static_cast<std::ptrdiff_t>((piece * masses + mass) * size);
    one.values.insert(one.values.end(), at, at + static_cast<std::ptrdiff_t>(size));
  }
  return one;
}

TEST_F(ProgramMasses, AreThoseOfOneMassEach) {
  const std::string more =
      "--set quark_smearing.steps=2 --set quark_smearing.sigma=1.1 --set source.count=2 --set "
      "source.shift=[1,0,2,3] --set 'correlators.sinks=[\"point\", \"smeared\"]' "
      "--set 'correlators.channels=[\"pion\", \"proton\", \"lambda\"]' --set output.propagators=hdf5 ";
  for (const char* folder : {"a", "b", "both"}) std::filesystem::create_directory(box_ / folder);
  const auto to = [](const std::string& folder) {
    return "--set output.propagator_directory=" + folder + " ";
  };
  const Numbers light = run("light", more + to("a")),
                heavy = run("heavy", more + to("b") + "--set action.kappa=0.10");
  const Numbers both = run("both", more + to("both") + two_kappas + "--set correlators.pairs=all", 2);
  for (const std::string sink : {"point", "smeared"})
    for (const auto& [one, quark] : {std::pair{&light, std::string("k0.11")}, {&heavy, "k0.1"}}) {
      const auto same = [&](const std::string& channel, const std::string& quarks) {
        EXPECT_EQ(both.at("/correlators/" + channel + "." + quarks + "/p_0_0_0/" + sink),
                  one->at("/correlators/" + channel + "/p_0_0_0/" + sink))
            << channel << " " << quark;
      };
      same("pion", quark + "_" + quark);
      same("proton", quark + "_" + quark);
      same("lambda", quark + "_" + quark + "_" + quark);
    }
  for (const char* of_solve : {"true_residual", "iterations", "updates", "attempts"}) {
    const std::string name = std::string("/solves/") + of_solve;
    EXPECT_EQ(of_mass(both.at(name), 0), light.at(name)) << name;
    EXPECT_EQ(of_mass(both.at(name), 1), heavy.at(name)) << name;
  }
  for (const std::string source : {".s0", ".s1"}) {
    const std::string file = "field.000004.nersc", ending = source + ".prop.h5";
    EXPECT_EQ(test::read_numbers((box_ / ("both/" + file + ".k0.1" + ending)).string()),
              test::read_numbers((box_ / ("b/" + file + ending)).string()));
  }
  // The kaon by the other way.
  box_.write("contract.toml", R"(job = "contract"
[gauge]
files = ["field.*.nersc"]
[quarks]
names = ["light", "strange"]
files = ["both/{field}.k0.11.s{source}.prop.h5", "b/{field}.s{source}.prop.h5"]
[source]
count = 2
[quark_smearing]
steps = 2
sigma = 1.1
[correlators]
channels = ["pion"]
sinks = ["point", "smeared"]
mesons = ["light_strange"]
[output]
file = "kaon.h5"
[run]
location = "host"
threads = 1
)");
  const auto outcome = box_.plaq("run contract.toml");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Numbers kaon = test::read_numbers((box_ / "kaon.h5").string());
  for (const std::string sink : {"/p_0_0_0/point", "/p_0_0_0/smeared"})
    EXPECT_EQ(kaon.at("/correlators/pion.light_strange" + sink),
              both.at("/correlators/pion.k0.11_k0.1" + sink));
}

TEST_F(ProgramMasses, EqualPairsAloneAndTheSameBitsOnAnyRanks) {
  run("one", two_kappas);
  const std::string bytes = contents(box_ / "one.h5");
  const Numbers found = test::read_numbers((box_ / "one.h5").string());
  EXPECT_TRUE(found.contains(path("pion.k0.1_k0.1")));
  EXPECT_FALSE(found.contains(path("pion.k0.11_k0.1")));
  for (const int ranks : {2, 4}) {
    std::filesystem::remove(box_ / "one.h5");
    run("one", two_kappas, ranks);
    EXPECT_TRUE(contents(box_ / "one.h5") == bytes) << ranks;
  }
}

// Staggered masses in one Krylov space: within the tolerance of solves of their own, and to the true residual. Of a point
// there is one parity, of a box both.
TEST_F(ProgramMasses, StaggeredMassesShareAKrylovSpace) {
  const std::string staggered = one_field + "--set action.kappa= --set action.type=staggered ",
                    list = staggered + "--set 'action.masses=[0.3, 0.1, 0.5]' --set correlators.pairs=all ";
  const std::vector<std::string> masses = {"0.3", "0.1", "0.5"};
  for (const std::string& source : {std::string(), std::string("--set source.position=[1,0,0,3] "),
                                    std::string("--set source.type=box --set source.size=[2,2,2] ")}) {
    SCOPED_TRACE(source);
    const std::string again = "--set output.overwrite=true ";
    const auto outcome = propagator(list + source + again + "--set output.file=all.h5", 2);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("3 masses together"), std::string::npos) << outcome.err;
    const Numbers all = test::read_numbers((box_ / "all.h5").string());
    for (const double residual : all.at("/solves/true_residual").values) {
      EXPECT_LE(residual, 1e-9);
      EXPECT_GT(residual, 0);
    }
    for (std::size_t i = 0; i < masses.size(); ++i) {
      const Numbers one = run("one", staggered + source + again + "--set action.mass=" + masses[i]);
      const auto& c = all.at(path("pion_ps.m" + masses[i] + "_m" + masses[i])).values;
      const auto& expected = one.at(path("pion_ps")).values;
      ASSERT_EQ(c.size(), expected.size());
      for (std::size_t t = 0; t < c.size(); t += 2) EXPECT_NEAR(c[t] / expected[t], 1, 1e-7) << masses[i];
    }
    // In one precision: no more iterations than the lightest takes alone, but a few, for all of them.
    const std::string plain = "--set solver.mixed=none " + source + again;
    const auto iterations = run("plain", list + plain).at("/solves/iterations").values;
    const auto alone =
        run("alone", staggered + plain + "--set action.mass=0.1").at("/solves/iterations").values;
    const double parts = source.find("box") == std::string::npos ? 1 : 2;
    EXPECT_LE(*std::max_element(iterations.begin(), iterations.end()),
              parts * (*std::max_element(alone.begin(), alone.end()) + 4));
  }
  // What it does not help.
  for (const std::string more :
       {"--set solver.method=bicgstab ", "--set solver.columns=1 ", "--set 'action.masses=[0.3, 0.5]' "}) {
    const auto outcome = propagator(list + more + "--set output.file=other.h5 --set output.overwrite=true");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("masses together"), std::string::npos) << outcome.err;
  }
}

// One setup serves all masses; a source has the same bits behind another one and alone.
TEST_F(ProgramMasses, OneSetupOfMultigrid) {
  const std::string multigrid = one_field +
                                "--set action.kappa= --set 'action.kappas=[0.155, 0.16]' --set "
                                "solver.preconditioner=multigrid --set 'multigrid.blocks=[\"2x2x2x2\"]' "
                                "--set multigrid.vectors=[6] --set source.count=2 ";
  const Numbers two = run("two", multigrid + "--set source.shift=[1,2,3,5]"),
                swapped = run("swapped",
                              multigrid + "--set source.position=[1,2,3,5] --set source.shift=[3,2,1,3]", 2);
  EXPECT_EQ(two.at("/solves/multigrid_rounds").extents, (std::vector<std::size_t>{1, 2, 2}));
  EXPECT_EQ(two.at("/solves/multigrid_lattices").values, (std::vector<double>{1, 1, 1, 1}));
  for (const char* channel : {"pion.k0.155_k0.155", "pion.k0.16_k0.16"})
    for (std::size_t k : {0u, 1u})
      EXPECT_EQ(two.at(path(channel)).at(0).at(k), swapped.at(path(channel)).at(0).at(1 - k)) << channel << k;
  for (const double residual : two.at("/solves/true_residual").values) EXPECT_LE(residual, 1e-9);
}

// The first field is there and the second one misses: what goes on has the bits of a calm run, files included.
TEST_F(ProgramMasses, GoOn) {
  const std::string written = two_kappas + "--set output.propagators=hdf5 --set output.file=calm.h5 ";
  run("calm", written);
  const std::string calm = contents(box_ / "calm.h5"), file = "field.000004.nersc.k0.1.s0.prop.h5",
                    second = (box_ / file).string();
  const auto propagator_numbers = test::read_numbers(second);
  const auto all = test::read_numbers((box_ / "calm.h5").string()).at("/solves/iterations");
  const auto most = [&](std::size_t field) {
    const auto values = all.at(field).values;
    return static_cast<int>(*std::max_element(values.begin(), values.end()));
  };
  if (most(0) >= most(1)) GTEST_SKIP() << "the second field is not the harder one";
  std::filesystem::remove(box_ / "calm.h5");
  for (const auto& entry : std::filesystem::directory_iterator(box_ / ""))
    if (entry.path().string().ends_with(".prop.h5")) std::filesystem::remove(entry.path());
  const auto limit = [&](int iterations) {
    return written + "--set solver.max_iterations=" + std::to_string(iterations) + " ";
  };
  expect_failure(propagator(limit(most(1) - 1)), 6, {"field.000004.nersc", "1 of 2 fields are done"});
  const auto on = propagator(limit(10000), 2);
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_NE(on.err.find("going on: 1 of 2 fields"), std::string::npos) << on.err;
  EXPECT_EQ(test::read_numbers((box_ / "calm.h5").string()), [&] {
    box_.write("before.h5", calm);
    return test::read_numbers((box_ / "before.h5").string());
  }());
  EXPECT_EQ(test::read_numbers(second), propagator_numbers);
}

TEST_F(ProgramMasses, WrongKeys) {
  const struct {
    std::string more;
    std::vector<std::string> parts;
  } all[] = {
      {"--set 'action.kappas=[0.1, 0.11]'", {"kappas", "'kappa' is given as well"}},
      {"--set action.kappa= --set 'action.masses=[0.1]' --set 'action.kappas=[0.1]'",
       {"kappas", "'masses' is given as well"}},
      {"--set action.kappa= --set 'action.masses=[0.1, 0.1]'", {"0.1 is listed twice"}},
      {"--set action.kappa=", {"missing key 'mass' or 'kappa'"}},
      {"--set correlators.pairs=all", {"pairs", "several masses"}},
      {two_kappas + "--set 'three_point.insertions=[\"pion\"]' --set three_point.sink_time=3",
       {"insertions", "one mass"}},
      {two_kappas + "--set quark_propagator.max_n=1", {"max_n", "one mass"}},
  };
  for (const auto& wrong : all) {
    SCOPED_TRACE(wrong.more);
    expect_failure(propagator(wrong.more), 3, wrong.parts);
  }
}

TEST_F(ProgramMasses, ArePlanned) {
  const auto outcome =
      box_.plaq("plan propagator.toml --ranks 2 " + two_kappas + "--set output.propagators=hdf5");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("k0.11.s0.prop.h5"), std::string::npos) << outcome.out;
  const auto staggered = box_.plaq(
      "plan propagator.toml --ranks 2 --set action.kappa= --set action.type=staggered --set "
      "'action.masses=[0.1, 0.2, 0.4]'");
  EXPECT_EQ(staggered.code, 0) << staggered.err;
  EXPECT_NE(staggered.out.find("multi-shift solve"), std::string::npos) << staggered.out;
}

}  // namespace
}  // namespace plaq
