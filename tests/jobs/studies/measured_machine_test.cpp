// Constants of a machine from results of benchmarks; docs/scaling.md is what the program prints.
#include "jobs/model/measured_machine.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/sums/exact_sum.hpp"
#include "jobs/common/commands.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

using Json = nlohmann::json;

Json row(const std::string& target, double microseconds, Json numbers = Json::object()) {
  return {{"target", target},
          {"process_grid", {1, 1, 1, 1}},
          {"ranks", 1},
          {"nodes", 1},
          {"memory_limit", 2e12},
          {"seconds", 1e-6 * microseconds},
          {"numbers", std::move(numbers)}};
}
Json link(const std::string& transport, const std::string& where, double latency, double bandwidth) {
  Json r = row("link", 0,
               {{"faces", 0},
                {"latency_seconds", latency},
                {"message_seconds", 1e-7},
                {"bytes_per_second", bandwidth}});
  r["transport"] = transport;
  r["where"] = where;
  return r;
}
Json global_sum(int ranks, int nodes, int sums, double microseconds) {
  return row("global_sum", microseconds, {{"ranks", ranks}, {"nodes", nodes}, {"sums", sums}});
}
Json hop(const std::string& target, const std::string& precision, int rhs, double share) {
  Json r = row(target, 100);
  r["storage"] = precision + " 12";
  r["right_hand_sides"] = rhs;
  r["share"] = share;
  return r;
}
std::string result(std::vector<Json> rows, int ranks = 1, int nodes = 1) {
  for (Json& r : rows) {
    r["nodes"] = nodes;
    r["memory_limit"] = 2e12 * ranks;
    if (r["ranks"] == 1) r["ranks"] = ranks;
  }
  return Json{{"rows", rows}}.dump();
}

constexpr double of_a_sum = sizeof(ExactSum);  // bytes

TEST(MeasuredMachine, NetworkOfOneNode) {
  MachineModel m = machine_named("h200");
  const LinkModel far = m.far;
  Json of_two_faces = link("peer", "within a node", 1, 1);
  of_two_faces["numbers"]["faces"] = 2;
  const std::string text = result(
      {of_two_faces, link("host", "within a node", 2e-5, 5e9), link("peer", "within a node", 6e-6, 2.5e11),
       row("launch", 2), row("sum_wait", 14), global_sum(1, 1, 1, 0.5), global_sum(2, 1, 1, 2.5),
       global_sum(4, 1, 1, 4.5), global_sum(4, 1, 2, 100)},
      4);
  const auto taken = take_measurements_text(m, text, "net.json");
  EXPECT_EQ(m.near.latency, 6e-6);
  EXPECT_EQ(m.near.message, 1e-7);
  EXPECT_EQ(m.near.bandwidth, 2.5e11);
  EXPECT_EQ(m.far.latency, far.latency);
  EXPECT_EQ(m.memory_bandwidth, 2e12);
  EXPECT_EQ(m.launch, machine_named("h200").launch);  // empty kernels tell of the host
  EXPECT_DOUBLE_EQ(m.sum_wait, 14e-6);
  EXPECT_NEAR(m.near_sum_step, 2e-6 - of_a_sum / 2.5e11, 1e-15);  // (4.5 - 0.5) / log2(4)
  EXPECT_EQ(m.ranks_per_node, 8);
  EXPECT_FALSE(taken.empty());
  expect_holds(m.origin.back(), "net.json: memory bandwidth, exchanges within a node through peer");
  MachineModel unknown = unknown_machine();
  take_measurements_text(unknown, text, "net.json");
  EXPECT_DOUBLE_EQ(unknown.launch, 2e-6);
  MachineModel staged = machine_named("h200");
  take_measurements_text(staged, text, "net.json", "host");
  EXPECT_EQ(staged.near.bandwidth, 5e9);
}

TEST(MeasuredMachine, NetworkOfTwoNodes) {
  MachineModel m = unknown_machine();
  take_measurements_text(
      m,
      result({link("host", "within a node", 1e-5, 1e10), link("nccl", "between nodes", 2e-5, 4e10),
              global_sum(1, 1, 1, 1), global_sum(2, 1, 1, 3), global_sum(4, 2, 1, 13)},
             4, 2),
      "net.json");
  EXPECT_EQ(m.ranks_per_node, 2);
  EXPECT_EQ(m.far.bandwidth, 4e10);
  EXPECT_NEAR(m.near_sum_step, 2e-6 - of_a_sum / 1e10, 1e-15);
  EXPECT_NEAR(m.far_sum_step, 10e-6 - of_a_sum / 4e10, 1e-15);
  EXPECT_NEAR(m.sum_seconds(4, 1), 12e-6, 1e-15);  // what was measured, without a wait
  m.check_complete(1000);
}

TEST(MeasuredMachine, RatesOfOneRank) {
  MachineModel m = machine_named("h200");
  Json on_two = hop("wilson_hop", "single", 1, 0.1);
  on_two["ranks"] = 2;
  std::vector<Json> rows = {on_two, hop("wilson_hop", "single", 1, 0.77),
                            hop("wilson_hop_tg", "half", 12, 0.44), hop("clover_schur", "double", 1, 0.55)};
  for (const char* name : {"dot", "axpy_norm", "bicgstab_dots", "bicgstab_update"}) {
    rows.push_back(hop(name, "half", 1, 0.9));
    rows.back()["bytes"] = 1e8;  // 4e8 bytes in 400 us are 1e12 a second
  }
  take_measurements_text(m, result(rows), "hop.json");
  EXPECT_EQ(m.share(KernelKind::wilson_hop, Precision::single_precision, 12), 0.77);
  EXPECT_EQ(m.share(KernelKind::wilson_hop, Precision::half_precision, 12, 12, true), 0.44);
  EXPECT_EQ(m.share(KernelKind::clover_operator, Precision::double_precision, 12), 0.55);
  EXPECT_DOUBLE_EQ(m.share(KernelKind::vector_update, Precision::half_precision), 0.5);
}

// Rows that hosts alone have: what an exchange hides, what faces cost, and ranks that share a processor.
TEST(MeasuredMachine, CostsOfHosts) {
  Json overlap = row("overlap", 50, {{"hidden", 0.25}}), crowding = row("crowding", 300, {{"factor", 1.5}});
  overlap["transport"] = "host";
  overlap["where"] = "between nodes";
  const auto faces = [](double sites, double microseconds, double bytes) {
    Json r = row("faces", microseconds, {{"sites", sites}});
    r["storage"] = "double";
    r["bytes"] = bytes;
    return r;
  };
  // 3 us, and 50 ns a site, of which 10 ns are bytes at 2000 a microsecond.
  const std::string text = result({link("host", "between nodes", 1e-5, 1e9), overlap, crowding,
                                   faces(100, 8, 2000), faces(1100, 58, 22000)});
  MachineModel m = unknown_machine();
  const auto taken = take_measurements_text(m, text, "net.json");
  EXPECT_EQ(m.far.hidden, 0.25);
  EXPECT_EQ(m.crowding, 1.5);
  EXPECT_NEAR(m.in_launches.start, 3e-6, 1e-15);
  EXPECT_NEAR(m.in_launches.double_site, 50e-9 - 20 / 2e12, 1e-15);
  EXPECT_EQ(m.in_launches.single_site, 0);
  EXPECT_EQ(m.in_launches.end, 0);
  EXPECT_NEAR(m.kernel_seconds(2e12, 1, 0, Precision::double_precision), 1.5, 1e-12);
  MachineModel known = machine_named("h200");  // has them of several operators
  take_measurements_text(known, text, "net.json");
  EXPECT_EQ(known.in_launches.start, machine_named("h200").in_launches.start);
}

// A rate that one file has stays what it is if another one has another bandwidth.
TEST(MeasuredMachine, RatesOfSeveralFiles) {
  MachineModel m = unknown_machine();
  take_measurements_text(m, result({hop("wilson_hop", "single", 1, 0.5)}), "hop.json");
  std::vector<Json> rows = {link("host", "between nodes", 1e-5, 1e9)};
  Json slower = Json::parse(result(rows));
  slower["rows"][0]["memory_limit"] = 1e12;
  take_measurements_text(m, slower.dump(), "net.json");
  EXPECT_EQ(m.memory_bandwidth, 1e12);
  EXPECT_DOUBLE_EQ(m.share(KernelKind::wilson_hop, Precision::single_precision, 12), 1);
}

TEST(MeasuredMachine, RefusesWhatIsNoResult) {
  MachineModel m = machine_named("h200");
  const auto refusal = [&](const std::string& text) {
    return message_of(ErrorKind::input_file, [&] { take_measurements_text(m, text, "file.json"); });
  };
  expect_holds(refusal("job = \"generate\""), "file.json is no result of plaq bench");
  expect_holds(refusal("{}"), "rows");
  expect_holds(refusal("{\"rows\": [{\"target\": 3}]}"), "file.json");
  expect_holds(refusal(result({row("plaquette", 1)})), "holds nothing that the model uses");
  expect_holds(refusal(result({})), "no row has a memory_limit above 0");
  EXPECT_EQ(m.memory_bandwidth, machine_named("h200").memory_bandwidth);
  expect_holds(refusal(result({link("peer", "within a node", 1e-6, 0)})),
               "within a node has a latency of 1e-06");
  expect_holds(refusal(result({link("peer", "within a node", -1e-6, 1e9)})), "must be 0 or more");
  EXPECT_EQ(m.near.bandwidth, machine_named("h200").near.bandwidth);
  expect_holds(message_of(ErrorKind::input_file, [&] { take_measurements(m, "/no/such/file.json"); }),
               "/no/such/file.json");
}

}  // namespace
}  // namespace plaq::jobs::test
