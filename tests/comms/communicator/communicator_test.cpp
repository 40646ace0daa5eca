// Messages between ranks, against those that each of them should receive.
#include "comms/communicator/communicator.hpp"

#include "comms/communicator/mpi_session.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/waiting.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

// A size that MPI has no type for.
struct Odd {
  char letters[5];
  bool operator==(const Odd&) const = default;
};
Odd odd(int rank) { return {{'r', static_cast<char>('a' + rank), 'x', 'y', static_cast<char>(rank)}}; }

const auto nothing = [] { return std::string("a test"); };

class OfRanks : public testing::Test {
 protected:
  const Communicator all_ = world();
  const int rank_ = test::world_rank(), size_ = test::world_size();
  int next() const { return (rank_ + 1) % size_; }
  int before() const { return (rank_ + size_ - 1) % size_; }
};

TEST_F(OfRanks, KnowThemselves) {
  EXPECT_TRUE(mpi_runs());
  EXPECT_TRUE(all_.through_mpi());
  EXPECT_EQ(all_.rank(), rank_);
  EXPECT_EQ(all_.size(), size_);
  EXPECT_EQ(all_.mpi(), MPI_COMM_WORLD);
  const Communicator alone = Communicator::alone();
  EXPECT_EQ(alone.rank(), 0);
  EXPECT_EQ(alone.size(), 1);
  EXPECT_FALSE(alone.through_mpi());
  test::expect_error([&] { (void)alone.mpi(); }, ErrorKind::internal, {"no communicator of MPI"});
  test::expect_error([] { (void)Communicator(MPI_COMM_NULL); }, ErrorKind::internal, {"that is none"});
}

TEST_F(OfRanks, HearWhatOneSays) {
  for (int root = 0; root < size_; ++root) {
    EXPECT_EQ(all_.broadcast(10 * rank_, root), 10 * root);
    EXPECT_EQ(all_.broadcast(odd(rank_), root), odd(root));
    std::vector<double> values = {0.5 * rank_, 1.0, -2.0 * rank_};
    all_.broadcast(std::span(values), root);
    EXPECT_EQ(values, (std::vector<double>{0.5 * root, 1.0, -2.0 * root}));
    std::uint64_t fixed[2] = {static_cast<std::uint64_t>(rank_), 7};  // a span of a known length is no value
    all_.broadcast(std::span(fixed), root);
    EXPECT_EQ(fixed[0], static_cast<std::uint64_t>(root));
  }
}

template <class T>
void expect_reductions(const Communicator& all, int rank, int size) {
  const T offset = std::is_signed_v<T> ? T(-3) : T(3);
  const auto of = [&](int r) { return std::array<T, 2>{T(T(r) + offset), T(2 * r)}; };
  std::array<T, 2> sums{}, least = of(0), most = of(0);
  for (int r = 0; r < size; ++r)
    for (std::size_t i = 0; i < 2; ++i) {
      sums[i] = T(sums[i] + of(r)[i]);
      least[i] = std::min(least[i], of(r)[i]);
      most[i] = std::max(most[i], of(r)[i]);
    }
  const auto with = [&](auto call) {
    auto values = of(rank);
    call(std::span(values));
    return values;
  };
  EXPECT_EQ(with([&](auto values) { all.sum(values); }), sums);
  EXPECT_EQ(with([&](auto values) { all.min(values); }), least);
  EXPECT_EQ(with([&](auto values) { all.max(values); }), most);
  EXPECT_EQ(all.sum(of(rank)[0]), sums[0]);
  EXPECT_EQ(all.min(of(rank)[0]), least[0]);
  EXPECT_EQ(all.max(of(rank)[0]), most[0]);
}

TEST_F(OfRanks, AddUpAndCompare) {
  expect_reductions<std::int32_t>(all_, rank_, size_);
  expect_reductions<std::uint32_t>(all_, rank_, size_);
  expect_reductions<std::int64_t>(all_, rank_, size_);
  expect_reductions<std::uint64_t>(all_, rank_, size_);
  expect_reductions<float>(all_, rank_, size_);
  expect_reductions<double>(all_, rank_, size_);
  EXPECT_EQ(all_.max(std::int64_t{1} << (40 + rank_)), std::int64_t{1} << (39 + size_));
  std::uint32_t bits[1] = {1u << rank_ | 1u << 31}, expected = 0;
  for (int r = 0; r < size_; ++r) expected ^= 1u << r | 1u << 31;
  all_.exclusive_or(std::span(bits));
  EXPECT_EQ(bits[0], expected);
  EXPECT_TRUE(all_.all(true));
  EXPECT_FALSE(all_.any(false));
  EXPECT_EQ(all_.all(rank_ != 0), false);
  EXPECT_EQ(all_.any(rank_ == 0), true);
}

TEST_F(OfRanks, Gather) {
  const std::vector<Odd> everywhere = all_.all_gather(odd(rank_));
  ASSERT_EQ(everywhere.size(), static_cast<std::size_t>(size_));
  for (int r = 0; r < size_; ++r) EXPECT_EQ(everywhere[static_cast<std::size_t>(r)], odd(r));
  // Rank r has r items: the first one has none.
  const std::vector<Odd> mine(static_cast<std::size_t>(rank_), odd(rank_));
  for (int root = 0; root < size_; ++root) {
    std::vector<int> counts;
    for (int r = 0; r < size_ && rank_ == root; ++r) counts.push_back(r);
    const auto all = all_.gather(std::span(mine), counts, root);
    std::vector<Odd> expected;
    for (int r = 0; r < size_ && rank_ == root; ++r) expected.insert(expected.end(), std::size_t(r), odd(r));
    EXPECT_EQ(all, expected);
  }
}

// Rank r sends s + 1 numbers to rank s, behind a gap.
TEST_F(OfRanks, SendSharesToAll) {
  std::vector<int> out, out_at, in, in_at;
  std::vector<std::int64_t> from;
  for (int s = 0; s < size_; ++s) {
    out.push_back(s + 1);
    from.push_back(-1);
    out_at.push_back(static_cast<int>(from.size()));
    for (int i = 0; i <= s; ++i) from.push_back(1000 * rank_ + 10 * s + i);
    in.push_back(rank_ + 1);
    in_at.push_back(s * (rank_ + 2));
  }
  std::vector<std::int64_t> to(static_cast<std::size_t>(size_ * (rank_ + 2)), -7);
  all_.all_to_all(from.data(), {out, out_at}, to.data(), {in, in_at});
  for (int s = 0; s < size_; ++s) {
    const auto at = static_cast<std::size_t>(in_at[static_cast<std::size_t>(s)]);
    for (int i = 0; i <= rank_; ++i) EXPECT_EQ(to[at + std::size_t(i)], 1000 * s + 10 * rank_ + i);
    EXPECT_EQ(to[at + std::size_t(rank_) + 1], -7);
  }
}

TEST_F(OfRanks, TellTheirNeighbors) {
  const std::vector<Odd> sent(3, odd(rank_));
  std::vector<Odd> got(3);
  all_.exchange(sent, next(), got, before(), 4, nothing);
  EXPECT_EQ(got, std::vector<Odd>(3, odd(before())));
  if (size_ == 1) return;
  std::vector<double> numbers(4, rank_), heard(4);
  auto receive = all_.start_receive(std::span(heard), before(), 9);
  all_.send(std::span(numbers), next(), 9, nothing);
  {
    const Waiting wait(nothing);
    while (!receive.done()) all_.progress();
  }
  EXPECT_EQ(heard, std::vector<double>(4, before()));
  if (rank_ == 0) all_.send(std::span(numbers), size_ - 1, 5, nothing);
  if (rank_ == size_ - 1) all_.receive(std::span(heard), 0, 5, nothing);
  EXPECT_EQ(heard[0], rank_ == size_ - 1 ? 0 : before());
}

TEST_F(OfRanks, GoOnMeanwhile) {
  Request barrier = all_.start_barrier();
  const int mine[2] = {rank_, -rank_};
  std::vector<int> all(2 * static_cast<std::size_t>(size_));
  Request gather = all_.start_all_gather(std::span(mine), all);
  const Waiting wait(nothing);
  while (!barrier.done() || !gather.done()) std::this_thread::yield();
  EXPECT_TRUE(barrier.done());  // and stays so
  for (int r = 0; r < size_; ++r) {
    EXPECT_EQ(all[2 * static_cast<std::size_t>(r)], r);
    EXPECT_EQ(all[2 * static_cast<std::size_t>(r) + 1], -r);
  }
}

TEST_F(OfRanks, ComeInParts) {
  const Communicator parity = all_.split(rank_ % 2, -rank_);  // in reversed order
  EXPECT_EQ(parity.size(), (size_ + 1 - rank_ % 2) / 2);
  EXPECT_EQ(parity.rank(), parity.size() - 1 - rank_ / 2);
  EXPECT_EQ(parity.broadcast(rank_), 2 * (parity.size() - 1) + rank_ % 2);
  const auto some = all_.part(rank_ > 0 || size_ == 1, -rank_);
  ASSERT_EQ(some.has_value(), rank_ > 0 || size_ == 1);
  if (some) {
    EXPECT_EQ(some->size(), std::max(1, size_ - 1));
    EXPECT_EQ(some->broadcast(rank_), size_ - 1);
  }
  EXPECT_EQ(all_.split_by_node().size(), test::ranks_of_this_node());
}

// A duplicate is another communicator, and lives as long as one of its copies.
TEST_F(OfRanks, BelongToTheirCopies) {
  Communicator kept;
  {
    const Communicator made = all_.duplicate();
    int result = 0;
    MPI_Comm_compare(made.mpi(), MPI_COMM_WORLD, &result);
    EXPECT_EQ(result, MPI_CONGRUENT);
    kept = made;
  }
  EXPECT_EQ(kept.sum(1), size_);
  kept = Communicator::alone();
  EXPECT_EQ(kept.sum(1), 1);
  EXPECT_EQ(all_.sum(1), size_);  // what is MPI's stays
}

// What others hand over is theirs to give back.
TEST_F(OfRanks, LeaveForeignOnesToOthers) {
  MPI_Comm theirs = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank_ % 2, rank_, &theirs);
  int size = 0;
  {
    const Communicator borrowed = theirs;
    size = borrowed.sum(1);
  }
  int still = 0;
  EXPECT_EQ(MPI_Comm_size(theirs, &still), MPI_SUCCESS);
  EXPECT_EQ(still, size);
  MPI_Comm_free(&theirs);
}

TEST_F(OfRanks, ArePartsOfTheWorld) {
  const Communicator half = all_.split(rank_ % 2, rank_);
  {
    const WorldPart part(half);
    EXPECT_EQ(world().size(), half.size());
    EXPECT_EQ(plaq::world_size(), half.size());
    EXPECT_EQ(whole_world().size(), size_);
  }
  EXPECT_EQ(world().size(), size_);
}

}  // namespace
}  // namespace plaq
