// generate, measure, info and selftest from end to end.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using Json = nlohmann::json;
using test::contents;

Json info(const test::Sandbox& box, const std::string& file) {
  const auto outcome = box.plaq("info --json " + file);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return Json::parse(outcome.out, nullptr, false);
}

TEST(Program, SameFilesOnAnyRanks) {
  const char* const files[] = {"field.000002.nersc", "field.000004.nersc", "field.history.h5", "measured.h5"};
  std::map<std::string, std::string> alone;
  for (const int ranks : {1, 2, 4}) {
    SCOPED_TRACE(ranks);
    const test::Sandbox box;
    box.write("generate.toml", test::generate_job);
    box.write("measure.toml", test::measure_job);
    std::map<std::string, std::string> found;
    for (const char* job : {"generate", "measure"}) {
      const auto outcome = box.plaq(std::string("run ") + job + ".toml", ranks);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      found[job] = outcome.out;
    }
    for (const char* file : files) {
      found[file] = contents(box / file);
      EXPECT_FALSE(found[file].empty()) << file;
      const auto outcome = box.plaq(std::string("info ") + file, ranks);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_TRUE(outcome.err.empty()) << outcome.err;
      found[std::string("info ") + file] = outcome.out;
    }
    if (ranks == 1) alone = found;
    for (const auto& [name, text] : found) EXPECT_TRUE(text == alone[name]) << name << ":\n" << text;
    for (const auto& entry : std::filesystem::directory_iterator(box / ""))
      EXPECT_FALSE(entry.path().string().ends_with(".part")) << entry.path();
  }
}

TEST(Program, ResultsSayWhatTheyAre) {
  const test::Sandbox box;
  box.write("generate.toml", test::generate_job);
  box.write("measure.toml", test::measure_job);
  ASSERT_EQ(box.plaq("run generate.toml").code, 0);
  ASSERT_EQ(box.plaq("run measure.toml").code, 0);
  const Json field = info(box, "field.000004.nersc"), history = info(box, "field.history.h5"),
             measured = info(box, "measured.h5");
  EXPECT_EQ(field["extents"], Json({4, 4, 4, 8}));
  EXPECT_TRUE(field["verified"]);
  EXPECT_EQ(field["header"]["checksum"], field["links"]["checksum"]);
  EXPECT_LT(field["links"]["unitarity_violation"], 1e-14);
  EXPECT_EQ(history["job_type"], "generate");
  EXPECT_EQ(history["seed"], 11);
  EXPECT_EQ(history["beta"], 5.7);
  EXPECT_EQ(measured["job_type"], "measure");
  std::map<std::string, Json> objects;
  for (const Json* file : {&history, &measured})
    for (const auto& object : (*file)["objects"]) objects[object["path"]] = object;
  EXPECT_EQ(objects["/history/plaquette"]["extents"], Json({5}));  // sweeps 0 to 4
  EXPECT_EQ(objects["/configurations/sweep"]["extents"], Json({2}));
  EXPECT_EQ(objects["/observables/polyakov_loop"]["extents"], Json({2, 2}));
  const Json& second = objects["/gauge/000001"]["attributes"];
  EXPECT_EQ(second["file"], "field.000004.nersc");
  EXPECT_EQ(second["checksum"], field["links"]["checksum"]);
  EXPECT_EQ(second["plaquette"], field["links"]["plaquette"]);
}

// What was computed of what, and the plaquette with its error; where there is no Python, its plain mean.
TEST(Program, InfoOfResultsShowsValuesFirst) {
  const test::Sandbox box;
  box.write("generate.toml", test::generate_job);
  box.write("measure.toml", test::measure_job);
  ASSERT_EQ(box.plaq("run generate.toml").code, 0);
  ASSERT_EQ(box.plaq("run measure.toml").code, 0);
  double plaquettes[2] = {};
  for (const int i : {0, 1})
    plaquettes[i] = info(box, i ? "field.000004.nersc" : "field.000002.nersc")["links"]["plaquette"];
  const double mean = (plaquettes[0] + plaquettes[1]) / 2,
               error = std::abs(plaquettes[0] - plaquettes[1]) / 2;
  const auto value = [](const Json& results) -> Json {
    for (const auto& one : results["values"])
      if (one["name"].get<std::string>().ends_with("plaquette")) return one;
    return {};
  };
  const Json usual = info(box, "measured.h5")["results"];
  EXPECT_NEAR(value(usual)["value"], mean, 1e-14) << usual;
  const std::string text = box.plaq("info measured.h5").out;
  EXPECT_TRUE(text.starts_with("file                 measured.h5\nresult of            measure, plaq "))
      << text;
  for (const std::string part :
       {"lattice              4x4x4x8", "gauge fields         2: field.000002.nersc to field.000004.nersc",
        "verified: "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("/observables/plaquette"), std::string::npos) << text;
  const auto written = text.find(value(usual)["written"].get<std::string>());
  EXPECT_LT(written, text.find("verified: ")) << text;
  const std::string all = box.plaq("info measured.h5 --all").out;
  EXPECT_LT(all.find(value(usual)["written"].get<std::string>()), all.find("/observables/plaquette")) << all;
  EXPECT_NE(all.find("The job file:"), std::string::npos) << all;

  const char* python = std::getenv("PLAQ_PYTHON");
  const std::string before = python ? python : "";
  ::setenv("PLAQ_PYTHON", "none", 1);
  const Json plain = info(box, "measured.h5")["results"];
  const std::string saved = box.plaq("info field.history.h5").out;
  python ? ::setenv("PLAQ_PYTHON", before.c_str(), 1) : ::unsetenv("PLAQ_PYTHON");
  EXPECT_EQ(plain["by"], "plain means");
  EXPECT_EQ(value(plain)["name"], "observables/plaquette");
  EXPECT_NEAR(value(plain)["value"], mean, 1e-14) << plain;
  EXPECT_NEAR(value(plain)["error"], error, 1e-14) << plain;
  EXPECT_NE(saved.find("configurations/plaquette "), std::string::npos) << saved;
  EXPECT_NE(saved.find("errors without autocorrelations"), std::string::npos) << saved;
}

TEST(Program, OverridesTakeTheirPlace) {
  const test::Sandbox box;
  box.write("generate.toml", test::generate_job);
  ASSERT_EQ(box.plaq("run generate.toml --set gauge.start=cold --set update.thermalization=0 "
                     "--set update.configurations=1 --set output.prefix=cold --set lattice.extents=[4,6,4,4]")
                .code,
            0);
  const Json cold = info(box, "cold.000000.nersc");
  EXPECT_EQ(cold["extents"], Json({4, 6, 4, 4}));
  EXPECT_EQ(cold["links"]["plaquette"], 1.0);
  EXPECT_EQ(cold["links"]["polyakov_loop"], Json({1.0, 0.0}));
}

TEST(Program, GoesOnFromAFileInAnyFormatOfLinks) {
  const test::Sandbox box;
  box.write("generate.toml", test::generate_job);
  ASSERT_EQ(box.plaq("run generate.toml --set output.precision=single --set output.rows=3x2 "
                     "--set output.byte_order=little")
                .code,
            0);
  const Json start = info(box, "field.000004.nersc");
  EXPECT_EQ(start["rows"], 2);
  EXPECT_EQ(start["precision"], "single");
  EXPECT_EQ(start["byte_order"], "little-endian");
  const std::string on =
      "run generate.toml --set gauge.start=file --set gauge.file=field.000004.nersc "
      "--set lattice.extents= --set output.prefix=on ";
  test::expect_failure(box.plaq(on), 3, {"'seed' in [update]", "field.000004.nersc", "another seed"});
  ASSERT_EQ(box.plaq(on + "--set update.seed=12", 2).code, 0);
  const Json first = info(box, "on.000006.nersc");
  EXPECT_LT(first["links"]["unitarity_violation"], 1e-14);
  const std::string one = contents(box / "on.000008.nersc");
  ASSERT_EQ(box.plaq(on + "--set update.seed=12 --set output.overwrite=true").code, 0);
  EXPECT_TRUE(one == contents(box / "on.000008.nersc"));
}

TEST(Program, Selftest) {
  for (const int ranks : {1, 2, 3, 4}) {
    const auto outcome = test::Sandbox().plaq("selftest --location host", ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("all 10 checks passed"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("FAILED"), std::string::npos) << outcome.out;
  }
}

// Plaquettes and link traces that an independent program found.
TEST(Program, FieldsOfOthers) {
  const std::string gauge = test::foreign_fields();
  if (gauge.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  struct Known {
    const char* name;
    double plaquette, link_trace;
    std::size_t warnings;
  };
  const test::Sandbox box;
  for (const auto& known :
       {Known{"lat.sample.l4444", 0.594850159, 0.646758737, 0},
        Known{"lat.sample.l4444.ildg", 0.594850159, 0.646758737, 0},
        Known{"lat.sample.l4444.scidac", 0.594850159, 0.646758737, 0},
        Known{"lat.sample.l4444.nersc", 0.594850158, 0.646758737, 2},
        Known{"l4444_coulomb.nersc", 0.594850159, 0.856127640, 0},
        Known{"lat.sample.l4448.gf", 0.569055726, 0.751466184, 0},
        Known{"lat.sample.l4448.scidac", 0.569055724, 0.069216590, 0},
        Known{"purgaug.nersc", 0.902263119, 0.734640951, 0},
        Known{"purgaug_coulomb.scidac", 0.902263125, 0.971148275, 1}, Known{"unity.lime", 1, 1, 1},
        Known{"weak_field.lime", 0.994804132267, 0.379449349, 1},
        Known{"conf.00200", 0.571077111695, -0.004703155, 6},
        Known{"lat.sample.l6666b650m010m050", 0.549692612, 0.075177486, 0}}) {
    SCOPED_TRACE(known.name);
    const Json found = info(box, gauge + known.name);
    EXPECT_TRUE(found["verified"]);
    EXPECT_NEAR(found["links"]["plaquette"], known.plaquette, 2e-9);
    EXPECT_NEAR(found["links"]["link_trace"], known.link_trace, 2e-9);
    EXPECT_EQ(found["warnings"].size(), known.warnings) << found["warnings"];
  }
  box.write("measure.toml", test::measure_job);
  const auto files = [&](const std::string& names) {
    return "run measure.toml --set 'gauge.files=[\"" + gauge + names + "\"]'";
  };
  // One field in four formats.
  test::expect_failure(box.plaq(files("lat.sample.l4444*"), 2), 3,
                       {"lat.sample.l4444.scidac", "same links", "lat.sample.l4444.ildg", "twice"});
  const auto measured = box.plaq(files("lat.sample.l4448.*"), 2);
  EXPECT_EQ(measured.code, 0) << measured.err;
  EXPECT_EQ(std::count(measured.out.begin(), measured.out.end(), '\n'), 2) << measured.out;
  test::expect_failure(
      box.plaq("run measure.toml --set output.file=x.h5 --set 'gauge.files=[\"" + gauge + "*.nersc\"]'", 2),
      4, {"purgaug.nersc", "4x4x4x8", "4x4x4x4", "one lattice"});
}

}  // namespace
}  // namespace plaq
