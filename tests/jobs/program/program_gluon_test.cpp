// gluon jobs from end to end: propagators of fixed fields, on any ranks, and fields that are not fixed.
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/jobs/program/program.hpp"
#include "tests/jobs/results/result_data.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;

using Numbers = std::map<std::string, test::StoredNumbers>;

constexpr const char* fix_job = R"(job = "gaugefix"
[gauge]
files = ["field.*.nersc"]
[fixing]
gauge = "landau"
theta = 1e-18
[output]
file = "fixed.h5"
[run]
location = "host"
threads = 1
)";

constexpr const char* gluon_job = R"(job = "gluon"
[gauge]
files = ["landau.field.*.nersc"]
[gluon]
gauge = "landau"
max_n = 2
[ghost]
momenta = "cylinder"
count = 1
tolerance = 1e-6
[output]
file = "gluon.h5"
[run]
location = "host"
threads = 1
)";

class GluonJob : public testing::Test {
 protected:
  void make_fields(const std::string& generate = "", const std::string& fix = "") {
    box_.write("generate.toml", test::generate_job);
    box_.write("fix.toml", fix_job);
    box_.write("gluon.toml", gluon_job);
    ASSERT_EQ(box_.plaq("run generate.toml " + generate).code, 0);
    const auto outcome = box_.plaq("run fix.toml " + fix);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  Numbers run(const std::string& more = "", int ranks = 1) const {
    const auto outcome = box_.plaq("run gluon.toml --set output.overwrite=true " + more, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? test::read_numbers((box_ / "gluon.h5").string()) : Numbers{};
  }
  static double largest(const test::StoredNumbers& numbers) {
    return *std::max_element(numbers.values.begin(), numbers.values.end());
  }
  test::Sandbox box_;
};

TEST_F(GluonJob, SameFilesOnAnyRanks) {
  make_fields();
  std::string alone;
  for (const auto& [ranks, comms] : {std::pair{1, ""},
                                     {2, ""},
                                     {4, "--set comms.process_grid=[2,2,1,1]"},
                                     {1, "--set 'comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]'"}}) {
    SCOPED_TRACE(std::to_string(ranks) + comms);
    const Numbers found = run(comms, ranks);
    const std::string bytes = contents(box_ / "gluon.h5");
    if (alone.empty()) alone = bytes;
    EXPECT_TRUE(bytes == alone) << "other bytes";
    ASSERT_TRUE(found.contains("/ghost/dressing"));
    EXPECT_EQ(found.at("/ghost/dressing").extents, (std::vector<std::size_t>{2, 1}));
    // n up to 2 of 4 in space, ten orbits; n_t up to 4 of 8.
    EXPECT_EQ(found.at("/momenta/n").extents, (std::vector<std::size_t>{50, 4}));
    EXPECT_EQ(found.at("/gluon/propagator").extents, (std::vector<std::size_t>{2, 50}));
    double momenta = 0;
    for (const double count : found.at("/momenta/count").values) momenta += count;
    EXPECT_EQ(momenta, 4 * 4 * 4 * 8);  // each once
    EXPECT_LT(largest(found.at("/gluon/divergence")), 1e-8);
    EXPECT_LT(largest(found.at("/ghost/true_residual")), 1e-6);
    EXPECT_EQ(found.at("/configurations/trajectory").values, (std::vector<double>{2, 4}));
  }
  // A second field that comes later is added, and the first one not done again.
  const std::string first = "--set 'gauge.files=[\"landau.field.000002.nersc\"]' ";
  run(first);
  const auto more = box_.plaq("run gluon.toml");
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_TRUE(contents(box_ / "gluon.h5") == alone) << "a result that has grown has other bytes";
}

// The average over all momenta of the dressing function, which is 1 to one loop's 0.003 here: 4 fields of
// 511 momenta with 12 independent components each.
TEST_F(GluonJob, TreeLevelAtWeakCoupling) {
  make_fields(
      "--set gauge.beta=600 --set gauge.start=cold --set update.thermalization=50 --set "
      "update.separation=20 --set update.configurations=4 --set 'output.prefix=\"field.w\"'");
  const Numbers found = run("--set gluon.beta=600");
  const auto& count = found.at("/momenta/count").values;
  double sum = 0, weight = 0;
  for (std::size_t field = 0; field < 4; ++field) {
    const auto z = found.at("/gluon/dressing").at(field).values;
    const auto d = found.at("/gluon/propagator").at(field).values;
    for (std::size_t i = 1; i < z.size(); ++i) {
      EXPECT_DOUBLE_EQ(z[i], d[i] * found.at("/momenta/p_squared").values[i]);
      sum += count[i] * z[i];
      weight += count[i];
    }
  }
  EXPECT_NEAR(sum / weight, 1, 0.03);
  for (const double g : found.at("/ghost/dressing").values) EXPECT_NEAR(g, 1.004, 0.01);
}

TEST_F(GluonJob, CoulombGauge) {
  make_fields("", "--set fixing.gauge=coulomb");
  const std::string files = "--set 'gauge.files=[\"coulomb.field.*.nersc\"]' --set gluon.gauge=coulomb ";
  const Numbers found = run(files + "--set ghost.momenta=none");
  EXPECT_EQ(found.at("/momenta/n").extents, (std::vector<std::size_t>{10, 3}));
  EXPECT_EQ(found.at("/gluon/spatial").extents, (std::vector<std::size_t>{2, 10}));
  EXPECT_LT(largest(found.at("/gluon/divergence")), 1e-7);
  for (const double d : found.at("/gluon/temporal").values) EXPECT_GT(d, 0);
  EXPECT_FALSE(found.contains("/ghost/dressing"));
  const std::string bytes = contents(box_ / "gluon.h5");
  run(files + "--set ghost.momenta=none", 2);
  EXPECT_TRUE(contents(box_ / "gluon.h5") == bytes);
  expect_failure(box_.plaq("run gluon.toml " + files), 3, {"ghost", "momenta", "Landau"});
}

TEST_F(GluonJob, RefusesFieldsThatAreNotFixed) {
  make_fields();
  expect_failure(box_.plaq("run gluon.toml --set 'gauge.files=[\"field.*.nersc\"]'"), 4,
                 {"field.000002.nersc", "theta of Landau gauge", "max_theta", "not fixed"});
  expect_failure(box_.plaq("run gluon.toml --set gluon.gauge=coulomb --set ghost.momenta=none --set "
                           "gluon.max_theta=1e-40"),
                 4, {"landau.field.000002.nersc", "theta of Coulomb gauge", "max_theta = 1e-40"});
}

}  // namespace
}  // namespace plaq
