// The table of who got what, and warnings, for jobs of any size.
#include "comms/placement/launch_table.hpp"

#include <bit>

#include "core/system/error.hpp"
#include "tests/comms/placement/made_up_node.hpp"

namespace plaq::launch_table_test {
namespace {

using namespace test;

const NodeTopology eight = node_with_gpus(empty_node(2, 1, 56), {0, 0, 0, 0, 1, 1, 1, 1});

// `nodes` times these ranks; rank r is on node r / ranks, or with in_turn on r % nodes.
std::vector<LaunchNode> job_of(int nodes, const NodeTopology& topology, const std::vector<RankPlace>& places,
                               bool in_turn = false) {
  const std::vector<Binding> bindings = bind_ranks(topology, places);
  const int ranks = static_cast<int>(places.size());
  std::vector<LaunchNode> job(static_cast<std::size_t>(nodes));
  for (int n = 0; n < nodes; ++n)
    for (int i = 0; i < ranks; ++i) {
      const auto u = static_cast<std::size_t>(i);
      LaunchRow row{"nid" + std::to_string(n), {}, {}, bindings[u]};
      if (row.binding.gpu >= 0) {
        row.gpu = places[u].gpus[row.binding.gpu];
        row.name = "NVIDIA H200";
      }
      job[n].ranks.push_back(in_turn ? i * nodes + n : n * ranks + i);
      job[n].rows.push_back(row);
    }
  return job;
}

// Summary of the nodes from `first` on, which tell each other in pairs, and in pairs of pairs.
LaunchSummary summary_of_job(const std::vector<LaunchNode>& job, std::size_t first, std::size_t count) {
  if (count == 1) return launch_summary(text_of(summary_of(job[first])));
  const std::size_t half = std::bit_ceil(count) / 2;
  LaunchSummary summary = summary_of_job(job, first, half);
  summary.add(summary_of_job(job, first + half, count - half));
  return launch_summary(text_of(summary));
}
LaunchSummary summary_of_job(const std::vector<LaunchNode>& job) {
  return summary_of_job(job, 0, job.size());
}
std::string launch_table(const std::vector<LaunchNode>& job) {
  return plaq::launch_table(summary_of_job(job));
}
std::vector<std::string> launch_warnings(const std::vector<LaunchNode>& job) {
  return plaq::launch_warnings(summary_of_job(job));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}

TEST(LaunchText, SaysTheSameOnAnotherRank) {
  const RankPlace place{range(3, 5), false, 7, {"0000:17:00.0", "0000:97:00.0"}};
  const RankPlace same = rank_place(text_of(place));
  EXPECT_EQ(same.cores, place.cores);
  EXPECT_EQ(same.may_bind, place.may_bind);
  EXPECT_EQ(same.threads, place.threads);
  EXPECT_EQ(same.gpus, place.gpus);
  EXPECT_TRUE(rank_place(text_of(RankPlace{})).gpus.empty());

  LaunchRow row{"nid\t1\n", "0000:17:00.0", "NVIDIA H200", {}};
  row.binding = {3, range(0, 4), true, 4, "0-1", "1", "mlx5_0", {}};
  row.binding.faults = {BindingFault::far_gpu, BindingFault::crowded};
  const LaunchRow read = launch_row(text_of(row));
  EXPECT_EQ(read.host, "nid 1 ");  // a name cannot break the text
  EXPECT_EQ(text_of(read), text_of(row));
  EXPECT_EQ(read.binding.cores, row.binding.cores);
  EXPECT_EQ(read.binding.faults, row.binding.faults);
  EXPECT_EQ(read.binding.card, row.binding.card);
  EXPECT_THROW(launch_row("12"), Error);
  EXPECT_THROW(rank_place("0-3\t1\t"), Error);
}

TEST(LaunchTable, OneNodeHasALineForEachRank) {
  const auto lines = lines_of(launch_table(job_of(1, eight, bound_ranks(8, 112, 8))));
  ASSERT_EQ(lines.size(), 10u);  // the first one ends the sentence before the table
  EXPECT_EQ(lines[1], "  rank  node  GPU                         cores   NUMA  threads  network card");
  EXPECT_EQ(lines[2], "  0     nid0  0 NVIDIA H200 0000:10:00.0  0-13    0     14       mlx5_0");
  EXPECT_EQ(lines[9], "  7     nid0  7 NVIDIA H200 0000:17:00.0  98-111  1     14       mlx5_7");
}

TEST(LaunchTable, NodesThatAreAlikeAreShownOnce) {
  auto lines = lines_of(launch_table(job_of(512, eight, unbound_ranks(8, range(0, 112), 8))));
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_NE(lines[2].find("cores by plaq"), std::string::npos) << lines[2];
  EXPECT_EQ(lines[10], "  and the same on 511 more nodes");

  lines = lines_of(launch_table(job_of(16, eight, bound_ranks(2, 112, 8), true)));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[3].substr(0, 8), "  16    ");  // ranks in turn: 0 and 16 share a node
}

TEST(LaunchTable, RanksThatAreAlikeShareALine) {
  const auto lines = lines_of(launch_table(job_of(100, eight, bound_ranks(112, 112, 0))));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[2], "  0-55    nid0  -    0-55    0     1 each   mlx5_0");
  EXPECT_EQ(lines[3], "  56-111  nid0  -    56-111  1     1 each   mlx5_4");
  EXPECT_EQ(lines[4], "  and the same on 99 more nodes");
}

TEST(LaunchTable, IsShortWhereNoTwoNodesAreAlike) {
  std::vector<LaunchNode> job(300);
  for (int n = 0; n < 300; ++n)
    for (int i = 0; i < 40; ++i) {
      LaunchRow row{"nid" + std::to_string(n), {}, {}, {}};
      row.binding.cores = range(i, 1);
      row.binding.threads = 1 + i;
      row.binding.numa = std::to_string(n);
      job[n].ranks.push_back(n * 40 + i);
      job[n].rows.push_back(row);
    }
  const auto lines = lines_of(launch_table(job));
  EXPECT_EQ(lines.size(), 2u + 4 * 17 + 1);
  EXPECT_EQ(lines[18], "  and 24 more lines of this node");
  EXPECT_EQ(lines.back(), "  and 296 more nodes, in 296 other ways");
}

// The text that ranks send is no longer for many nodes than for one.
TEST(LaunchTable, TellsAsMuchOfManyNodesAsOfOne) {
  const auto one = text_of(summary_of_job(job_of(1, eight, bound_ranks(8, 112, 8))));
  const auto many = text_of(summary_of_job(job_of(1000, eight, bound_ranks(8, 112, 8))));
  EXPECT_LE(many.size(), one.size() + 3);  // digits of the number of nodes
  auto crowded = bound_ranks(8, 112, 8);
  for (auto& place : crowded) place.threads = 60;
  const auto few = text_of(summary_of_job(job_of(2, eight, crowded)));
  EXPECT_LE(text_of(summary_of_job(job_of(1000, eight, crowded))).size(), few.size() + 6);
}

TEST(LaunchWarnings, AreOneSentenceForAKindOfFault) {
  EXPECT_TRUE(launch_warnings(job_of(4, eight, bound_ranks(8, 112, 8))).empty());

  auto places = bound_ranks(2, 112, 8);
  for (auto& place : places) place.gpus = {bus_id(5)}, place.threads = 60;
  const auto rows = job_of(3, eight, places);
  const auto warnings = launch_warnings(rows);
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_EQ(
      warnings[0],
      "ranks 0-1 on nid0 share the GPU 0000:15:00.0 (and 2 more shared GPUs): one rank a GPU is what plaq "
      "is made for");
  EXPECT_EQ(
      warnings[1],
      "rank 0 on nid0 has the cores 0-55 of NUMA node 0, but its GPU 0000:15:00.0 is at NUMA node 1 (and 2 "
      "more such ranks): let the launcher bind ranks to cores near their GPUs, or not at all");
  EXPECT_EQ(
      warnings[2],
      "more ranks times threads than cores: ranks 0-1 on nid0, 120 thread(s) on core(s) 0-111 (and 2 more "
      "such nodes): expect poor speed");
  const auto lines = lines_of(launch_table(rows));
  EXPECT_NE(lines[2].find("GPU SHARED, GPU FAR, at NUMA node 1, MORE THREADS THAN CORES"), std::string::npos)
      << lines[2];
}

}  // namespace
}  // namespace plaq::launch_table_test
