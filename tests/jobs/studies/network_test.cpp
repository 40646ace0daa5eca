// plaq bench network: what it times is right, on any number of ranks, and what it says is what the model
// takes.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "comms/transport/transport_choice.hpp"
#include "core/system/error.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/bench/exchange_rings.hpp"
#include "jobs/bench/known_exchange.hpp"
#include "jobs/bench/network_launch.hpp"
#include "jobs/model/measured_machine.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

// One bit is wrong of what the host transport brings, on one rank, in one round.
class Garbling final : public Transport {
 public:
  Garbling(const ProcessGrid& grid, int rank, std::size_t message, std::size_t byte, int round)
      : inner_(make_host_transport(grid, Location::host)),
        mine_(grid.rank() == rank),
        message_(message),
        byte_(byte),
        round_(round) {}
  std::string_view name() const override { return "garbling"; }
  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override {
    return std::make_unique<Run>(*this, inner_->prepare(messages));
  }

 private:
  class Run final : public Exchange {
   public:
    Run(const Garbling& of, std::unique_ptr<Exchange> inner) : of_(of), inner_(std::move(inner)) {}
    void* send(std::size_t m) const override { return inner_->send(m); }
    void* receive(std::size_t m) const override { return inner_->receive(m); }
    void start(const Queue& filled, std::size_t most) override { inner_->start(filled, most); }
    void finish(const Queue& filled) override {
      inner_->finish(filled);
      if (++round_ == of_.round_ && of_.mine_)
        static_cast<unsigned char*>(inner_->receive(of_.message_))[of_.byte_] ^= 1;
    }

   private:
    const Garbling& of_;
    std::unique_ptr<Exchange> inner_;
    int round_ = 0;
  };
  std::shared_ptr<Transport> inner_;
  bool mine_;
  std::size_t message_, byte_;
  int round_;
};

Bench bench_with(TransportKind transport = TransportKind::automatic) {
  Asked asked;
  asked.samples = 1;
  asked.transport = transport;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  auto grid = std::make_shared<ProcessGrid>(MPI_COMM_WORLD, Extents{1, 1, 1, ranks});
  return Bench(asked, {std::move(grid), nullptr, Queue(Location::host), nullptr});
}

std::vector<FaceMessage> both_ways(const ProcessGrid& grid, std::size_t bytes) {
  return {{grid.neighbor(3, false), grid.neighbor(3, true), 6, bytes},
          {grid.neighbor(3, true), grid.neighbor(3, false), 7, bytes}};
}

TEST(KnownExchange, FindsAWrongBit) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, size});
  const Queue queue(Location::host);
  const int last = size - 1;
  for (const int wrong_round : {1, 3}) {
    Garbling transport(grid, last, 1, 777, wrong_round);
    KnownExchange exchange(grid, Location::host, transport, both_ways(grid, 1024));
    for (int round = 1; round <= 3; ++round) {
      exchange.run(queue);
      const std::string fault = exchange.fault(queue);
      if (round != wrong_round || grid.rank() != last) {
        EXPECT_EQ(fault, "");
        continue;
      }
      const std::string words = "from rank " + std::to_string(grid.neighbor(3, false)) + " to rank " +
                                std::to_string(last) + " arrives with wrong bytes at 768";
      EXPECT_NE(fault.find(words), std::string::npos) << fault;
    }
  }
}

// Words of the round before are wrong ones.
TEST(KnownExchange, EveryRoundHasItsOwnWords) {
  EXPECT_FALSE(face_word(face_seed(0, 3, 1), 0) == face_word(face_seed(0, 3, 2), 0));
  EXPECT_FALSE(face_word(face_seed(0, 3, 1), 0) == face_word(face_seed(1, 3, 1), 0));
  EXPECT_FALSE(face_word(face_seed(0, 3, 1), 0) == face_word(face_seed(0, 4, 1), 0));
  EXPECT_FALSE(face_word(face_seed(0, 3, 1), 0) == face_word(face_seed(0, 3, 1), 1));
}

// What one rank sends with a tag, its partner receives with it; those to whom it sends are those from whom it
// receives; and faces stay within nodes, or leave them.
TEST(ExchangeRings, EveryFaceHasTwoEnds) {
  const std::vector<std::vector<int>> maps = {
      {0},          {0, 0},          {0, 0, 0},       {0, 0, 2},    {0, 1, 2, 3},
      {0, 0, 2, 2}, {0, 1, 0, 1, 0}, {0, 0, 0, 0, 4}, {0, 1, 1, 1}, {0, 0, 2, 2, 4, 4}};
  for (const auto& nodes : maps)
    for (const int faces : {1, 2, 4, 6, 8}) {
      const int size = static_cast<int>(nodes.size());
      const std::size_t kinds = exchange_rings(nodes, 0).size();
      for (std::size_t kind = 0; kind < kinds; ++kind) {
        int sent = 0;
        for (int rank = 0; rank < size; ++rank) {
          const auto rings = exchange_rings(nodes, rank);
          ASSERT_EQ(rings.size(), kinds);
          const auto mine = ring_messages(rings[kind], faces, 64);
          ASSERT_EQ(mine.size(), static_cast<std::size_t>(faces));
          std::set<int> to, from;
          for (const FaceMessage& m : mine) {
            EXPECT_EQ(m.send_to == FaceMessage::nobody, m.receive_from == FaceMessage::nobody);
            if (m.send_to == FaceMessage::nobody) continue;
            ++sent;
            to.insert(m.send_to);
            from.insert(m.receive_from);
            EXPECT_EQ(m.send_to == rank, size == 1);
            const bool same =
                nodes[static_cast<std::size_t>(rank)] == nodes[static_cast<std::size_t>(m.send_to)];
            EXPECT_EQ(same, rings[kind].where != ExchangeRing::between_nodes);
            const auto partner = exchange_rings(nodes, m.send_to)[kind];
            EXPECT_EQ(ring_messages(partner, faces, 64)[static_cast<std::size_t>(m.tag)].receive_from, rank);
          }
          EXPECT_EQ(to, from);
        }
        EXPECT_GT(sent, 0);
      }
    }
  EXPECT_EQ(exchange_rings({0, 0, 2, 2}, 3).size(), 2u);
  EXPECT_EQ(exchange_rings({0, 1}, 1).front().where, ExchangeRing::between_nodes);
  EXPECT_EQ(exchange_rings({0, 0, 2, 2}, 3)[1].ranks, (std::vector<int>{1, 3}));
}

TEST(BenchNetwork, Rows) {
  Bench bench = bench_with();
  const int ranks_here = bench.grid().size();
  constexpr std::size_t most = 4096;  // 64, 256, 1024, 4096 bytes
  bench_network(bench, most);
  std::map<std::string, int> count;
  for (const Row& r : bench.rows) {
    ++count[r.target + " " + r.transport];
    if (r.target == "exchange" || r.target == "link") {
      EXPECT_EQ(r.where, ranks_here == 1 ? "itself" : "within a node");
    }
    if (r.target == "exchange") {
      EXPECT_GT(r.seconds, 0);
      EXPECT_EQ(r.check, "every byte");
      EXPECT_LE(r.number("message_bytes"), static_cast<double>(most));
    }
    if (r.target == "link") {
      EXPECT_GT(r.number("bytes_per_second"), 0);
      EXPECT_GE(r.number("latency_seconds"), 0);
      EXPECT_EQ(r.samples, r.number("faces") == 0 ? 20 : 4);
    }
  }
  EXPECT_EQ(count["exchange host"], 20);
  EXPECT_EQ(count["link host"], 6);
  EXPECT_EQ(count["exchange self"], ranks_here == 1 ? 20 : 0);
  EXPECT_EQ(count["refused self"], ranks_here == 1 ? 0 : 1);
  EXPECT_EQ(count["overlap host"], 1);
  EXPECT_EQ(count["faces "], 6);
  EXPECT_EQ(count["crowding "], 1);
  EXPECT_EQ(count["launch "], 1);
  EXPECT_EQ(count["sum_wait "], 1);
  int groups = 1;  // of 1, 2, 4, ... ranks, and of all
  for (int ranks = 1; ranks < ranks_here; ranks *= 2) ++groups;
  EXPECT_EQ(count["global_sum "], 6 * groups);
  const std::string text = text_of(bench.rows);
  expect_holds(text, "message_bytes");
  expect_holds(text, "latency_seconds");
}

// All that a network on hosts needs for predictions.
TEST(BenchNetwork, TheModelTakesIt) {
  Bench bench = bench_with(TransportKind::host);
  bench.memory_limit = 1e10;
  bench_network(bench, 1024);
  const std::string text = nlohmann::json{{"rows", json_of(bench.rows)}}.dump();
  MachineModel m = unknown_machine();
  take_measurements_text(m, text, "network.json");
  EXPECT_EQ(m.memory_bandwidth, 1e10);
  EXPECT_GT(m.launch, 0);
  EXPECT_GT(m.sum_wait, 0);
  EXPECT_GE(m.crowding, 1);
  EXPECT_GT(m.in_launches.start + m.in_launches.double_site, 0);
  if (bench.grid().size() == 1) return;  // exchanges with itself are no link
  m.check_complete(bench.grid().size());
  for (const Row& r : bench.rows) {
    if (r.target == "link" && r.number("faces") == 0) {
      EXPECT_DOUBLE_EQ(m.near.bandwidth, r.number("bytes_per_second"));
    }
    if (r.target != "overlap") continue;
    EXPECT_DOUBLE_EQ(m.near.hidden, r.number("hidden"));
    EXPECT_GE(r.number("hidden"), 0);
    EXPECT_LE(r.number("hidden"), 1);
  }
}

TEST(BenchNetwork, TheTransportThatWasAskedFor) {
  Bench bench = bench_with(TransportKind::host);
  bench_network(bench, 256);
  for (const Row& r : bench.rows) EXPECT_TRUE(r.transport.empty() || r.transport == "host") << r.transport;
  Bench nccl = bench_with(TransportKind::nccl);
  expect_holds(message_of(ErrorKind::comms, [&] { bench_network(nccl, 256); }), "this run is on the host");
}

}  // namespace
}  // namespace plaq::jobs::test
