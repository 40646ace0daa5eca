// Host's part of exact_product.hpp: pairs of 16-bit integers, eight rows in a vector.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace plaq {
namespace detail {

// Eight complex numbers of 16-bit integers, or eight 32-bit integers.
typedef std::uint32_t Eight __attribute__((vector_size(32)));
typedef std::int32_t SignedEight __attribute__((vector_size(32)));

// re(y) lower + im(y) upper half of `pair`: at most 2 * 32767^2 < 2^31; what comes of NaN may overflow.
inline Eight pair_products(Eight y, std::uint32_t pair) {
#if defined(__AVX2__)
  return (Eight)_mm256_madd_epi16((__m256i)y, _mm256_set1_epi32(static_cast<int>(pair)));
#else
  const Eight re = (Eight)((SignedEight)(y << 16) >> 16), im = (Eight)((SignedEight)y >> 16);
  const auto low = static_cast<std::uint32_t>(static_cast<std::int16_t>(pair)),
             high = static_cast<std::uint32_t>(static_cast<std::int32_t>(pair) >> 16);
  return re * low + im * high;
#endif
}

}  // namespace detail

template <int Tile>
class IntegerProduct<Host, Tile> {
 public:
  static std::size_t scratch_bytes(int rows, int slab) {
    return scratch_bytes_of<Number>(Tile * slab) + 2 * scratch_bytes_of<std::int64_t>(Tile * padded(rows)) +
           scratch_bytes_of<float>(Tile);
  }
  IntegerProduct(Team<Host>& team, int rows, int slab)
      : rows_(padded(rows)),
        slab_(slab),
        numbers_(team.scratch<Number>(Tile * slab)),
        re_(team.scratch<std::int64_t>(Tile * rows_)),
        im_(team.scratch<std::int64_t>(Tile * rows_)),
        most_(team.scratch<float>(Tile)) {}

  // Sums are 0; finds the largest number of each right-hand side.
  template <class Load>
  void begin(Team<Host>&, int columns, int count, const Load& load) {
    std::fill_n(re_, Tile * rows_, 0);
    std::fill_n(im_, Tile * rows_, 0);
    count_ = count;
    for (int t = 0; t < count; ++t) {
      float most = 0;
      for (int k = 0; k < columns; ++k) {
        const Complex<float> z = load(k, t);
        most = larger_magnitude(z.im, larger_magnitude(z.re, most));
      }
      most_[t] = most;
    }
  }

  template <class Load>
  void take(Team<Host>&, int from, int columns, const Load& load) {
    taken_ = std::min(slab_, columns - from);
    for (int t = 0; t < count_; ++t) {
      const float steps = steps_for(most_[t]);
      for (int k = 0; k < taken_; ++k) {
        const Complex<float> z = load(from + k, t);
        const std::uint32_t re = integer(to_storage<Fixed16>(z.re, steps)),
                            im = integer(to_storage<Fixed16>(z.im, steps));
        numbers_[t * slab_ + k] = {(re & low) | (0u - im) << 16, (im & low) | re << 16};
      }
    }
  }

  template <Adjacent Which>
  void add(Team<Host>&, const StoredMatrix<Which>& matrix, int from) {
    for (int row = 0; row < matrix.rows; row += lanes)
      each_sum(matrix, from, taken_, row, 0, [&](int t, const std::int64_t* re, const std::int64_t* im) {
        for (int i = 0; i < lanes; ++i) {
          re_[t * rows_ + row + i] += re[i];
          im_[t * rows_ + row + i] += im[i];
        }
      });
  }

  template <Adjacent Which, class F>
  void multiply_rows(const StoredMatrix<Which>& matrix, int begin, int rows, int first, const F& f) const {
    for (int row = begin; row < std::min(begin + rows, matrix.rows); row += lanes)
      each_sum(matrix, 0, matrix.columns, row, first,
               [&](int t, const std::int64_t* re, const std::int64_t* im) {
                 for (int i = 0; i < lanes && row + i < matrix.rows; ++i)
                   f(row + i, t, Complex<float>{static_cast<float>(re[i]), static_cast<float>(im[i])});
               });
  }
  template <class F>
  static void for_groups(int count, const F& f) {
    for (int group = 0; group < count; ++group) f(group);
  }
  template <class F>
  static void for_group(int n, const F& f) {
    for (int i = 0; i < n; ++i) f(i);
  }

  float most(int t) const { return most_[t]; }
  Complex<float> sum(int row, int t) const {
    return {static_cast<float>(re_[t * rows_ + row]), static_cast<float>(im_[t * rows_ + row])};
  }

 private:
  static constexpr int lanes = 8;
  static constexpr std::uint32_t low = 0xffffu;
  using Eight = detail::Eight;
  // What pair_products() makes the real and the imaginary part of a product of: re, -im; im, re.
  struct Number {
    std::uint32_t for_re, for_im;
  };
  // Terms of eight rows, whose upper and lower halves are added up apart.
  struct Sums {
    Eight high = {}, low = {};
    void add(Eight term) {
      high += (Eight)((detail::SignedEight)term >> 16);
      low += term & IntegerProduct::low;
    }
    void store(std::int64_t* to) const {
      for (int i = 0; i < lanes; ++i)
        to[i] = std::int64_t{static_cast<std::int32_t>(high[i])} * 65536 + low[i];
    }
  };

  static int padded(int rows) { return (rows + lanes - 1) / lanes * lanes; }
  static std::uint32_t integer(Fixed16 s) { return static_cast<std::uint32_t>(s.bits) - 32768u; }

  // f(t, re, im): sums of `lanes` rows over `count` columns from `from` on, which multiply the numbers from `first` on that
  // were taken.
  template <Adjacent Which, class F>
  void each_sum(const StoredMatrix<Which>& matrix, int from, int count, int row, int first,
                const F& f) const {
    alignas(32) std::uint32_t columns[Which == Adjacent::rows ? 1 : most_slab_columns][lanes];
    if constexpr (Which == Adjacent::columns)
      for (int i = 0; i < lanes; ++i) {
        const auto* y = &matrix.at(std::min(row + i, matrix.rows - 1), from);
        for (int k = 0; k < count; ++k) std::memcpy(&columns[k][i], y + k, sizeof(std::uint32_t));
      }
    const auto column = [&](int k) {
      Eight y;
      if constexpr (Which == Adjacent::rows)
        std::memcpy(&y, &matrix.at(row, from + k), sizeof(y));
      else
        std::memcpy(&y, columns[k], sizeof(y));
      return y ^ 0x80008000u;  // without the offset of what is stored
    };
    int t = 0;
    for (; t + 2 <= count_; t += 2) sum_of<2>(column, count, t, first, f);
    if (t < count_) sum_of<1>(column, count, t, first, f);
  }
  template <int Together, class Column, class F>
  void sum_of(const Column& column, int count, int t, int first, const F& f) const {
    Sums re[Together], im[Together];
    const Number* p = numbers_ + t * slab_ + first;
    for (int k = 0; k < count; ++k) {
      const Eight y = column(k);
      for (int j = 0; j < Together; ++j) {
        re[j].add(detail::pair_products(y, p[j * slab_ + k].for_re));
        im[j].add(detail::pair_products(y, p[j * slab_ + k].for_im));
      }
    }
    for (int j = 0; j < Together; ++j) {
      std::int64_t re_sum[lanes], im_sum[lanes];
      re[j].store(re_sum);
      im[j].store(im_sum);
      f(t + j, re_sum, im_sum);
    }
  }

  int rows_, slab_, count_ = 0, taken_ = 0;
  Number* numbers_;
  std::int64_t *re_, *im_;
  float* most_;
};

}  // namespace plaq
