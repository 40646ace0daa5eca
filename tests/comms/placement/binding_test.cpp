// GPU and cores of each rank of made-up nodes.
#include "comms/placement/binding.hpp"

#include "tests/comms/placement/made_up_node.hpp"

namespace plaq {
namespace {

using namespace test;
using Faults = std::vector<BindingFault>;
using Costs = std::vector<std::vector<std::int64_t>>;
constexpr auto shared = BindingFault::shared_gpu, far = BindingFault::far_gpu,
               crowded = BindingFault::crowded;

// Least sum of squared loads, and of those the least cost, over all assignments.
std::pair<std::int64_t, std::int64_t> value(const Costs& cost, const std::vector<int>& gpus) {
  std::pair<std::int64_t, std::int64_t> sum{0, 0};
  std::vector<std::int64_t> load(cost.front().size(), 0);
  for (std::size_t r = 0; r < gpus.size(); ++r) {
    const auto g = static_cast<std::size_t>(gpus[r]);
    if (cost[r][g] == no_gpu) return {no_gpu, no_gpu};
    ++load[g];
    sum.second += cost[r][g];
  }
  for (const std::int64_t l : load) sum.first += l * l;
  return sum;
}

std::pair<std::int64_t, std::int64_t> best_value(const Costs& cost) {
  const int gpus = static_cast<int>(cost.front().size());
  std::vector<int> chosen(cost.size(), 0);
  auto best = value(cost, chosen);
  for (;;) {
    std::size_t r = 0;
    while (r < chosen.size() && ++chosen[r] == gpus) chosen[r++] = 0;
    if (r == chosen.size()) return best;
    best = std::min(best, value(cost, chosen));
  }
}

TEST(GpuAssignment, IsTheBestOfAll) {
  std::mt19937 generator(3);
  const auto below = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
  for (int trial = 0; trial < 2000; ++trial) {
    const auto ranks = static_cast<std::size_t>(1 + below(6)), gpus = static_cast<std::size_t>(1 + below(4));
    Costs cost(ranks, std::vector<std::int64_t>(gpus));
    for (auto& row : cost) {
      for (auto& c : row) c = below(3) == 0 ? no_gpu : below(trial % 2 == 0 ? 4 : 1000);
      row[below(static_cast<int>(gpus))] = below(5);
    }
    const auto chosen = assign_gpus(cost);
    ASSERT_EQ(chosen.size(), ranks);
    ASSERT_EQ(value(cost, chosen), best_value(cost)) << "trial " << trial;
  }
  EXPECT_TRUE(assign_gpus({}).empty());
}

std::vector<int> gpus_of(const std::vector<Binding>& bindings) {
  std::vector<int> gpus;
  for (const Binding& b : bindings) gpus.push_back(b.gpu);
  return gpus;
}

bool all(const std::vector<Binding>& bindings, const std::function<bool(const Binding&)>& good) {
  return std::all_of(bindings.begin(), bindings.end(), good);
}
bool faultless(const Binding& b) { return b.faults.empty(); }

// Eight GPUs on two sockets of 56 cores.
const NodeTopology eight = node_with_gpus(empty_node(2, 1, 56), {0, 0, 0, 0, 1, 1, 1, 1});

TEST(Binding, RanksThatTheLauncherBoundGetTheNearestGpus) {
  const auto ranks = bound_ranks(8, 112, 8);
  auto found = bind_ranks(eight, ranks);
  EXPECT_EQ(gpus_of(found), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  for (std::size_t r = 0; r < 8; ++r) {
    EXPECT_EQ(found[r].cores, ranks[r].cores);
    EXPECT_FALSE(found[r].bound);
    EXPECT_EQ(found[r].threads, 14);
    EXPECT_EQ(found[r].numa, r < 4 ? "0" : "1");
    EXPECT_EQ(found[r].gpu_numa, found[r].numa);
    EXPECT_EQ(found[r].card, "mlx5_" + std::to_string(r));
    EXPECT_TRUE(found[r].faults.empty());
  }

  auto turned = ranks;  // the other socket first
  std::rotate(turned.begin(), turned.begin() + 4, turned.end());
  EXPECT_EQ(gpus_of(bind_ranks(eight, turned)), (std::vector<int>{4, 5, 6, 7, 0, 1, 2, 3}));

  auto scattered = ranks;  // ranks in turn on both sockets, as some launchers deal them out
  for (std::size_t r = 0; r < 8; ++r) scattered[r].cores = ranks[r % 2 * 4 + r / 2].cores;
  EXPECT_EQ(gpus_of(bind_ranks(eight, scattered)), (std::vector<int>{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(Binding, TheOrderOfGpusMayBeAny) {
  std::mt19937 generator(5);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<std::string> order = bus_ids(8);
    std::shuffle(order.begin(), order.end(), generator);
    auto ranks = bound_ranks(8, 112, 8);
    for (auto& rank : ranks) rank.gpus = order;
    std::shuffle(ranks.begin(), ranks.end(), generator);
    const auto found = bind_ranks(eight, ranks);
    EXPECT_TRUE(all(found, faultless));
    std::vector<int> gpus = gpus_of(found);
    for (std::size_t r = 0; r < 8; ++r) EXPECT_TRUE(eight.gpu(order[gpus[r]])->near.includes(ranks[r].cores));
    std::sort(gpus.begin(), gpus.end());
    EXPECT_EQ(std::unique(gpus.begin(), gpus.end()), gpus.end());
  }
}

TEST(Binding, UnboundRanksTakeGpusInOrderAndAreBoundNearThem) {
  for (const int ranks : {2, 4, 8}) {
    const auto found = bind_ranks(eight, unbound_ranks(ranks, range(0, 112), 8));
    for (int r = 0; r < ranks; ++r) {
      const Binding& b = found[r];
      EXPECT_EQ(b.gpu, r);
      EXPECT_TRUE(b.bound);
      EXPECT_EQ(b.cores, range(r < 4 ? 0 : 56, 56));
      EXPECT_EQ(b.threads, 56 / std::min(ranks, 4));
      EXPECT_TRUE(b.faults.empty());
    }
  }
}

TEST(Binding, ThreadsThatDoNotFitNearTheGpuLeaveRanksUnbound) {
  auto ranks = unbound_ranks(4, range(0, 112), 8);
  for (auto& rank : ranks) rank.threads = 28;  // 112, but 56 cores are near GPUs 0 to 3
  const auto found = bind_ranks(eight, ranks);
  EXPECT_TRUE(all(found, [](const Binding& b) {
    return !b.bound && b.cores == range(0, 112) && b.threads == 28 && b.faults.empty();
  }));
  for (auto& rank : ranks) rank.threads = 14;
  EXPECT_TRUE(all(bind_ranks(eight, ranks), [](const Binding& b) { return b.bound && b.threads == 14; }));
  ranks[2].may_bind = false;
  EXPECT_TRUE(all(bind_ranks(eight, ranks), [](const Binding& b) { return !b.bound; }));
}

TEST(Binding, AnAllocationOfFewCoresIsRespected) {
  // A batch system gave cores 50 to 61 to the job, of both sockets.
  const auto found = bind_ranks(eight, unbound_ranks(8, range(50, 12), 8));
  for (std::size_t r = 0; r < 8; ++r) {
    EXPECT_EQ(found[r].cores, r < 4 ? range(50, 6) : range(56, 6));
    EXPECT_EQ(found[r].threads, 1);
    EXPECT_TRUE(found[r].faults.empty());
  }
  // All of them far from some GPUs: nobody is bound, and that is said.
  const auto one_sided = bind_ranks(eight, unbound_ranks(8, range(0, 16), 8));
  for (std::size_t r = 0; r < 8; ++r) {
    EXPECT_FALSE(one_sided[r].bound);
    EXPECT_EQ(one_sided[r].faults, r < 4 ? Faults{} : Faults{far});
  }
}

TEST(Binding, AGpuThatTheLauncherChoseIsTaken) {
  auto ranks = bound_ranks(8, 112, 8);
  for (std::size_t r = 0; r < 8; ++r) ranks[r].gpus = {bus_id(r)};
  auto found = bind_ranks(eight, ranks);
  EXPECT_TRUE(all(found, [](const Binding& b) { return b.gpu == 0 && b.faults.empty(); }));
  ranks[1].gpus = {bus_id(6)}, ranks[6].gpus = {bus_id(1)};
  found = bind_ranks(eight, ranks);
  for (std::size_t r = 0; r < 8; ++r) EXPECT_EQ(found[r].faults, r == 1 || r == 6 ? Faults{far} : Faults{});
  EXPECT_EQ(found[1].numa, "0");
  EXPECT_EQ(found[1].gpu_numa, "1");
  for (auto& rank : ranks) rank.gpus = {bus_id(2)};
  found = bind_ranks(eight, ranks);
  EXPECT_EQ(found[0].faults, Faults{shared});
  EXPECT_EQ(found[7].faults, (Faults{shared, far}));
  EXPECT_EQ(found[0].card, found[1].card);
}

TEST(Binding, MoreRanksThanGpusShareThemEvenlyWithNeighbours) {
  const NodeTopology four = node_with_gpus(empty_node(2, 2, 8), {0, 1, 2, 3});
  auto found = bind_ranks(four, unbound_ranks(8, range(0, 32), 4));
  EXPECT_EQ(gpus_of(found), (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_TRUE(all(found, [](const Binding& b) { return b.faults == Faults{shared} && b.threads == 4; }));
  found = bind_ranks(four, bound_ranks(8, 32, 4));
  EXPECT_EQ(gpus_of(found), (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  found = bind_ranks(four, unbound_ranks(5, range(0, 32), 4));
  EXPECT_EQ(gpus_of(found), (std::vector<int>{0, 0, 1, 2, 3}));
  EXPECT_EQ(found[1].faults, Faults{shared});
  EXPECT_TRUE(found[4].faults.empty());
}

TEST(Binding, NearIsTheNumaNodeThenTheSocket) {
  // Four NUMA nodes, GPUs at 1 and 3 only: ranks on 0 and 2 are on the right socket.
  const NodeTopology node = node_with_gpus(empty_node(2, 2, 4), {3, 1});
  auto ranks = unbound_ranks(2, {}, 2);
  ranks[0].cores = range(0, 4), ranks[1].cores = range(8, 4);
  auto found = bind_ranks(node, ranks);
  EXPECT_EQ(gpus_of(found), (std::vector<int>{1, 0}));
  EXPECT_TRUE(all(found, [](const Binding& b) { return b.faults == Faults{far}; }));
  ranks[0].cores = range(0, 8), ranks[1].cores = range(8, 8);  // a socket each
  found = bind_ranks(node, ranks);
  EXPECT_EQ(gpus_of(found), (std::vector<int>{1, 0}));
  EXPECT_TRUE(all(found, faultless));
}

TEST(Binding, OneRankKeepsWhatItHas) {
  const NodeTopology titan = node_with_gpus(empty_node(1, 2, 8), {0});
  auto found = bind_ranks(titan, unbound_ranks(1, range(0, 16), 1));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].gpu, 0);
  EXPECT_FALSE(found[0].bound);
  EXPECT_EQ(found[0].threads, 16);
  EXPECT_EQ(found[0].numa, "0-1");
  EXPECT_EQ(found[0].card, "mlx5_0");
  EXPECT_TRUE(found[0].faults.empty());
}

TEST(Binding, WhereNothingIsKnownRanksTakeGpusInOrder) {
  for (const auto& ranks : {unbound_ranks(4, range(0, 8), 4), bound_ranks(4, 8, 4)}) {
    const auto found = bind_ranks({}, ranks);
    EXPECT_EQ(gpus_of(found), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_TRUE(all(found, [](const Binding& b) {
      return !b.bound && b.threads == 2 && b.numa.empty() && b.card.empty() && b.faults.empty();
    }));
  }
  EXPECT_TRUE(bind_ranks(eight, {}).empty());
}

TEST(Binding, OnTheHostCoresAreShared) {
  auto found = bind_ranks(eight, unbound_ranks(4, range(0, 112), 0));
  EXPECT_TRUE(all(found, [](const Binding& b) {
    return b.gpu == -1 && !b.bound && b.threads == 28 && b.faults.empty();
  }));
  found = bind_ranks(eight, unbound_ranks(5, range(0, 2), 0));
  EXPECT_TRUE(all(found, [](const Binding& b) { return b.threads == 1 && b.faults == Faults{crowded}; }));
  auto ranks = bound_ranks(4, 112, 0);  // a rank of many threads on cores of its own, the others with room
  for (auto& rank : ranks) rank.threads = 10;
  ranks[3].threads = 29;
  found = bind_ranks(eight, ranks);
  EXPECT_EQ(found[3].faults, Faults{crowded});
  EXPECT_TRUE(found[0].faults.empty());
  EXPECT_EQ(found[3].card, "mlx5_4");
  EXPECT_EQ(found[0].card, "mlx5_0");
}

}  // namespace
}  // namespace plaq
