// Times that plaq plan predicts: they fit the messages and the machine, and are only given where they are
// known.
#include "tests/jobs/plan/predicted.hpp"

namespace plaq::jobs::test {
namespace {

double sum_of(const Json& parts, std::initializer_list<const char*> names) {
  double sum = 0;
  for (const char* name : names) sum += parts[name].get<double>();
  return sum;
}

TEST_F(Predicted, PartsAddUpAndMessagesAreThosePlanned) {
  for (const int ranks : {1, 4, 64, 4096}) {
    SCOPED_TRACE(ranks);
    PlanOptions o = options("propagator.toml", ranks);
    o.run.overrides = {"lattice.extents=[64, 64, 64, 128]"};
    const Json plan = json_of(o), &p = plan["prediction"], &it = p["sections"].front();
    EXPECT_EQ(plan["location"], "gpu");
    EXPECT_EQ(p["machine"], "h200");
    EXPECT_EQ(p["ranks_per_node"], std::min(8, ranks));
    const double seconds = it["seconds"];
    EXPECT_NEAR(sum_of(it, {"interior", "packing", "exposed_communication", "boundary", "launches", "vectors",
                            "sums"}) /
                    seconds,
                1, 1e-9);
    double operations = 0, hops = 0;
    for (const Json& one : it["operations"]) {
      operations += one["count"].get<double>() * one["seconds"].get<double>();
      if (one["name"].get<std::string>().starts_with("wilson_hop")) hops += one["count"].get<double>();
    }
    EXPECT_NEAR(operations / seconds, 1, 1e-9);
    EXPECT_EQ(hops, 4);  // A and its adjoint, two hopping terms each
    expect_holds(it["name"].get<std::string>(), "cg, half 12 in");
    expect_holds(it["name"].get<std::string>(), "iteration, 12 right-hand sides");
    const Json& x = it["exchanges"];
    if (ranks == 1) {
      EXPECT_NEAR(it["efficiency"].get<double>(), 1, 1e-9);
      EXPECT_EQ(x["count"], 0);
      continue;
    }
    EXPECT_LT(it["efficiency"], 1);
    double planned = 0;
    for (const Json& m : plan["messages_of_a_rank"])
      planned += m["count"].get<double>() * m["bytes"].get<double>();
    const double predicted =
        x["count"].get<double>() * sum_of(x, {"bytes_within_node", "bytes_between_nodes"});
    EXPECT_NEAR(predicted / planned, 1, 1e-9);
    EXPECT_EQ(x["faces_between_nodes"].get<int>() > 0, ranks > 8);
  }
}

TEST_F(Predicted, EfficiencyFallsWithRanks) {
  double last = 1.001;
  for (const int ranks : {1, 2, 8, 64, 512}) {
    const double now = json_of(options("propagator.toml", ranks))["prediction"]["sections"][0]["efficiency"];
    EXPECT_LT(now, last) << ranks;
    last = now;
  }
}

// Whatever a job does again and again, not only solves.
TEST_F(Predicted, SweepsOfMarkovChains) {
  const Json one = json_of(options("generate.toml", 1))["prediction"]["sections"],
             two = json_of(options("generate.toml", 2))["prediction"]["sections"];
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0]["name"], "compound sweep");
  EXPECT_GT(one[0]["interior"], 0);
  EXPECT_EQ(one[0]["communication"], 0);
  EXPECT_LT(two[0]["interior"], one[0]["interior"]);
  EXPECT_GT(two[0]["exposed_communication"], 0);
  EXPECT_EQ(two[0]["communication"], two[0]["exposed_communication"]);  // nothing is computed meanwhile
}

TEST_F(Predicted, TextSaysWhatItIs) {
  const std::string text = text_of(options("propagator.toml", 16, "titan"));
  for (const char* words :
       {"16 ranks on GPUs", "Predicted by a model, not measured", "A Cray XK7", "1 rank on each node",
        "wilson_hop half 12", "exposed communication, of ", "between nodes", "iteration, 12 right-hand sides",
        "sums over all ranks", "Of one rank's rate with the whole lattice", "A GPU of titan has 5.59 GiB"})
    expect_holds(text, words);
  expect_holds(text_of(options("propagator.toml", 1, "titan")), "it does not fit");
  PlanOptions four = options("propagator.toml", 16);
  four.ranks_per_node = 4;
  four.run.overrides = {"comms.transport=host"};
  expect_holds(text_of(four), "not of 'host'");
  expect_holds(text_of(four), "4 ranks on each node");
}

TEST_F(Predicted, OnlyWhatIsKnown) {
  EXPECT_FALSE(json_of(options("propagator.toml", 2, "")).contains("prediction"));
  EXPECT_EQ(text_of(options("propagator.toml", 2, "")).find("Predicted by"), std::string::npos);
}

TEST_F(Predicted, AssumptionsOfData) {
  PlanOptions o = options("propagator.toml", 1);
  const Json before = json_of(o)["prediction"]["sections"][0];
  o.assumptions = {"iterations=1000", "temporal_gauge=no"};
  const Json after = json_of(o)["prediction"]["sections"][0];
  EXPECT_EQ(after["assumed_passes"], 1000);
  EXPECT_FALSE(before.contains("assumed_passes"));
  EXPECT_GT(after["interior"], before["interior"]);  // time links are read, too
  expect_holds(text_of(o), "right-hand sides; 1000 take ");
  for (const char* wrong :
       {"iterations", "iterations=", "iterations=0", "sweeps=2x", "temporal_gauge=maybe", "x=1"}) {
    o.assumptions = {wrong};
    expect_holds(message_of(ErrorKind::usage, [&] { text_of(o); }), std::string("--assume ") + wrong);
  }
}

TEST_F(Predicted, MeasuredConstantsAreTaken) {
  write("network.json",
        R"({"rows": [{"target": "link", "ranks": 2, "nodes": 1, "memory_limit": 2e10, "seconds": 0,
            "transport": "host", "where": "within a node",
            "numbers": {"faces": 0, "latency_seconds": 1e-3, "message_seconds": 0,
            "bytes_per_second": 1e8}}]})");
  PlanOptions o = options("propagator.toml", 2, "");
  o.location = "host";
  o.networks = {at("network.json")};
  const Json p = json_of(o)["prediction"];
  EXPECT_EQ(p["machine"], "measured");
  const Json &it = p["sections"][0], &x = it["exchanges"];
  EXPECT_NEAR(it["communication"].get<double>(),
              x["count"].get<double>() * (1e-3 + x["bytes_within_node"].get<double>() / 1e8), 1e-9);
  o.ranks_per_node = 1;
  expect_holds(message_of(ErrorKind::usage, [&] { text_of(o); }),
               "nothing is known of exchanges between nodes");
}

TEST_F(Predicted, Contradictions) {
  PlanOptions o = options("propagator.toml", 2);
  o.location = "host";
  expect_holds(message_of(ErrorKind::usage, [&] { text_of(o); }), "--gpu");
  o = options("propagator.toml", 2, "h20");
  expect_holds(message_of(ErrorKind::usage, [&] { text_of(o); }), "h200");
}

}  // namespace
}  // namespace plaq::jobs::test
