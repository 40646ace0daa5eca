// Gains by changes that are not built: against numbers worked out by hand.
#include "jobs/model/scaling_changes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/system/error.hpp"

namespace plaq::jobs::test {
namespace {

// 1000 bytes a microsecond of memory and of the network, one rank a node.
MachineModel round_machine() {
  MachineModel m;
  m.ranks_per_node = 1;
  m.memory_bandwidth = 1e9;
  m.far = {10e-6, 0, 1e9};
  m.sum_wait = 20e-6;
  m.far_sum_step = 7e-6;
  return m;
}

// A hop that exchanges two faces, an update, and a sum that the host waits for, on four ranks.
PerformanceTrace::Section iteration() {
  TraceStep hop, update, sum;
  hop.kernel = "wilson_hop";
  hop.bytes = 1000;
  hop.faces.bytes[6] = hop.faces.bytes[7] = 1000;
  hop.faces.global = {4, 4, 4, 16};
  hop.faces.grid = {1, 1, 1, 4};
  hop.faces.boundary = 0.5;
  update.kernel = "vector_update";
  update.bytes = 2000;
  sum.sums = 1;
  sum.host_waits = true;
  return {"iteration", 4, 1, {{hop, 1}, {update, 1}, {sum, 1}}};
}

double microseconds(std::string_view name, const MachineModel& machine) {
  const auto& all = scaling_changes();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const ScalingChange& c) { return c.name == name; });
  require(at != all.end(), "an unknown change");
  return 1e6 * at->seconds(machine, iteration());
}

TEST(ScalingChanges, ByHand) {
  const MachineModel m = round_machine();
  // 12 us of exchange and 0.5 us of edges, 2 us of updates, and a sum of 20 + 2 (7 + 0.56) us.
  constexpr double hop = 12.5, update = 2, sum = 35.12, all = hop + update + sum;
  EXPECT_NEAR(microseconds("halos of half the bytes", m), all - 1, 1e-9);
  EXPECT_NEAR(microseconds("sums of 4 iterations at once", m), hop + update + (20 + 2 * (7 + 81 * 0.56)) / 4,
              1e-9);
  EXPECT_NEAR(microseconds("pipelined sums", m), hop + 1.5 * update + sum - hop, 1e-9);
  EXPECT_NEAR(microseconds("Schwarz blocks", m), 1 + update + 20, 1e-9);
  EXPECT_NEAR(microseconds("sums without the host", m), all, 1e-9);
  EXPECT_NEAR(microseconds("one launch between nodes", m), all, 1e-9);
  EXPECT_NEAR(gain_of(scaling_changes().front(), m, iteration()), all / (all - 1), 1e-9);
}

TEST(ScalingChanges, OfMachinesThatCanWithinANode) {
  MachineModel m = round_machine();
  m.device_sum = 5e-6;
  EXPECT_NEAR(microseconds("sums without the host", m), 12.5 + 2 + 35.12 - 15, 1e-9);
  m.fused = true;
  m.in_launches = {3e-6, 2e-6, 0, 0, 0};
  m.in_one_launch = {1e-6, 0, 0, 0, 0};
  EXPECT_NEAR(microseconds("one launch between nodes", m), 12.5 + 2 + 35.12, 1e-9);
}

// Sums that are waited for are never put off where that takes longer, and a machine without a network has
// nothing to gain.
TEST(ScalingChanges, NoneMakesItSlower) {
  MachineModel slow = round_machine(), fast = round_machine();
  slow.far.bandwidth = 1e7;
  fast.far = {0, 0, 1e30};
  fast.far_sum_step = fast.sum_wait = 0;
  for (const ScalingChange& change : scaling_changes()) {
    if (change.name == "pipelined sums") continue;  // has more updates
    EXPECT_GE(gain_of(change, slow, iteration()), 1) << change.name;
    EXPECT_NEAR(gain_of(change, fast, iteration()), 1, 1e-9) << change.name;
  }
}

}  // namespace
}  // namespace plaq::jobs::test
