// Measure jobs with smearing, clover and flow, and the formats of generated fields, from end to end.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/jobs/program/program.hpp"
#include "tests/jobs/results/result_data.hpp"

namespace plaq {
namespace {

using Json = nlohmann::json;
using test::contents;
using test::expect_failure;

using Numbers = std::map<std::string, test::StoredNumbers>;

const std::string all =
    "--set 'measure.observables=[\"plaquette\", \"link_trace\", \"polyakov_loop\", "
    "\"unitarity\", \"clover\", \"flow\", \"wilson_loops\"]' ";

class ProgramMeasure : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("generate.toml", test::generate_job);
    box_.write("measure.toml", test::measure_job);
  }
  void generate(const std::string& more = "") const {
    const auto outcome = box_.plaq("run generate.toml " + more);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  Numbers run(const std::string& more, int ranks = 1) {
    const auto outcome = box_.plaq("run measure.toml --set output.overwrite=true " + more, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    out_ = outcome.out;
    return outcome.code == 0 ? test::read_numbers((box_ / "measured.h5").string()) : Numbers{};
  }
  static double last(const test::StoredNumbers& numbers) { return numbers.values.back(); }
  // A loop of one step is the plaquette.
  static void expect_one_step(const Numbers& found) {
    const auto& loops = found.at("/wilson_loops/r_1_0_0");
    for (std::size_t file = 0; file < loops.extents[0]; ++file)
      EXPECT_NEAR(loops.at(file).values[0], found.at("/observables/plaquette_temporal").values[file], 1e-14);
  }
  // That of the flow at time 0 from the plaquette: E = 2 sum over six planes of Re tr(1 - P).
  static double energy_of(double plaquette) { return 2 * 6 * 3 * (1 - plaquette); }

  test::Sandbox box_;
  std::string out_;
};

TEST_F(ProgramMeasure, SameFilesOnAnyRanks) {
  generate();
  const std::string more = all +
                           "--set link_smearing.type=stout --set link_smearing.steps=2 --set flow.t_max=0.5 "
                           "--set 'wilson_loops.directions=[\"100\", \"110\"]' ";
  std::string alone, lines;
  for (const auto& [ranks, comms] : {std::pair{1, ""},
                                     {2, ""},
                                     {4, ""},
                                     {4, "--set comms.process_grid=[2,2,1,1]"},
                                     {2, "--set comms.halo_checksums=true"},
                                     {4, "--set comms.halo_checksums=true"},
                                     {1, "--set 'comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]'"}}) {
    SCOPED_TRACE(std::to_string(ranks) + comms);
    const Numbers found = run(more + comms, ranks);
    EXPECT_EQ(found.size(), 5u + 1 + 2 + 6 + 2 + 1);
    EXPECT_EQ(found.at("/wilson_loops/r_1_1_0").extents, (std::vector<std::size_t>{2, 2, 4}));
    const std::string bytes = contents(box_ / "measured.h5");
    if (alone.empty()) alone = bytes, lines = out_;
    EXPECT_TRUE(bytes == alone) << "other bytes";
    EXPECT_EQ(out_, lines);
  }
}

// By headers where they say it, else by names.
TEST_F(ProgramMeasure, RowsSayTheirTrajectory) {
  for (const std::string format : {"nersc", "ildg", "scidac", "milc", "openqcd", "ddalphaamg"}) {
    SCOPED_TRACE(format);
    generate("--set output.format=" + format + " --set output.prefix=" + format + "_r3" +
             (format == "milc"      ? " --set output.precision=single"
              : format == "openqcd" ? " --set output.byte_order=little"
                                    : ""));
    const std::string files = "--set 'gauge.files=[\"" + format + "_r3.*." + format + "\"]' ";
    const Numbers plain = run(files);
    const bool says = format != "milc" && format != "openqcd" && format != "ddalphaamg";
    ASSERT_EQ(plain.contains("/configurations/trajectory"), says);
    EXPECT_FALSE(plain.contains("/configurations/replica"));
    if (says) {
      EXPECT_EQ(plain.at("/configurations/trajectory").values, (std::vector<double>{2, 4}));
    }
    const Numbers named = run(files + "--set 'gauge.numbering=\"*_r{replica}.00000{trajectory}.*\"'");
    EXPECT_EQ(named.at("/configurations/trajectory").values, (std::vector<double>{2, 4}));
    EXPECT_EQ(named.at("/configurations/replica").values, (std::vector<double>{3, 3}));
  }
  expect_failure(
      box_.plaq("run measure.toml --set output.overwrite=true --set 'gauge.files=[\"nersc*\"]' --set "
                "'gauge.numbering=\"a{trajectory}\"'"),
      3, {"measure.toml", "nersc_r3.000002.nersc", "'numbering' in [gauge]"});
}

TEST_F(ProgramMeasure, TheFlowBeginsWhereTheFieldIs) {
  generate();
  const Numbers found = run(all + "--set flow.step=0.05 --set flow.t_max=1.01 --set flow.measure_every=8");
  const std::vector<double> expected{0, 0.4, 0.8, 1.0};  // and the last point
  for (std::size_t file = 0; file < 2; ++file) {
    const auto t = found.at("/flow/t").at(file).values;
    ASSERT_EQ(t.size(), expected.size());
    for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(t[i], expected[i], 1e-12);
    const auto at = [&](const char* name) { return found.at(name).at(file).values; };
    EXPECT_NEAR(at("/flow/plaquette_energy")[0], energy_of(at("/observables/plaquette")[0]), 1e-12);
    EXPECT_EQ(at("/flow/clover_energy")[0], at("/observables/clover_energy")[0]);
    EXPECT_EQ(at("/flow/topological_charge")[0], at("/observables/topological_charge")[0]);
    for (const char* energy : {"/flow/plaquette_energy", "/flow/clover_energy"})
      for (std::size_t i = 1; i < t.size(); ++i) EXPECT_LT(at(energy)[i], at(energy)[i - 1]) << energy;
  }
  // The flow of a job that measures nothing else is the same.
  const Numbers alone =
      run("--set 'measure.observables=[\"flow\"]' --set flow.step=0.05 --set flow.t_max=1.01 "
          "--set flow.measure_every=8",
          2);
  EXPECT_EQ(alone.size(), 6u + 1);
  for (const auto& [path, numbers] : alone)
    if (!std::isnan(numbers.values[0])) {
      EXPECT_EQ(numbers, found.at(path)) << path;
    }
}

TEST_F(ProgramMeasure, ScalesLieBetweenPointsOfTheFlow) {
  generate();
  const Numbers found = run(all + "--set flow.t_max=1.5");
  for (std::size_t file = 0; file < 2; ++file) {
    const auto t = found.at("/flow/t").at(file).values,
               energy = found.at("/flow/clover_energy").at(file).values;
    const double t0 = found.at("/flow/t0").values[file], w0 = found.at("/flow/w0").values[file];
    // t^2 E(t) goes through 0.3 between two points.
    ASSERT_TRUE(std::isfinite(t0));
    std::size_t i = 0;
    while (i + 2 < t.size() && t[i + 1] < t0) ++i;
    EXPECT_LE(t[i] * t[i] * energy[i], 0.3);
    EXPECT_GE(t[i + 1] * t[i + 1] * energy[i + 1], 0.3);
    EXPECT_TRUE(std::isfinite(w0));
    EXPECT_LT(w0 * w0, 1.5);
  }
}

TEST_F(ProgramMeasure, SmearedLinksAreMeasured) {
  generate();
  const Numbers bare = run(all);
  expect_one_step(bare);
  EXPECT_EQ(run(all + "--set link_smearing.type=ape --set link_smearing.steps=0"), bare);
  double before = last(bare.at("/observables/plaquette"));
  for (const char* smearing :
       {"--set link_smearing.type=stout --set link_smearing.rho=0.05", "--set link_smearing.type=stout",
        "--set link_smearing.type=stout --set link_smearing.steps=3",
        "--set link_smearing.type=stout --set link_smearing.steps=12"}) {
    SCOPED_TRACE(smearing);
    const Numbers found = run(all + smearing);
    const double plaquette = last(found.at("/observables/plaquette"));
    EXPECT_GT(plaquette, before);
    expect_one_step(found);
    before = plaquette;
    EXPECT_NE(found.at("/observables/clover_energy"), bare.at("/observables/clover_energy"));
    EXPECT_NE(found.at("/observables/polyakov_loop"), bare.at("/observables/polyakov_loop"));
    EXPECT_LT(last(found.at("/observables/unitarity_violation")), 1e-13);
    EXPECT_NEAR(last(found.at("/flow/plaquette_energy").at(1).at(0)), energy_of(plaquette), 1e-12);
  }
  // In space alone: the links in time, and so the Polyakov loop, stay.
  const Numbers spatial = run(all + "--set link_smearing.type=ape --set link_smearing.spatial=true");
  EXPECT_EQ(spatial.at("/observables/polyakov_loop"), bare.at("/observables/polyakov_loop"));
  EXPECT_NE(spatial.at("/observables/plaquette_spatial"), bare.at("/observables/plaquette_spatial"));
  expect_failure(box_.plaq("run measure.toml --set link_smearing.type=hex", 2), 3, {"type", "stout"});
  expect_failure(box_.plaq("run measure.toml --set flow.step=0.3", 2), 3, {"step", "0.157"});
  const std::string loops = "run measure.toml --set measure.observables=wilson_loops --set wilson_loops.";
  expect_failure(box_.plaq(loops + "max_r=5", 2), 3, {"'max_r'", "5 is above 4", "in space"});
  expect_failure(box_.plaq(loops + "max_t=9"), 3, {"'max_t'", "9 is above 8", "in time"});
  expect_failure(box_.plaq(loops + "max_r=1 --set wilson_loops.directions=210"), 3,
                 {"'directions'", "210", "max_r = 1"});
}

TEST_F(ProgramMeasure, FlowOfRealFields) {
  const std::string fields = test::foreign_fields();
  if (fields.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const auto of = [&](const char* name) { return "--set gauge.files=" + fields + name + " "; };
  std::string alone;
  for (const int ranks : {1, 2, 4}) {
    const Numbers found = run(all + of("l4444_coulomb.nersc") + "--set flow.t_max=2", ranks);
    const std::string bytes = contents(box_ / "measured.h5");
    if (alone.empty()) alone = bytes;
    EXPECT_TRUE(bytes == alone) << ranks;
    EXPECT_NEAR(last(found.at("/observables/plaquette")), 0.594850159, 2e-9);
    expect_one_step(found);
    EXPECT_NEAR(found.at("/flow/plaquette_energy").values[0], energy_of(0.594850159), 1e-7);
  }
  // Gauge copies: Coulomb gauge and none.
  const Numbers fixed = run(all + of("l4444_coulomb.nersc")), free = run(all + of("lat.sample.l4444.ildg"));
  for (const char* path : {"/flow/clover_energy", "/flow/topological_charge"})
    for (std::size_t i = 0; i < fixed.at(path).values.size(); ++i)
      EXPECT_NEAR(fixed.at(path).values[i], free.at(path).values[i], 1e-5) << path;
  // Nearly free fields do not reach the scales.
  const Numbers weak = run(all + of("weak_field.lime"));
  EXPECT_TRUE(std::isnan(last(weak.at("/flow/t0"))));
  EXPECT_TRUE(std::isnan(last(weak.at("/flow/w0"))));
  EXPECT_NE(out_.find("t0 nan  w0 nan"), std::string::npos) << out_;
  EXPECT_NEAR(last(weak.at("/observables/plaquette")), 0.994804132267, 1e-12);
  const Numbers unit = run(all + of("unity.lime"));
  for (const char* path : {"/flow/clover_energy", "/flow/plaquette_energy", "/flow/topological_charge"})
    for (const double x : unit.at(path).values) EXPECT_NEAR(x, 0, 1e-13) << path;
}

struct Format {
  std::string name, keys;
  bool exact;
};
const std::vector<Format>& formats() {
  static const std::vector<Format> all_of_them = {
      {"nersc", "", true},
      {"ildg", "", true},
      {"scidac", "", true},
      {"openqcd", "--set output.byte_order=little ", true},
      {"milc", "--set output.precision=single ", false},
  };
  return all_of_them;
}

TEST_F(ProgramMeasure, GeneratedFormatsHaveTheSameLinks) {
  std::string next;  // of a chain that goes on
  for (const auto& [name, keys, exact] : formats()) {
    SCOPED_TRACE(name);
    generate("--set output.format=" + name + " " + keys);
    const auto info = box_.plaq("info --json field.000004." + name);
    ASSERT_EQ(info.code, 0) << info.err;
    const Json said = Json::parse(info.out, nullptr, false);
    EXPECT_TRUE(said["verified"]);
    static const Json links = said["links"];  // of the first format
    for (const char* value : {"plaquette", "link_trace"}) {
      const double ours = said["links"][value], theirs = links[value];
      if (exact) {
        EXPECT_EQ(ours, theirs) << value;
      }
      EXPECT_NEAR(ours, theirs, 1e-6) << value;
    }
    // The same links to the last bit, as another format shows.
    ASSERT_EQ(box_.plaq("convert field.000004." + name + " as." + name +
                        " --format nersc --precision double "
                        "--ensemble-id same")
                  .code,
              0);
    const std::string converted = contents(box_ / ("as." + name));
    const auto data = converted.substr(converted.find("END_HEADER"));
    static const std::string first = data;
    if (exact) {
      EXPECT_TRUE(data == first);
    }
    // A chain that starts there.
    generate("--set gauge.start=file --set gauge.file=field.000004." + name +
             " --set lattice.extents= --set update.seed=12 --set update.thermalization=1 "
             "--set update.configurations=1 --set output.prefix=on_" +
             name);
    const std::string on = contents(box_ / ("on_" + name + ".000005.nersc"));
    if (next.empty()) next = on;
    EXPECT_EQ(on == next, exact);
    std::filesystem::remove(box_ / "field.history.h5");
  }
}

}  // namespace
}  // namespace plaq
