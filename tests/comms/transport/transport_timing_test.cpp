// The fastest transport for each size is found, and is the same on all ranks.
#include "comms/transport/transport_trials.hpp"

#include "tests/comms/transport/garbling.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

double made_up_seconds = 0;  // what the clock of this rank says

// Host transport that is late by that clock: on one rank alone, which all others must come to know.
class Late final : public test::Forwarding {
 public:
  using Delay = std::function<double(std::size_t bytes)>;  // seconds
  Late(const ProcessGrid& grid, int rank, Delay delay)
      : Forwarding("late", make_host_transport(grid, Location::host)),
        mine_(grid.rank() == rank),
        delay_(std::move(delay)) {}

 private:
  void finished(Exchange&, const std::vector<FaceMessage>& messages, std::size_t, int) override {
    made_up_seconds += 1e-5 + (mine_ ? delay_(messages.empty() ? 0 : messages[0].bytes) : 0);
  }
  bool mine_;
  Delay delay_;
};

class Timing : public testing::Test {
 protected:
  std::shared_ptr<Transport> late(double below, double above) const {
    return std::make_shared<Late>(grid_, grid_.size() - 1, [=](std::size_t bytes) {
      return bytes < (std::size_t{256} << 10) ? below : above;
    });
  }
  IndexBySize fastest(const std::vector<std::shared_ptr<Transport>>& transports,
                      const std::function<bool(int, int)>& between) const {
    return fastest_by_size(grid_, Location::host, transports, between, [] { return made_up_seconds; });
  }
  static bool everyone(int, int) { return true; }
  const ProcessGrid grid_{MPI_COMM_WORLD, test::line_of_ranks()};
};

TEST_F(Timing, TheFastestForEachSize) {
  const auto found = fastest({late(0, 4e-3), late(6e-4, 0)}, everyone);
  const auto name = [](std::size_t index) {
    return index == 0 ? std::string("first") : std::string("second");
  };
  if (grid_.size() == 1) {  // nobody to send to
    EXPECT_EQ(found.text(name), "first");
    return;
  }
  EXPECT_EQ(found.text(name), "first up to 256 KiB, second above");
  EXPECT_EQ(found.at(0), 0u);
  EXPECT_EQ(found.at(100000), 0u);
  EXPECT_EQ(found.at(std::size_t{1} << 20), 1u);
  EXPECT_EQ(found.at(std::size_t{1} << 40), 1u);
}

TEST_F(Timing, TheFirstWhereNoneIsFasterByMuch) {
  const auto found = fastest({late(1e-3, 4e-3), late(9.2e-4, 3.7e-3)}, everyone);
  for (const std::size_t bytes : trial_message_bytes()) EXPECT_EQ(found.at(bytes), 0u);
}

TEST_F(Timing, OfPairsThatAreMeantAlone) {
  const auto found = fastest({late(2e-3, 2e-3), late(0, 0)}, [](int from, int to) { return from + to == 1; });
  // With three ranks the late one is not among them.
  EXPECT_EQ(found.at(4096), grid_.size() == 2 ? 1u : 0u);
  const auto none = fastest({late(2e-3, 2e-3), late(0, 0)}, [](int, int) { return false; });
  EXPECT_EQ(none.at(4096), 0u);
}

TEST(IndexBySize, JoinsNeighboursThatAreAlike) {
  const IndexBySize found({1 << 10, 4 << 10, 16 << 10, 64 << 10}, {2, 2, 0, 2});
  EXPECT_EQ(found.at(1), 2u);
  EXPECT_EQ(found.at(8 << 10), 2u);
  EXPECT_EQ(found.at((8 << 10) + 1), 0u);
  EXPECT_EQ(found.at(32 << 10), 0u);
  EXPECT_EQ(found.at(1 << 20), 2u);
  EXPECT_EQ(found.text([](std::size_t i) { return std::string(1, static_cast<char>('a' + i)); }),
            "c up to 8 KiB, a up to 32 KiB, c above");
  EXPECT_EQ(IndexBySize(3).at(77), 3u);
}

}  // namespace
}  // namespace plaq
