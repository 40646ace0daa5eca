// Checks of what everything stands on: random numbers and sums.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/algebra/random.hpp"
#include "core/sums/exact_sum.hpp"
#include "jobs/selftest/selftest.hpp"

namespace plaq::jobs {

// Random123, kat_vectors: philox4x32 with 10 rounds.
CheckResult check_random_numbers(const Trial&) {
  struct Known {
    RandomStream stream;
    std::uint32_t attempt;
    std::uint32_t words[4];
  };
  constexpr Known known[] = {
      {{0, 0, 0, Purpose{0}, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{~std::uint64_t{0}, 0xffffffffffff, 0xffffffff, Purpose{0xff}, 0xf, 0xf},
       0xffffffff,
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x299f31d0a4093822, 0x08d3243f6a88, 0x13198a2e, Purpose{0xa3}, 0x5, 0x8},
       0x03707344,
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  int right = 0;
  for (const auto& k : known) {
    const Random4 found = k.stream.draw(k.attempt);
    right += std::equal(found.word, found.word + 4, k.words) ? 1 : 0;
  }
  return {right == 3, fmt::format("{} of 3 right", right)};
}

// Numbers of very different size that nearly cancel: added up in doubles, the order shows in the first digit.
CheckResult check_exact_sums(const Trial& trial) {
  constexpr int count = 4096;
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const Random4 r = RandomStream{7, static_cast<std::uint64_t>(i), 0, Purpose::test}.draw(0);
    const double x = std::ldexp(r.uniform(0) - 0.5, static_cast<int>(120 * r.uniform(1)));
    values.push_back(x);
    values.push_back(-x);
  }
  values.push_back(0.1);
  ExactSum forward, backward;
  std::for_each(values.begin(), values.end(), [&](double x) { forward.add(x); });
  std::for_each(values.rbegin(), values.rend(), [&](double x) { backward.add(x); });

  std::vector<ExactSum> shared(1);  // every rank adds some
  for (std::size_t i = static_cast<std::size_t>(trial.world.rank()); i < values.size();
       i += static_cast<std::size_t>(trial.world.size()))
    shared[0].add(values[i]);
  const double over_ranks = global_sums(trial.world, shared)[0];
  const bool passed = forward.round() == 0.1 && backward.round() == 0.1 && over_ranks == 0.1;
  return {passed, fmt::format("0.1 expected; {:g} forwards, {:g} backwards, {:g} over ranks", forward.round(),
                              backward.round(), over_ranks)};
}

}  // namespace plaq::jobs
