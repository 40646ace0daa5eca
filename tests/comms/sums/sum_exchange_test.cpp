// Sums over ranks are exact, whichever ranks share a node, from the host as from a device.
#include "comms/sums/sum_exchange.hpp"

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport_choice.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::world_rank;
using test::world_size;

// Sum k of a rank, the same on every rank that asks: few numbers or many, of one size or of all, with either
// sign, some of them infinite or none at all.
ExactSum sum_of(int rank, int k, unsigned round) {
  // SplitMix64: thousands of these sums are made, of few numbers each.
  std::uint64_t state =
      ((round * 1000003u + static_cast<std::uint64_t>(k)) << 8) + static_cast<unsigned>(rank);
  const auto generator = [&] {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  const int spread = k % 5 == 0 ? 2000 : k % 5 == 1 ? 300 : 20;
  const int count = k % 7 == 0 ? 0 : static_cast<int>(generator() % 40);
  ExactSum sum;
  for (int i = 0; i < count; ++i) {
    const double x = static_cast<double>(generator() >> 11) * 0x1p-53 - (k % 3 == 0   ? 0.5
                                                                         : k % 3 == 1 ? 0
                                                                                      : 1);
    sum.add(std::ldexp(x, static_cast<int>(generator() % static_cast<unsigned>(spread)) - spread / 2));
  }
  if (k % 11 == 3 && rank == world_size() - 1) sum.add(std::numeric_limits<double>::infinity());
  if (k % 13 == 5 && rank == 0) sum.add(std::numeric_limits<double>::quiet_NaN());
  return sum;
}

double expected(int k, unsigned round) {
  ExactSum all;
  for (int rank = 0; rank < world_size(); ++rank) all.merge(sum_of(rank, k, round));
  return all.round();
}

void expect_totals(const std::vector<double>& found, int count, unsigned round, const char* where) {
  ASSERT_EQ(found.size(), static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    const double value = found[k], right = expected(k, round);
    EXPECT_TRUE(value == right || (std::isnan(value) && std::isnan(right)))
        << where << " sum " << k << " of " << count << ": " << value << ", not " << right;
  }
}

// A buffer of 700 sums, at the queue's location.
struct FilledBuffer {
  static constexpr int size = 700;
  const Queue queue;
  SumBuffer buffer;
  std::vector<ExactSum> mine = std::vector<ExactSum>(size);

  explicit FilledBuffer(Location location) : queue(location), buffer(location, size) {
    buffer.clear(queue, size);
    queue.synchronize();
  }
  void fill(unsigned round) {
    for (int k = 0; k < size; ++k) mine[k] = sum_of(world_rank(), k, round);
    copy_bytes(buffer.limbs(), queue.location(), mine.data(), Location::host, SumBuffer::bytes(size));
  }
  // The first ones are zero again, the others as they were.
  void expect_taken(int count) {
    const auto left = buffer.fetch(queue, size);
    for (int k = 0; k < size; ++k) {
      ExactSum rest = k < count ? ExactSum{} : mine[k];
      rest.normalize();
      EXPECT_EQ(0, std::memcmp(&left[k], &rest, sizeof rest)) << k;
    }
  }
};

// Nodes on which ranks are taken to be: ranks of one share memory, leaders of several call MPI.
enum class Nodes { one, of_two_ranks, uneven, of_one_rank };
constexpr const char* names_of_nodes[] = {"OneNode", "NodesOfTwoRanks", "UnevenNodes", "NodesOfOneRank"};

class SumExchanges : public testing::TestWithParam<Nodes> {
 protected:
  static std::vector<int> nodes() {
    std::vector<int> nodes;
    for (int rank = 0; rank < world_size(); ++rank)
      nodes.push_back(GetParam() == Nodes::one            ? 0
                      : GetParam() == Nodes::of_two_ranks ? rank / 2
                      : GetParam() == Nodes::uneven       ? rank % 3 % 2
                                                          : rank);
    return nodes;
  }
};

TEST_P(SumExchanges, AddVectorsOfTheHost) {
  SumExchange exchange(MPI_COMM_WORLD, nodes());
  unsigned round = 0;
  for (const int count : {1, 3, 0, 40, SumSheet::capacity, SumSheet::capacity + 1, 700, 2}) {
    std::vector<ExactSum> mine;
    for (int k = 0; k < count; ++k) mine.push_back(sum_of(world_rank(), k, round));
    expect_totals(exchange.sum(mine), count, round, "host");
    std::vector<double> left;
    for (const ExactSum& sum : mine) left.push_back(sum.round());
    expect_totals(left, count, round, "in place");
    ++round;
  }
}

TEST_P(SumExchanges, TakeThoseOfABuffer) {
  for (const Location location : test::locations()) {
    SumExchange exchange(MPI_COMM_WORLD, nodes());
    FilledBuffer sums(location);
    unsigned round = 50;
    for (const int count : {2, 1, 8, 33, 0, 600, 5}) {
      sums.fill(round);
      expect_totals(exchange.take(sums.buffer, count, sums.queue), count, round++, "buffer");
      sums.expect_taken(count);
    }
  }
}

// Sums that stay where they are: the totals too, again and again, and by a device that nobody waits for.
TEST_P(SumExchanges, TotalThoseOfABuffer) {
  for (const Location location : test::locations()) {
    SumExchange exchange(MPI_COMM_WORLD, nodes());
    FilledBuffer sums(location);
    const Buffer totals(location, FilledBuffer::size * sizeof(double));
    unsigned round = 500;
    for (const int count : {2, 1, 8, 33, 0, 600, 5, 40, 257}) {
      sums.fill(round);
      exchange.total(sums.buffer, count, totals.as<double>(), sums.queue);
      std::vector<double> found(static_cast<std::size_t>(count));
      copy_bytes(found.data(), Location::host, totals.data(), location, found.size() * sizeof(double));
      expect_totals(found, count, round++, "totals");
      sums.expect_taken(count);
    }
  }
}

// Many in a row, with nothing between them that waits; ranks are slow by turns.
TEST_P(SumExchanges, TotalsInARow) {
  constexpr int rounds = 200, sums = 3;
  for (const Location location : test::locations()) {
    SumExchange exchange(MPI_COMM_WORLD, nodes());
    const Queue queue(location);
    std::vector<ExactSum> mine;
    for (int k = 0; k < rounds; ++k)
      for (int i = 0; i < sums; ++i) mine.push_back(sum_of(world_rank(), 2 + i, static_cast<unsigned>(k)));
    const Buffer all(location, mine.size() * sizeof(ExactSum)),
        totals(location, mine.size() * sizeof(double));
    copy_bytes(all.data(), location, mine.data(), Location::host, all.bytes());
    SumBuffer buffer(location, sums);
    std::mt19937 generator(static_cast<unsigned>(world_rank()));
    for (int k = 0; k < rounds; ++k) {
      if (generator() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(generator() % 2000));
      queue.copy_async(buffer.limbs(), all.as<ExactSum>() + k * sums, SumBuffer::bytes(sums));
      exchange.total(buffer, sums, totals.as<double>() + k * sums, queue);
    }
    std::vector<double> found(mine.size());
    copy_bytes(found.data(), Location::host, totals.data(), location, totals.bytes());
    for (int k = 0; k < rounds; ++k)
      for (int i = 0; i < sums; ++i) {
        const double value = found[k * sums + i];
        ASSERT_EQ(value, expected(2 + i, static_cast<unsigned>(k))) << "round " << k;
      }
  }
}

// Ranks that are slow by turns: nobody reads what is not written yet, or no longer there.
TEST_P(SumExchanges, HoldWhereRanksAreSlow) {
  SumExchange exchange(MPI_COMM_WORLD, nodes());
  std::mt19937 generator(static_cast<unsigned>(world_rank()));
  for (unsigned round = 100; round < 400; ++round) {
    if (generator() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(generator() % 2000));
    std::vector<ExactSum> mine = {sum_of(world_rank(), 2, round), sum_of(world_rank(), 4, round)};
    const auto found = exchange.sum(mine);
    ASSERT_EQ(found[0], expected(2, round)) << round;
    ASSERT_EQ(found[1], expected(4, round)) << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, SumExchanges,
                         testing::Values(Nodes::one, Nodes::of_two_ranks, Nodes::uneven, Nodes::of_one_rank),
                         [](const auto& info) { return names_of_nodes[static_cast<int>(info.param)]; });

// GPUs that add up among themselves by NCCL, as those of several nodes do.
TEST(SumsOfGpus, AddByNccl) {
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, world_size()});
  if (grid.comm().any(device_count() == 0)) GTEST_SKIP() << "no GPU";
  std::shared_ptr<Transport> transport;
  try {
    transport = make_transport(grid, Location::device, TransportKind::nccl);
  } catch (const Error& e) {
    GTEST_SKIP() << e.what();
  }
  const auto gpus = transport->make_sums();
  ASSERT_NE(gpus, nullptr);
  FilledBuffer sums(Location::device);
  EXPECT_TRUE(sums_are_right(*gpus, grid.comm(), sums.queue));
  const Buffer totals(Location::device, FilledBuffer::size * sizeof(double));
  unsigned round = 900;
  for (const int count : {2, 1, 33, 0, 600, 256, 257, 5}) {
    sums.fill(round);
    gpus->total(sums.buffer, count, totals.as<double>(), sums.queue);
    sums.queue.synchronize();
    std::vector<double> found(static_cast<std::size_t>(count));
    copy_bytes(found.data(), Location::host, totals.data(), Location::device, found.size() * sizeof(double));
    expect_totals(found, count, round++, "totals");
    sums.expect_taken(count);
  }
}

}  // namespace
}  // namespace plaq
