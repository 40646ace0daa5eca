// Teams: the same bits for every team size and on both machines, as a plain evaluation of the documented tree
// has them.
#include "core/launch/team.hpp"

#include "core/launch/dispatch.hpp"
#include "core/system/memory.hpp"
#include "tests/core/launch/team_kernel.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/locations.hpp"

namespace plaq {
namespace {

using test::locations;

// Terms i, i + 256, ... in order; then result k takes k + half, for half = the largest power of two below,
// ..., 1.
template <class T>
T tree_sum(const std::vector<T>& terms) {
  const std::size_t n = terms.size();
  if (n == 0) return 0;
  std::vector<T> part(terms.begin(),
                      terms.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, 256)));
  for (std::size_t i = 256; i < n; ++i) part[i % 256] = part[i % 256] + terms[i];
  for (std::size_t half = 128; half > 0; half /= 2)
    for (std::size_t k = half; k < std::min(part.size(), 2 * half); ++k)
      part[k - half] = part[k - half] + part[k];
  return part[0];
}

template <class T>
std::vector<T> random_numbers(std::size_t n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<T> numbers(n);
  for (T& x : numbers) {
    const double u = static_cast<double>(generator() >> 11) * 0x1p-53 - 0.5;
    x = static_cast<T>(u * std::exp2(static_cast<int>(generator() % 20)));  // so that another order shows
  }
  return numbers;
}

template <class T>
Buffer to_buffer(const std::vector<T>& from, Location location) {
  Buffer buffer(location, from.size() * sizeof(T));
  copy_bytes(buffer.data(), location, from.data(), Location::host, buffer.bytes());
  return buffer;
}
template <class T>
std::vector<T> from_buffer(const Buffer& buffer) {
  std::vector<T> to(buffer.bytes() / sizeof(T));
  copy_bytes(to.data(), Location::host, buffer.data(), buffer.location(), buffer.bytes());
  return to;
}

// Calls launch(Target()) for the queue's target, and waits.
template <class T, class Launch>
void on_target(const Queue& queue, Launch&& launch) {
  dispatch(queue.location(), precision_of<T>, [&](auto kind) {
    using K = decltype(kind);
    if constexpr (std::is_same_v<typename K::scalar, T>) launch(typename K::target());
  });
  queue.synchronize();
}

template <class T>
void expect_sums(int n, int team_size, std::size_t scratch, Location location) {
  constexpr int teams = 7;
  const auto terms = random_numbers<T>(static_cast<std::size_t>(teams * n), 3);
  const Buffer term = to_buffer(terms, location), sums(location, teams * sizeof(T));
  const Queue queue(location);
  on_target<T>(queue, [&](auto target) {
    test::launch_team_sums<decltype(target), T>(n, term.as<T>(), sums.as<T>(), {teams, team_size, scratch},
                                                queue);
  });
  const auto got = from_buffer<T>(sums);
  for (int b = 0; b < teams; ++b)
    EXPECT_EQ(got[b], tree_sum(std::vector<T>(terms.begin() + b * n, terms.begin() + (b + 1) * n)))
        << "n " << n << " team " << b << " of " << team_size << " on the " << name_of(location);
}

TEST(Team, SumsFollowTheTreeForEveryLengthAndTeamSize) {
  for (const Location location : locations()) {
    for (const int n :
         {1, 2, 3, 5, 31, 32, 33, 48, 63, 64, 65, 127, 128, 129, 200, 255, 256, 257, 511, 1000}) {
      for (const int size : {32, 64, 96, 128, 256, 1024}) {
        expect_sums<double>(n, size, sum_scratch_bytes_of<double>(n), location);
        expect_sums<float>(n, size, sum_scratch_bytes_of<float>(n), location);
      }
    }
  }
}

TEST(Team, ScratchBeyond48KiB) {
  for (const Location location : locations()) expect_sums<double>(300, 128, 100 * 1024, location);
}

template <class T>
void expect_blocks(int rows, int columns, int teams, int team_size, Location location) {
  const auto count = static_cast<std::size_t>(teams);
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  const auto matrix = random_numbers<T>(count * r * c, 1), in = random_numbers<T>(count * c, 2);
  const Buffer m = to_buffer(matrix, location), v = to_buffer(in, location);
  const Buffer out(location, count * r * sizeof(T)), norm(location, count * sizeof(T));
  const std::size_t scratch = scratch_bytes_of<char>(3) + scratch_bytes_of<T>(columns) +
                              scratch_bytes_of<T>(rows) + sum_scratch_bytes_of<T>(std::max(rows, columns));
  const Queue queue(location);
  on_target<T>(queue, [&](auto target) {
    test::launch_team_blocks<decltype(target), T>(
        {rows, columns, m.as<T>(), v.as<T>(), out.as<T>(), norm.as<T>()}, {teams, team_size, scratch}, queue);
  });
  const auto outs = from_buffer<T>(out), norms = from_buffer<T>(norm);
  for (std::size_t b = 0; b < count; ++b) {
    std::vector<T> square(r), twice(r);
    for (std::size_t row = 0; row < r; ++row) {
      std::vector<T> terms(c);
      for (std::size_t i = 0; i < c; ++i) terms[i] = matrix[(b * r + row) * c + i] * in[b * c + i];
      const T sum = tree_sum(terms);
      EXPECT_EQ(outs[b * r + row], sum) << "block " << b << " row " << row << " by " << team_size;
      square[row] = sum * sum;
      twice[row] = T(2) * sum * sum;
    }
    EXPECT_EQ(norms[b], tree_sum(square) + tree_sum(twice)) << "block " << b << " by " << team_size;
  }
}

TEST(Team, DenseBlocksHaveTheSameBitsForEveryTeamSize) {
  for (const Location location : locations()) {
    for (const int size : {32, 64, 128, 256}) {
      expect_blocks<double>(48, 48, 40, size, location);
      expect_blocks<float>(48, 48, 40, size, location);
      expect_blocks<double>(5, 301, 3, size, location);
      expect_blocks<float>(1, 1, 1, size, location);
    }
  }
}

TEST(Team, NoTeamsIsNoWork) {
  test::launch_team_sums<Host, double>(3, nullptr, nullptr, {0, 128, 64}, Queue(Location::host));
}

TEST(Team, SaysWhenScratchOrSizeAreWrong) {
  const Queue queue(Location::host);
  const std::vector<double> term(80);
  std::vector<double> sums(8);
  const auto said = [&](const TeamDomain& teams) {
    return test::message_of(ErrorKind::internal, [&] {
      test::launch_team_sums<Host, double>(10, term.data(), sums.data(), teams, queue);
    });
  };
  EXPECT_EQ(said({8, 128, 80}), "");
  for (const int given : {79, 0})
    EXPECT_EQ(said({8, 128, static_cast<std::size_t>(given)}),
              "internal error: a team needs at least 80 bytes of scratch memory, its launch gave it " +
                  std::to_string(given));
  for (const int size : {0, 31, 100, 1056})
    EXPECT_EQ(said({8, size, 80}), "internal error: a team of " + std::to_string(size) +
                                       " threads, but it takes a multiple of 32 of at most 1024");
}

}  // namespace
}  // namespace plaq
