// Texts of ranks on their way to the first rank.
#include "comms/communicator/collective.hpp"

#include <bit>

#include "comms/communicator/joined_texts.hpp"

#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::world_rank;
using test::world_size;

// Texts have uneven lengths; the first is empty, some have a zero byte.
std::string text_of_rank(int rank) {
  return std::string(static_cast<std::size_t>(rank * 1000), static_cast<char>('a' + rank)) +
         std::string(static_cast<std::size_t>(rank % 2), '\0');
}

TEST(Collective, TextsAreGatheredInTheOrderOfRanks) {
  const auto texts = gather(MPI_COMM_WORLD, text_of_rank(world_rank()));
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(world_rank() == 0 ? world_size() : 0));
  for (std::size_t r = 0; r < texts.size(); ++r) EXPECT_EQ(texts[r], text_of_rank(static_cast<int>(r)));
}

// A part of the world for each size, so that sizes between powers of two are tried.
TEST(Collective, TextsAreJoinedInTheOrderOfRanksByFewRanksEach) {
  for (int size = 1; size <= world_size(); ++size) {
    const auto part = Communicator(MPI_COMM_WORLD).part(world_rank() < size);
    if (!part) continue;
    int joins = 0;
    const std::string all =
        joined_texts(*part, text_of_rank(part->rank()), [&](const auto& lower, const auto& higher) {
          ++joins;
          return lower + higher;
        });
    std::string expected;
    for (int r = 0; part->rank() == 0 && r < size; ++r) expected += text_of_rank(r);
    EXPECT_EQ(all, expected);
    // Each join is a text that came from another rank.
    const int most = std::bit_width(static_cast<unsigned>(size - 1));
    if (part->rank() == 0)
      EXPECT_EQ(joins, most);
    else
      EXPECT_LE(joins, std::countr_zero(static_cast<unsigned>(part->rank())));
    EXPECT_EQ(part->sum(joins), size - 1);  // each text travels once
  }
}

TEST(Collective, TextsAreJoinedOnOneRankWithoutMpi) {
  EXPECT_EQ(joined_texts(Communicator::alone(), "words", [](const auto&, const auto&) { return "none"; }),
            "words");
}

}  // namespace
}  // namespace plaq
