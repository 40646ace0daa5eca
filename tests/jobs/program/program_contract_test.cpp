// Contract jobs from end to end: the very numbers of the job that stored the propagators; mesons and baryons of different
// quarks; resuming; what does not belong together.
#include <cmath>
#include <complex>

#include "tests/io/propagator/staggered_files.hpp"
#include "tests/jobs/program/propagator_program.hpp"
#include "tests/reference/correlators.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/propagator.hpp"

namespace plaq {
namespace {

using reference::Complex;
using test::contents;
using test::expect_failure;
using test::Numbers;

constexpr const char* contract_job = R"(job = "contract"
[gauge]
files = ["field.*.nersc"]
[quarks]
names = ["light", "strange"]
files = ["light/{field}.s{source}.prop.h5", "strange/{field}.s{source}.prop.h5"]
[correlators]
channels = ["pion", "rho"]
[output]
file = "kaon.h5"
[run]
location = "host"
threads = 1
)";
const std::string one_field = "--set gauge.files=field.000002.nersc ";
const std::string heavier = "--set action.kappa=0.10 ";

class ProgramContract : public test::PropagatorProgram {
 protected:
  void SetUp() override {
    PropagatorProgram::SetUp();
    box_.write("contract.toml", contract_job);
    for (const char* quark : {"light", "strange"}) std::filesystem::create_directory(box_ / quark);
  }
  // Propagators of a quark, and the correlators of their own job.
  Numbers store(const std::string& quark, const std::string& more) const {
    return run("own_" + quark,
               "--set output.propagators=hdf5 --set output.propagator_directory=" + quark + " " + more);
  }
  test::Outcome contract(const std::string& more, int ranks = 1) const {
    return box_.plaq("run contract.toml " + more, ranks);
  }
  Numbers contracted(const std::string& name, const std::string& more, int ranks = 1) const {
    const test::Outcome outcome = contract("--set output.file=" + name + ".h5 " + more, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? test::read_numbers((box_ / (name + ".h5")).string()) : Numbers{};
  }
  std::string two_of(const char* file) const {
    return std::string("--set 'quarks.files=[\"") + file + "\", \"" + file + "\"]' ";
  }
  reference::Propagator stored(const std::string& file) const {
    const auto numbers = test::read_numbers((box_ / file).string()).at("/propagator");
    reference::Propagator s;
    const reference::Lattice lattice{{4, 4, 4, 8}};
    s.fill(reference::zero_spinor(lattice));
    auto at = numbers.values.begin();
    for (int site = 0; site < lattice.volume(); ++site)
      for (auto& column : s)
        for (int i = 0; i < 12; ++i, at += 2)
          column[static_cast<std::size_t>(site)][i / 3][i % 3] = {at[0], at[1]};
    return s;
  }
};

// The channel and the quarks of a path, "/correlators/pion.light_strange/...", as one of a job with one quark.
std::string of_one_quark(const std::string& path) {
  const auto dot = path.find('.');
  return path.substr(0, dot) + path.substr(path.find('/', dot));
}

// Of two fields and two sources, smeared and as they are; the second quark is a copy of the files of the first.
TEST_F(ProgramContract, HasTheBitsOfTheJobThatStoredThem) {
  const std::string smearing =
      "--set link_smearing.type=ape --set link_smearing.steps=2 --set link_smearing.spatial=true "
      "--set quark_smearing.steps=3 --set quark_smearing.sigma=1.2 "
      "--set 'correlators.sinks=[\"point\", \"smeared\"]' --set correlators.max_momentum_squared=1 "
      "--set 'correlators.channels=[\"pion\", \"rho\", \"axial_pseudoscalar\", \"proton\", \"proton_minus\", "
      "\"lambda\", \"delta\"]' --set correlators.spin_matrix=true ";
  const std::string sources = "--set source.count=2 ";
  const Numbers own =
      store("light", smearing + sources + "--set source.position=[1,2,3,5] --set source.shift=[0,0,2,4]");
  for (const auto& file : std::filesystem::directory_iterator(box_ / "light"))
    std::filesystem::copy(file, box_ / "strange" / file.path().filename());
  const std::string baryons = "--set 'correlators.baryons=[\"light_light_strange\"]' ";
  std::string bytes;
  for (const int ranks : {1, 2, 4}) {
    SCOPED_TRACE(ranks);
    const std::string name = "kaon" + std::to_string(ranks);
    const Numbers found = contracted(name, smearing + sources + baryons, ranks);
    std::size_t compared = 0;
    for (const auto& [path, numbers] : found) {
      if (!path.starts_with("/correlators/")) continue;
      EXPECT_EQ(numbers, own.at(of_one_quark(path))) << path;
      ++compared;
    }
    // Three pairs of each meson, one baryon of each kind, and the matrices of three of them.
    EXPECT_EQ(compared, 2 * 7 * (3u * 3 + 2 + 1 + 1 + 3));
    EXPECT_EQ(found.at("/sources/position"), own.at("/sources/position"));
    EXPECT_EQ(found.at("/quarks/mass").extents, (std::vector<std::size_t>{2, 2, 2}));
    EXPECT_NEAR(found.at("/quarks/mass").values.front(), 1 / (2 * 0.11) - 4, 1e-15);
  }
}

TEST_F(ProgramContract, KaonsOfTwoQuarks) {
  const reference::Lattice lattice{{4, 4, 4, 8}};
  const std::string at = one_field + "--set source.position=[1,2,3,5] ";
  const Numbers light = store("light", at), strange = store("strange", at + heavier);
  const Numbers found = contracted("kaon",
                                   one_field +
                                       "--set 'correlators.channels=[\"pion\", \"axial_pseudoscalar\"]' "
                                       "--set correlators.max_momentum_squared=1 "
                                       "--set 'correlators.mesons=[\"light_light\", \"strange_light\"]'",
                                   2);
  EXPECT_EQ(found.at("/correlators/pion.light_light/p_0_0_0/point"), light.at(test::pion));
  EXPECT_FALSE(found.contains("/correlators/pion.light_strange/p_0_0_0/point"));
  const auto s1 = stored("strange/field.000002.nersc.s0.prop.h5"),
             s2 = stored("light/field.000002.nersc.s0.prop.h5");
  const auto g5 = reference::gamma5(), a4 = reference::gamma(3) * g5;
  const struct {
    std::string channel;
    reference::SpinMatrix sink;
    std::array<int, 3> n;
  } all[] = {{"pion", g5, {0, 0, 0}},
             {"pion", g5, {0, -1, 0}},
             {"axial_pseudoscalar", a4, {0, 0, 0}},
             {"axial_pseudoscalar", a4, {1, 0, 0}}};
  for (const auto& one : all) {
    const auto expected = reference::meson(lattice, s1, s2, one.sink, g5, one.n, {1, 2, 3, 5});
    const std::string path = "/correlators/" + one.channel + ".strange_light/p_" + std::to_string(one.n[0]) +
                             "_" + std::to_string(one.n[1]) + "_" + std::to_string(one.n[2]) + "/point";
    SCOPED_TRACE(path);
    const auto& values = found.at(path).values;
    ASSERT_EQ(values.size(), 16u);
    for (std::size_t t = 0; t < 8; ++t)
      EXPECT_LT(std::abs(Complex(values[2 * t], values[2 * t + 1]) - expected[t]),
                1e-13 * std::abs(expected[0]))
          << t;
  }
}

// Smearing hops over the edge of the lattice with the sign of the quarks: on unit links nothing depends on where the source
// is. The pion is exact: momenta 2 pi (n + 1/2) / L in x, the source times (1 + sigma^2/(4 N) (2 sum_i cos p_i - 6))^N.
TEST_F(ProgramContract, QuarksThatAreAntiperiodicInSpace) {
  box_.write("generate.toml", test::generate_job);
  ASSERT_EQ(box_.plaq("run generate.toml --set gauge.start=cold --set update.thermalization=0 "
                      "--set update.configurations=1 --set output.prefix=cold")
                .code,
            0);
  const std::string smearing =
                        "--set quark_smearing.steps=4 --set quark_smearing.sigma=1.2 "
                        "--set 'correlators.sinks=[\"point\", \"smeared\"]' ",
                    field = "--set gauge.files=cold.000000.nersc ";
  const double exact[] = {0.10057265, 0.01611303, 0.00384447, 0.00100796, 0.00047678};
  const std::string smeared = "/correlators/pion/p_0_0_0/smeared",
                    three = "/three_point/pion/vector_t/p_0_0_0";
  Numbers first;
  for (const int x : {0, 2}) {
    SCOPED_TRACE(x);
    const Numbers own =
        store("light", field + smearing + "--set 'action.boundary=[-1, 1, 1, -1]' --set action.kappa=0.12 " +
                           "--set three_point.insertions=pion --set three_point.sink_time=3 "
                           "--set three_point.smeared_sink=true --set solver.tolerance=1e-12 "
                           "--set output.overwrite=true --set source.position=[" +
                           std::to_string(x) + ",0,0,0]");
    for (std::size_t t = 0; t < std::size(exact); ++t)
      EXPECT_NEAR(own.at(test::pion).values[2 * t] / exact[t], 1, 1e-6) << t;
    if (x == 0) first = own;
    for (const std::string& path : {smeared, three}) {
      const auto &here = own.at(path).values, &there = first.at(path).values;
      for (std::size_t t = 0; t < here.size(); ++t) EXPECT_NEAR(here[t], there[t], 1e-9 * std::abs(there[0]));
    }
    const std::string stored = field + smearing + two_of("light/cold.000000.nersc.s0.prop.h5") +
                               "--set output.overwrite=true --set correlators.channels=pion ";
    expect_failure(contract(stored), 4, {"set space_boundary = [-1, 1, 1] in [quarks]"});
    const Numbers found = contracted("pions", stored + "--set 'quarks.space_boundary=[-1, 1, 1]'", 2);
    EXPECT_EQ(found.at("/correlators/pion.light_light/p_0_0_0/smeared"), own.at(smeared));
  }
}

// Baryons whose operators are those of others with quarks that change places.
TEST_F(ProgramContract, BaryonsOfTwoQuarks) {
  const Numbers light = store("light", one_field + "--set 'correlators.channels=[\"proton\", \"delta\"]'"),
                strange = store("strange", one_field + heavier + "--set 'correlators.channels=[\"delta\"]'");
  const Numbers found = contracted(
      "hyperons",
      one_field +
          "--set 'correlators.channels=[\"proton\", \"sigma\", \"xi\", \"xi_minus\", \"sigma_star\", "
          "\"xi_star\", \"delta\", \"omega\", \"lambda\"]' --set 'correlators.baryons=["
          "\"light_light_strange\", \"strange_strange_light\", \"light_light_light\"]'");
  const auto c = [&](const std::string& channel) {
    return found.at("/correlators/" + channel + "/p_0_0_0/point").values;
  };
  const auto near = [](const std::vector<double>& one, const std::vector<double>& other) {
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-13 * std::abs(one[0])) << i;
  };
  EXPECT_EQ(c("sigma.light_strange"), c("xi.light_strange"));  // A = light, B = strange
  EXPECT_EQ(c("xi.strange_light"), c("sigma.strange_light"));
  EXPECT_NE(c("sigma.light_strange"), c("xi.strange_light"));
  EXPECT_EQ(c("sigma_star.light_strange"), c("xi_star.light_strange"));
  EXPECT_EQ(c("proton.light_light"), light.at("/correlators/proton/p_0_0_0/point").values);
  EXPECT_EQ(c("omega.strange"), strange.at("/correlators/delta/p_0_0_0/point").values);
  EXPECT_EQ(c("delta.light"), light.at("/correlators/delta/p_0_0_0/point").values);
  near(c("sigma.light_light"), c("proton.light_light"));
  near(c("sigma_star.light_light"), c("delta.light"));
  near(c("lambda.light_light_light"), c("proton.light_light"));
  // Heavier quarks make heavier baryons: they decay faster.
  const auto ratio = [&](const std::string& channel) { return c(channel)[2] / c(channel)[0]; };
  EXPECT_GT(ratio("proton.light_light"), ratio("lambda.light_light_strange"));
  EXPECT_GT(ratio("sigma.light_strange"), ratio("xi.strange_light"));
}

TEST_F(ProgramContract, StaggeredKaons) {
  const std::string staggered = one_field + "--set action.kappa= --set action.type=staggered ";
  const Numbers light = store("light", staggered +
                                           "--set action.mass=0.3 --set "
                                           "'correlators.channels=[\"pion_ps\", \"nucleon\"]'");
  store("strange", staggered + "--set action.mass=0.5");
  const Numbers found = contracted("kaon", one_field +
                                               "--set 'correlators.channels=[\"pion_ps\", \"nucleon\"]' "
                                               "--set 'correlators.baryons=[\"light_light_strange\"]'");
  EXPECT_EQ(found.at("/correlators/pion_ps.light_light/p_0_0_0/point"),
            light.at("/correlators/pion_ps/p_0_0_0/point"));
  EXPECT_EQ(found.at("/correlators/nucleon.light/p_0_0_0/point"),
            light.at("/correlators/nucleon/p_0_0_0/point"));
  // Schwarz's inequality, and not one of the two.
  const auto c = [&](const std::string& pair) {
    return found.at("/correlators/pion_ps." + pair + "/p_0_0_0/point").values;
  };
  const auto mixed = c("light_strange"), ll = c("light_light"), ss = c("strange_strange");
  for (std::size_t i = 0; i < mixed.size(); i += 2) {
    EXPECT_LE(std::hypot(mixed[i], mixed[i + 1]), std::sqrt(ll[i] * ss[i]) * (1 + 1e-12));
    EXPECT_LT(mixed[i], ll[i]);
    EXPECT_GT(mixed[i], ss[i]);
  }
}

// A field that comes later is contracted; files that changed since are contracted again. Links are not looked at.
TEST_F(ProgramContract, GrowsAndKnowsItsFiles) {
  store("light", "");
  store("strange", heavier);
  contracted("kaon", one_field);
  const std::string first = contents(box_ / "kaon.h5");
  const Numbers both = contracted("kaon", "");
  EXPECT_EQ(both.at("/correlators/pion.light_strange/p_0_0_0/point").extents.front(), 2u);
  contracted("calm", "");
  EXPECT_TRUE(contents(box_ / "calm.h5") == contents(box_ / "kaon.h5"))
      << "a result that grew has other bytes";
  EXPECT_NE(contract("--set output.file=calm.h5").err.find("complete"), std::string::npos);
  // An unfinished run has the first field, whose propagators are others when it goes on, and not the second one.
  const std::string second = "strange/field.000004.nersc.s0.prop.h5", good = contents(box_ / second);
  std::string damaged = good;
  damaged[damaged.size() / 2] ^= 1;
  box_.write(second, damaged);
  const std::string late = "--set output.file=late.h5 ";
  expect_failure(contract(late), 4, {second, "1 of 2 fields are done and kept"});
  box_.write(second, good);
  const std::string kept = contract(late).err;
  EXPECT_EQ(kept.find("read light: light/field.000002"), std::string::npos) << kept;
  EXPECT_TRUE(contents(box_ / "late.h5") == contents(box_ / "kaon.h5"));
  std::filesystem::remove(box_ / "late.h5");
  box_.write(second, damaged);
  expect_failure(contract(late), 4, {second});
  box_.write(second, good);
  store("strange", one_field + "--set action.kappa=0.09 --set output.overwrite=true");
  const Numbers changed = contracted("late", "", 2), calm_again = contracted("calm_again", "");
  EXPECT_EQ(changed, calm_again);
  EXPECT_NE(changed.at("/correlators/pion.strange_strange/p_0_0_0/point"),
            both.at("/correlators/pion.strange_strange/p_0_0_0/point"));
}

TEST_F(ProgramContract, WrongFilesAndKeys) {
  const std::string away = "--set source.position=[1,2,3,5] ";
  std::filesystem::create_directory(box_ / "moved");
  std::filesystem::create_directory(box_ / "noise");
  store("light", "");
  store("strange", heavier);
  store("moved", one_field + away);
  store("noise", one_field + "--set source.type=z2 --set source.seed=3");
  std::filesystem::create_directory(box_ / "periodic");
  store("periodic", one_field + "--set action.boundary=[1,1,1,1]");
  reference::Generator generator(5);
  box_.write("unknown.lime",
             test::lime_propagator(reference::random_spinors({{4, 4, 4, 8}}, 12, generator), {4, 4, 4, 8}, 64)
                 .bytes());
  std::string damaged = contents(box_ / "light/field.000002.nersc.s0.prop.h5");
  damaged[damaged.size() / 2] ^= 1;
  box_.write("damaged.h5", damaged);
  const auto files = [](const std::string& light, const std::string& strange) {
    return one_field + "--set 'quarks.files=[\"" + light + "\", \"" + strange + "\"]' ";
  };
  const std::string light = "light/{field}.s{source}.prop.h5", unknown = "unknown.lime";
  const auto channels = [](const std::string& names) {
    return one_field + "--set 'correlators.channels=[" + names + "]' ";
  };
  const struct {
    std::string more;
    int code;
    std::vector<std::string> parts;
  } all[] = {
      {"--set 'quarks.names=[\"a\"]'", 3, {"2 names of files for 1 quark"}},
      {"--set 'quarks.names=[\"a\", \"a\"]'", 3, {"a is listed twice"}},
      {"--set 'quarks.names=[\"light_u\", \"b\"]'", 3, {"light_u is no name of a quark"}},
      {"--set 'correlators.mesons=[\"light_charm\"]'",
       3,
       {"light_charm is not two of the quarks light, strange"}},
      {"--set 'correlators.mesons=[\"light_light\"]'", 3, {"strange is in no correlator"}},
      {"--set 'correlators.baryons=[\"light_light_light\"]'", 3, {"no baryon is among the channels"}},
      {channels("\"proton\""), 3, {"missing", "baryons", "light_light_strange"}},
      {channels("\"pion\", \"pion_ps\""), 3, {"pion and pion_ps are not of the same quarks"}},
      {"--set source.count=2 --set 'quarks.files=[\"a.h5\", \"b.h5\"]'", 3, {"a.h5 has no {source}"}},
      {files(light, "none.h5"), 4, {"none.h5"}},
      {files(light, "light/*.h5"), 4, {"stands for 2 files", "must be one"}},
      {files(light, "moved/{field}.s0.prop.h5"), 4, {"moved/", "its source is at 1x2x3x5", "do not belong"}},
      {files(light, "light/field.000004.nersc.s0.prop.h5"),
       4,
       {"field.000004.nersc", "field.000002.nersc", "do not belong together"}},
      {files(light, light) + "--set gauge.files=field.000004.nersc "
                             "--set 'quarks.files=[\"light/field.000002.nersc.s0.prop.h5\", "
                             "\"strange/field.000002.nersc.s0.prop.h5\"]'",
       4,
       {"field.000002.nersc", "[gauge] has field.000004.nersc", "do not belong together"}},
      {files(light, light) + away, 4, {"its source is at", "[source] says"}},
      {files(unknown, unknown), 3, {"unknown.lime does not say where its source is", "position in [source]"}},
      {files(light, "noise/{field}.s0.prop.h5"), 4, {"other noise"}},
      {files("noise/{field}.s0.prop.h5", "noise/{field}.s0.prop.h5") +
           "--set 'correlators.channels=[\"proton\"]' --set 'correlators.baryons=[\"light_light_strange\"]'",
       4,
       {"z2", "proton needs three quarks"}},
      {files(light, light) + "--set 'correlators.channels=[\"pion_ps\"]'",
       4,
       {"three color vectors", "twelve"}},
      {files(light, light) + "--set 'correlators.channels=[\"proton\"]' --set quarks.boundary=periodic "
                             "--set 'correlators.baryons=[\"light_light_strange\"]'",
       4,
       {"sign -1 in time", "antiperiodic"}},
      {files(light, "periodic/{field}.s0.prop.h5"),
       4,
       {"periodic/", "sign 1 around the lattice in time", "light/", "has -1"}},
      {files(light, "damaged.h5"), 4, {"damaged.h5", "damaged"}},
  };
  for (const auto& wrong : all) {
    SCOPED_TRACE(wrong.more);
    expect_failure(contract(wrong.more), wrong.code, wrong.parts);
  }
  // Quarks of two signs in one job, but in no correlator.
  contracted("apart", files(light, "periodic/{field}.s0.prop.h5") +
                          "--set 'correlators.mesons=[\"light_light\", \"strange_strange\"]'");
  EXPECT_FALSE(exists("kaon.h5"));
  // Files of other programs, of which the job says where the source is.
  const Numbers found = contracted("unknown", files(unknown, unknown) + "--set source.position=[0,0,0,1]");
  EXPECT_TRUE(std::isnan(found.at("/quarks/mass").values.front()));
}

TEST_F(ProgramContract, IsPlanned) {
  const auto outcome = box_.plaq("plan contract.toml --ranks 2");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("quark fields"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("kaon.h5"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace plaq
