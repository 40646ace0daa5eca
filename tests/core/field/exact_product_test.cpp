// Exact products against sums of 64-bit integers: to the last bit, so that host and device agree.
#include "core/field/exact_product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/field/layout.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/memory.hpp"
#include "tests/core/field/exact_product_kernel.hpp"
#include "tests/support/locations.hpp"

namespace plaq {
namespace {

using Z = Complex<float>;

constexpr int teams = 3;

struct Case {
  Adjacent adjacent;
  int matrices, rows, columns, count;
};

template <class M>
struct Numbers {
  std::vector<M> matrix;  // padded
  std::vector<Z> in;
  std::size_t stride = 0, size = 0;
};

int padded(int n) {
  return (n + right_hand_side_padding - 1) / right_hand_side_padding * right_hand_side_padding;
}

template <class M>
constexpr int largest_integer = static_cast<int>(fixed_steps<M>);

void store_integer(Fixed16& to, int i) { to.bits = static_cast<std::uint16_t>(32768 + i); }
void store_integer(Fixed8& to, int i) { to.integer = static_cast<std::int8_t>(i); }

// `largest`: all numbers of the matrix are, with random signs.
template <class M>
Numbers<M> random_numbers(const Case& c, bool largest) {
  constexpr int most = largest_integer<M>;
  std::mt19937 generator(7);
  std::uniform_int_distribution<int> integer(-most, most);
  std::normal_distribution<float> normal;
  Numbers<M> numbers;
  const bool rows = c.adjacent == Adjacent::rows;
  numbers.stride = static_cast<std::size_t>(padded(rows ? c.rows : c.columns));
  numbers.size = 2 * numbers.stride * static_cast<std::size_t>(rows ? c.columns : c.rows);
  numbers.matrix.resize(static_cast<std::size_t>(teams * c.matrices) * numbers.size);
  for (M& y : numbers.matrix) {
    const int i = integer(generator);
    store_integer(y, largest ? (i < 0 ? -most : most) : i);
  }
  numbers.in.resize(static_cast<std::size_t>(teams * c.matrices * c.columns * c.count));
  for (Z& z : numbers.in) {
    const float size = std::exp(normal(generator));
    z = largest ? Z{1.0f, -1.0f} : Z{size * normal(generator), size * normal(generator)};
  }
  return numbers;
}

std::int64_t integer(float v, float most) {
  const float steps = 32767.0f / most;
  return std::llrint(static_cast<double>(v) * static_cast<double>(steps));
}

// By the formula of core/field/exact_product.hpp.
template <class M>
std::vector<Z> expected(const Case& c, const Numbers<M>& numbers) {
  std::vector<Z> out(static_cast<std::size_t>(teams * c.matrices * c.rows * c.count));
  const auto in = [&](int m, int k, int t) {
    return numbers.in[static_cast<std::size_t>((m * c.columns + k) * c.count + t)];
  };
  for (int m = 0; m < teams * c.matrices; ++m)
    for (int t = 0; t < c.count; ++t) {
      float most = 0;
      for (int k = 0; k < c.columns; ++k)
        most = std::max({most, std::abs(in(m, k, t).re), std::abs(in(m, k, t).im)});
      for (int row = 0; row < c.rows; ++row) {
        std::int64_t re = 0, im = 0;
        for (int k = 0; k < c.columns; ++k) {
          const std::size_t number =
              c.adjacent == Adjacent::rows
                  ? static_cast<std::size_t>(k) * numbers.stride + static_cast<std::size_t>(row)
                  : static_cast<std::size_t>(row) * numbers.stride + static_cast<std::size_t>(k);
          const M* y = numbers.matrix.data() + static_cast<std::size_t>(m) * numbers.size + 2 * number;
          const auto a = from_storage<std::int64_t>(y[0]), b = from_storage<std::int64_t>(y[1]);
          const std::int64_t p = integer(in(m, k, t).re, most), q = integer(in(m, k, t).im, most);
          re += a * p - b * q;
          im += a * q + b * p;
        }
        const float quantum = most * (1.0f / 32767.0f);
        out[static_cast<std::size_t>((m * c.rows + row) * c.count + t)] = {quantum * static_cast<float>(re),
                                                                           quantum * static_cast<float>(im)};
      }
    }
  return out;
}

template <class T>
Buffer to_buffer(const std::vector<T>& from, Location location) {
  Buffer buffer(location, from.size() * sizeof(T));
  copy_bytes(buffer.data(), location, from.data(), Location::host, buffer.bytes());
  return buffer;
}

template <class M>
std::vector<Z> found(const Case& c, const Numbers<M>& numbers, Location where, int team_size, int tile) {
  const Buffer matrix = to_buffer(numbers.matrix, where), in = to_buffer(numbers.in, where);
  std::vector<Z> result(static_cast<std::size_t>(teams * c.matrices * c.rows * c.count));
  const Buffer out(where, result.size() * sizeof(Z));
  const test::ExactTask<M> task{matrix.as<M>(), numbers.stride, numbers.size, c.adjacent, c.matrices,
                                c.rows,         c.columns,      c.count,      in.as<Z>(), out.as<Z>()};
  const Queue queue(where);
  dispatch(where, Precision::single_precision, [&]<class Kind>(Kind) {
    test::launch_exact_products<typename Kind::target>(task, teams, team_size, tile, queue);
  });
  queue.synchronize();
  copy_bytes(result.data(), Location::host, out.data(), where, out.bytes());
  return result;
}

bool same(const std::vector<Z>& a, const std::vector<Z>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Z& x, const Z& y) {
           return x.re == y.re && x.im == y.im;
         });
}

template <class M>
void expect_exact(const Case& c, bool largest = false) {
  const Numbers<M> numbers = random_numbers<M>(c, largest);
  const std::vector<Z> all = expected(c, numbers);
  for (const Location where : test::locations())
    for (const int team_size : {32, 96, 192, 256})
      for (const int tile : {4, 8, 12, 16}) {
        const bool host = where == Location::host;
        if (c.count > tile || (host && (team_size > 32 || tile > 4))) continue;
        EXPECT_TRUE(same(found(c, numbers, where, team_size, tile), all))
            << 8 * sizeof(M) << " bits, " << c.rows << 'x' << c.columns << ", " << c.count
            << " right-hand sides, " << (c.adjacent == Adjacent::rows ? "rows" : "columns") << " by "
            << team_size << " for " << tile << " on the " << name_of(where);
      }
}

TEST(ExactProduct, HasTheBitsOfIntegers) {
  for (const Adjacent adjacent : {Adjacent::rows, Adjacent::columns})
    for (const auto& [rows, columns] : {std::pair{1, 1},
                                        {8, 24},
                                        {24, 31},
                                        {48, 48},
                                        {50, 33},
                                        {192, 64},
                                        {7, 100},
                                        {24, most_exact_columns}})
      for (const int count : {1, 3, 4, 5, 12, 16}) {
        expect_exact<Fixed16>({adjacent, 3, rows, columns, count});
        expect_exact<Fixed8>({adjacent, 3, rows, columns, count});
      }
}

// No sum of 32 bits overflows, and what is rounded of the largest sums is rounded once.
TEST(ExactProduct, HoldsTheLargestNumbers) {
  for (const Adjacent adjacent : {Adjacent::rows, Adjacent::columns}) {
    expect_exact<Fixed16>({adjacent, 1, 2, most_exact_columns, 2}, true);
    expect_exact<Fixed8>({adjacent, 1, 2, most_exact_columns, 2}, true);
  }
}

template <class M>
void expect_nothing_of_no_numbers() {
  const Case c{Adjacent::rows, 1, 8, 40, 3};
  Numbers<M> numbers = random_numbers<M>(c, false);
  for (std::size_t k = 0; k < numbers.in.size(); k += 3) numbers.in[k] = {0, 0};  // of right-hand side 0
  numbers.in[4].im = std::numeric_limits<float>::quiet_NaN();  // of right-hand side 1 of team 0
  const std::vector<Z> all = expected(c, numbers);
  for (const Location where : test::locations()) {
    const std::vector<Z> out = found(c, numbers, where, 96, 8);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const bool first_team = i < static_cast<std::size_t>(8 * 3);
      if (i % 3 == 0) {
        EXPECT_EQ(out[i].re, 0);
      } else if (i % 3 == 1 && first_team) {
        EXPECT_TRUE(std::isnan(out[i].re) && std::isnan(out[i].im));
      } else {
        EXPECT_EQ(out[i].re, all[i].re);
      }
    }
  }
}

TEST(ExactProduct, LeavesNothingOfNoNumbersAndNoNumberOfOthers) {
  expect_nothing_of_no_numbers<Fixed16>();
  expect_nothing_of_no_numbers<Fixed8>();
}

}  // namespace
}  // namespace plaq
