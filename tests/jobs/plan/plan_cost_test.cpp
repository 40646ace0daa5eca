// Costs that plaq plan --cost predicts: they add up, fit the plans of the same numbers of GPUs, and say what
// is cheapest and fastest.
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "jobs/common/commands.hpp"
#include "tests/jobs/plan/predicted.hpp"

namespace plaq::jobs::test {
namespace {

class Costs : public Predicted {
 protected:
  CostOptions cost(const std::string& job, int ranks = 0, const std::string& gpu = "h200") const {
    return {options(job, ranks, gpu)};
  }
  template <class Options>
  std::string error_of(const Options& o) const {
    return message_of(ErrorKind::usage, [&] { text_of(o); });
  }
  static Json json_of(CostOptions o) {
    o.plan.json = true;
    return Json::parse(text_of(o));
  }
  using Predicted::json_of;
};

double sum_of_parts(const Json& point) {
  double sum = 0;
  for (const Json& part : point["parts"]) sum += part["seconds"].get<double>();
  return sum;
}

const Json& part_of(const Json& point, const std::string& name) {
  for (const Json& part : point["parts"])
    if (part["name"].get<std::string>().find(name) != std::string::npos) return part;
  ADD_FAILURE() << "no part " << name << " in " << point.dump(1);
  return point["parts"][0];
}

TEST_F(Costs, AreThoseOfThePlansOfTheSameRanks) {
  CostOptions o = cost("propagator.toml", 16);
  o.plan.assumptions = {"iterations=700"};
  const Json all = json_of(o);
  std::vector<int> gpus;
  for (const Json& point : all["points"]) {
    const int ranks = point["gpus"];
    SCOPED_TRACE(ranks);
    gpus.push_back(ranks);
    const Json plan = json_of(options("propagator.toml", ranks));
    const Json& iteration = plan["prediction"]["sections"][0];
    EXPECT_EQ(point["process_grid"], plan["process_grid"]);
    EXPECT_EQ(point["local_lattice"], plan["local_lattice"]);
    EXPECT_EQ(point["memory_of_a_gpu"], plan["memory_of_a_rank"]["gpu"]["bytes"]);
    const Json part = part_of(point, "iteration, 12 right-hand sides");
    EXPECT_EQ(part["loops"], 1);
    EXPECT_EQ(part["passes"], 700);
    EXPECT_NEAR(part["seconds"].get<double>() / (700 * iteration["seconds"].get<double>()), 1, 1e-9);
    const double seconds = point["seconds_of_a_configuration"];
    EXPECT_NEAR(sum_of_parts(point) / seconds, 1, 1e-9);
    // What is beside the iterations is no more than a few of them.
    EXPECT_LT(seconds, 1.05 * part["seconds"].get<double>());
    const int nodes = (ranks + 7) / 8;
    EXPECT_EQ(point["nodes"], nodes);
    EXPECT_NEAR(point["node_hours_of_a_configuration"].get<double>() / (nodes * seconds / 3600), 1, 1e-9);
    EXPECT_NEAR(point["gpu_hours_of_a_configuration"].get<double>() / (ranks * seconds / 3600), 1, 1e-9);
    const double one = all["points"][0]["seconds_of_a_configuration"];
    EXPECT_NEAR(point["efficiency"].get<double>(), one / (ranks * seconds), 1e-9);
  }
  EXPECT_EQ(gpus, (std::vector<int>{1, 2, 4, 8, 16}));
}

TEST_F(Costs, TheCheapestAndTheFastestAreNamed) {
  const Json all = json_of(cost("propagator.toml"));
  std::map<double, int> by_node, by_time, by_gpu;
  for (const Json& point : all["points"]) {
    by_node.emplace(point["node_hours_of_a_configuration"], point["gpus"]);
    by_time.emplace(point["seconds_of_a_configuration"], point["gpus"]);
    by_gpu.emplace(point["gpu_hours_of_a_configuration"], point["gpus"]);
  }
  EXPECT_EQ(all["cheapest"], by_node.begin()->second);
  EXPECT_EQ(all["fastest"], by_time.begin()->second);
  EXPECT_EQ(all["cheapest_in_gpu_hours"], by_gpu.begin()->second);
  EXPECT_EQ(all["cheapest"], 8);  // a whole node
  EXPECT_EQ(all["cheapest_in_gpu_hours"], 1);
  EXPECT_GT(all["fastest"], 8);
  EXPECT_EQ(all["slower_beyond"], true);
  EXPECT_EQ(all["assumed"]["iterations"], 1000);

  const std::string text = text_of(cost("propagator.toml"));
  for (const char* words :
       {"predicted by a model, not measured", "Assumed: 1000 iterations of each solve",
        "--assume iterations=N", "Not counted: ", "Cheapest: 8 GPUs on process grid 1x1x1x8", "1x1x2x8",
        "Nodes of 8 GPUs count as whole ones", "1 x 1000 x "})
    expect_holds(text, words);
  expect_holds(text, "Fastest: " + std::to_string(all["fastest"].get<int>()) + " GPUs on ");
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);  // the name of the job file may be long
  while (std::getline(lines, line)) {
    if (line.find(" x ") == std::string::npos) {
      EXPECT_LE(line.size(), 80u) << line;
    }
  }
}

TEST_F(Costs, WhatDoesNotFitIsNotChosen) {
  CostOptions o = cost("propagator.toml", 64, "titan");
  const Json all = json_of(o);
  EXPECT_EQ(all["points"][0]["fits"], false);
  bool fits = false;
  for (const Json& point : all["points"]) {
    const bool now = point["fits"];
    EXPECT_GE(now, fits);
    if (now && !fits) {
      EXPECT_LE(point["gpus"], all["cheapest"]);
    }
    EXPECT_EQ(now, point["memory_of_a_gpu"].get<double>() <= 6e9);
    fits = now;
  }
  EXPECT_TRUE(fits);
  expect_holds(text_of(o), "!: does not fit into the 5.59 GiB of a GPU of titan");
  o = cost("propagator.toml", 1, "titan");
  EXPECT_TRUE(json_of(o)["cheapest"].is_null());
  expect_holds(text_of(o), "On none of them does it fit");
}

// Three fields, of which two are looked at; as many as are assumed.
TEST_F(Costs, OfAllConfigurations) {
  CostOptions o = cost("propagator.toml", 2);
  for (const char* name : {"a.nersc", "b.nersc", "c.nersc"}) EXPECT_FALSE(std::filesystem::exists(at(name)));
  o.plan.run.overrides = {"gauge.files=[\"" + at("*.nersc") + "\"]"};
  const Json one = json_of(o);
  EXPECT_EQ(one["configurations"], 1);
  o.plan.assumptions = {"configurations=500", "iterations=2000"};
  const Json many = json_of(o);
  EXPECT_EQ(many["configurations"], 500);
  const Json &point = many["points"][1], &before = one["points"][1];
  EXPECT_NEAR(
      point["all"]["seconds"].get<double>() / (500 * point["seconds_of_a_configuration"].get<double>()), 1,
      1e-9);
  EXPECT_NEAR(part_of(point, "iteration")["seconds"].get<double>() /
                  part_of(before, "iteration")["seconds"].get<double>(),
              2, 1e-9);
  expect_holds(text_of(o), "all 500 configurations");
}

// Thermalisation is the first field's.
TEST_F(Costs, TheFirstOfAChainTakesLonger) {
  CostOptions o = cost("generate.toml", 2);
  o.plan.run.overrides = {"lattice.extents=[16,16,16,32]", "update.thermalization=300",
                          "update.separation=20", "update.configurations=7"};
  const Json all = json_of(o), &point = all["points"][0];
  EXPECT_EQ(all["configurations"], 7);
  EXPECT_EQ(part_of(point, "compound sweep")["passes"], 20);
  const double first = point["seconds_of_the_first_configuration"],
               later = point["seconds_of_a_configuration"];
  EXPECT_NEAR(first / later, 15, 0.1);  // all but what is done at its end
  EXPECT_NEAR(point["all"]["seconds"].get<double>(), first + 6 * later, 1e-9 * first);
  const double sweep = json_of([&] {
    PlanOptions plan = options("generate.toml", 1);
    plan.run.overrides = o.plan.run.overrides;
    return plan;
  }())["prediction"]["sections"][0]["seconds"];
  EXPECT_NEAR(part_of(point, "compound sweep")["seconds"].get<double>() / (20 * sweep), 1, 1e-6);
  expect_holds(text_of(o), "The first configuration takes");
}

TEST_F(Costs, SweepsOfEveryBatchOfCopies) {
  write("gaugefix.toml",
        "job = \"gaugefix\"\n[lattice]\nextents = [16, 16, 16, 32]\n[gauge]\nfiles = [\"" + at("*.nersc") +
            "\"]\n[fixing]\ngauge = \"landau\"\ncopies = 3\n[output]\nfile = \"fixed.h5\"\n");
  CostOptions o = cost("gaugefix.toml", 1);
  o.plan.assumptions = {"sweeps=100"};
  const Json point = json_of(o)["points"][0];
  double copies = 0;
  for (const Json& part : point["parts"])
    if (part["repeats"] == "sweeps") copies += part["passes"].get<double>() / 100;
  EXPECT_GE(copies, 1);
  EXPECT_LE(copies, 3);
  o.plan.assumptions.clear();
  expect_holds(text_of(o), "2000 sweeps of fixing a gauge (--assume sweeps=N");
}

TEST_F(Costs, WhatCannotBeSaidIsSaid) {
  write("measure.toml", measure_text + "[lattice]\nextents = [8, 8, 8, 8]\n");
  CostOptions o = cost("measure.toml");
  o.plan.run.overrides = {"gauge.files=[\"" + at("*.nersc") + "\"]"};
  expect_holds(error_of(o), "nothing that this measure job does again and again");
  write("study.toml",
        "job = \"study\"\n[study]\nlattices = [\"8x8x8x8\"]\nranks = [1]\ntargets = "
        "[\"hop\"]\n[action]\nkappa = "
        "0.12\n[output]\nfile = \"s.h5\"\n");
  expect_holds(error_of(cost("study.toml")), "of study jobs");
  write("eigenvectors.toml",
        "job = \"eigenvectors\"\n[lattice]\nextents = [8, 8, 8, 8]\n[gauge]\nfiles = [\"" + at("*.nersc") +
            "\"]\n[action]\nkappa = 0.12\n[eigenvectors]\nmodes = 4\ndirectory = \"modes\"\n[output]\nfile = "
            "\"e.h5\"\n");
  expect_holds(error_of(cost("eigenvectors.toml")), "Lanczos");
  CostOptions host = cost("propagator.toml", 0, "");
  host.plan.location = "host";
  expect_holds(error_of(host), "--location host");
  PlanOptions plan = options("propagator.toml", 1);
  plan.assumptions = {"configurations=3"};
  expect_holds(error_of(plan), "--cost");
}

}  // namespace
}  // namespace plaq::jobs::test
