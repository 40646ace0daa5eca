// Sums over ranks are exact, through shared memory as through MPI, from the host as from a device.
#include "comms/sums/sum_exchange.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "comms/grid/process_grid.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::world_rank;
using test::world_size;

// Sum k of a rank, the same on every rank that asks: few numbers or many, of one size or of all, with either
// sign, some of them infinite or none at all.
ExactSum sum_of(int rank, int k, unsigned round) {
  std::seed_seq seed{static_cast<unsigned>(rank), static_cast<unsigned>(k), round};
  std::mt19937_64 generator(seed);
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
    const double value = found[static_cast<std::size_t>(k)], right = expected(k, round);
    EXPECT_TRUE(value == right || (std::isnan(value) && std::isnan(right)))
        << where << " sum " << k << " of " << count << ": " << value << ", not " << right;
  }
}

class SumExchanges : public testing::TestWithParam<bool> {};

TEST_P(SumExchanges, AddVectorsOfTheHost) {
  SumExchange exchange(MPI_COMM_WORLD, world_size(), GetParam());
  unsigned round = 0;
  for (const int count : {1, 3, 0, 40, SumSheet::capacity, SumSheet::capacity + 1, 700, 2}) {
    std::vector<ExactSum> mine;
    for (int k = 0; k < count; ++k) mine.push_back(sum_of(world_rank(), k, round));
    expect_totals(exchange.sum(mine), count, round, "host");
    for (int k = 0; k < count; ++k) {
      const double left = mine[static_cast<std::size_t>(k)].round(), right = expected(k, round);
      EXPECT_TRUE(left == right || (std::isnan(left) && std::isnan(right))) << k;
    }
    ++round;
  }
}

TEST_P(SumExchanges, TakeThoseOfABuffer) {
  for (const Location location : test::locations()) {
    SumExchange exchange(MPI_COMM_WORLD, world_size(), GetParam());
    const Queue queue(location);
    SumBuffer buffer(location, 700);
    buffer.clear(queue, 700);
    queue.synchronize();
    unsigned round = 50;
    for (const int count : {2, 1, 8, 33, 0, 600, 5}) {
      std::vector<ExactSum> mine(700);
      for (int k = 0; k < 700; ++k) mine[static_cast<std::size_t>(k)] = sum_of(world_rank(), k, round);
      copy_bytes(buffer.limbs(), location, mine.data(), Location::host, SumBuffer::bytes(700));
      expect_totals(exchange.take(buffer, count, queue), count, round, "buffer");
      const auto left = buffer.fetch(queue, 700);
      for (int k = 0; k < 700; ++k) {
        ExactSum rest = k < count ? ExactSum{} : mine[static_cast<std::size_t>(k)];
        rest.normalize();
        EXPECT_EQ(0, std::memcmp(&left[static_cast<std::size_t>(k)], &rest, sizeof rest)) << k;
      }
      ++round;
    }
  }
}

// Sums that stay where they are: the totals too, again and again, and by a device that nobody waits for.
TEST_P(SumExchanges, TotalThoseOfABuffer) {
  for (const Location location : test::locations()) {
    SumExchange exchange(MPI_COMM_WORLD, world_size(), GetParam());
    const Queue queue(location);
    SumBuffer buffer(location, 700);
    const Buffer totals(location, 700 * sizeof(double));
    unsigned round = 500;
    for (const int count : {2, 1, 8, 33, 0, 600, 5, 40, 257}) {
      std::vector<ExactSum> mine(700);
      for (int k = 0; k < 700; ++k) mine[static_cast<std::size_t>(k)] = sum_of(world_rank(), k, round);
      copy_bytes(buffer.limbs(), location, mine.data(), Location::host, SumBuffer::bytes(700));
      exchange.total(buffer, count, totals.as<double>(), queue);
      std::vector<double> found(static_cast<std::size_t>(count));
      copy_bytes(found.data(), Location::host, totals.data(), location, found.size() * sizeof(double));
      expect_totals(found, count, round, "totals");
      const auto left = buffer.fetch(queue, 700);
      for (int k = 0; k < 700; ++k) {
        ExactSum rest = k < count ? ExactSum{} : mine[static_cast<std::size_t>(k)];
        rest.normalize();
        EXPECT_EQ(0, std::memcmp(&left[static_cast<std::size_t>(k)], &rest, sizeof rest)) << k;
      }
      ++round;
    }
  }
}

// Many in a row, with nothing between them that waits; ranks are slow by turns.
TEST_P(SumExchanges, TotalsInARow) {
  constexpr int rounds = 200, sums = 3;
  for (const Location location : test::locations()) {
    SumExchange exchange(MPI_COMM_WORLD, world_size(), GetParam());
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
        const double value = found[static_cast<std::size_t>(k * sums + i)];
        ASSERT_EQ(value, expected(2 + i, static_cast<unsigned>(k))) << "round " << k;
      }
  }
}

// Ranks that are slow by turns: nobody reads what is not written yet, or no longer there.
TEST_P(SumExchanges, HoldWhereRanksAreSlow) {
  SumExchange exchange(MPI_COMM_WORLD, world_size(), GetParam());
  std::mt19937 generator(static_cast<unsigned>(world_rank()));
  for (unsigned round = 100; round < 400; ++round) {
    if (generator() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(generator() % 2000));
    std::vector<ExactSum> mine = {sum_of(world_rank(), 2, round), sum_of(world_rank(), 4, round)};
    const auto found = exchange.sum(mine);
    ASSERT_EQ(found[0], expected(2, round)) << round;
    ASSERT_EQ(found[1], expected(4, round)) << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, SumExchanges, testing::Values(true, false),
                         [](const auto& info) { return info.param ? "SharedMemory" : "Mpi"; });

}  // namespace
}  // namespace plaq
