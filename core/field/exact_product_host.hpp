// Host's part of exact_product.hpp: pairs of 16-bit integers, eight rows in a
// vector; those of 8 bits become such.
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

// re, im as the halves of a word.
inline std::uint32_t pair_of(const StoredComplex<Fixed16>& z) {
  std::uint32_t both;
  std::memcpy(&both, &z, sizeof(both));
  return both ^ 0x80008000u;  // without the offset of what is stored
}
inline std::uint32_t pair_of(const StoredComplex<Fixed8>& z) {
  return (static_cast<std::uint32_t>(z.re.integer) & 0xffffu) | static_cast<std::uint32_t>(z.im.integer)
                                                                    << 16;
}
inline Eight eight_pairs(const StoredComplex<Fixed16>* from) {
  Eight y;
  std::memcpy(&y, from, sizeof(y));
  return y ^ 0x80008000u;
}
inline Eight eight_pairs(const StoredComplex<Fixed8>* from) {
  typedef std::int8_t Bytes __attribute__((vector_size(16)));
  typedef std::int16_t Integers __attribute__((vector_size(32)));
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  return (Eight) __builtin_convertvector(bytes, Integers);
}

}  // namespace detail

template <int Tile>
class ExactProduct<Host, Tile> {
 public:
  static std::size_t scratch_bytes(int slabs, int columns) {
    return scratch_bytes_of<Number>(slabs * Tile * columns) + scratch_bytes_of<float>(slabs * Tile);
  }
  ExactProduct(Team<Host>& team, int slabs, int columns, int count)
      : columns_(columns),
        count_(count),
        numbers_(team.scratch<Number>(slabs * Tile * columns)),
        most_(team.scratch<float>(slabs * Tile)) {}

  template <class At, class Load>
  void take(int slab, int columns, const At& at, const Load& load) {
    Complex<float> z[most_exact_columns];
    for (int t = 0; t < count_; ++t) {
      float most = 0;
      for (int k = 0; k < columns; ++k) {
        z[k] = load(at(k), t);
        most = larger_magnitude(z[k].im, larger_magnitude(z[k].re, most));
      }
      most_[slab * Tile + t] = most;
      const float steps = steps_for(most);
      Number* to = numbers_of(slab, t);
      for (int k = 0; k < columns; ++k) {
        const std::uint32_t re = integer(to_storage<Fixed16>(z[k].re, steps)),
                            im = integer(to_storage<Fixed16>(z[k].im, steps));
        to[k] = {(re & low) | (0u - im) << 16, (im & low) | re << 16};
      }
    }
  }

  template <Adjacent Which, class M, class F>
  void multiply(int slab, const StoredMatrix<Which, M>& matrix, int first, int rows, const F& f) const {
    for (int row = first; row < std::min(first + rows, matrix.rows); row += lanes)
      each_sum(slab, matrix, row, [&](int t, const std::int64_t* re, const std::int64_t* im) {
        const float quantum = most_[slab * Tile + t] * (1.0f / fixed16_steps);
        for (int i = 0; i < lanes && row + i < matrix.rows; ++i)
          f(row + i, t,
            Complex<float>{quantum * static_cast<float>(re[i]), quantum * static_cast<float>(im[i])});
      });
  }

 private:
  static constexpr int lanes = 8;
  static constexpr std::uint32_t low = 0xffffu;
  using Eight = detail::Eight;
  // Pairs of which pair_products() makes the real and the imaginary part of a product: re, -im; im, re.
  struct Number {
    std::uint32_t for_re, for_im;
  };
  // Terms of eight rows, whose upper and lower halves are added up apart.
  struct Sums {
    Eight high = {}, low = {};
    void add(Eight term) {
      high += (Eight)((detail::SignedEight)term >> 16);
      low += term & ExactProduct::low;
    }
    void store(std::int64_t* to) const {
      for (int i = 0; i < lanes; ++i)
        to[i] = std::int64_t{static_cast<std::int32_t>(high[i])} * 65536 + low[i];
    }
  };

  static std::uint32_t integer(Fixed16 s) { return static_cast<std::uint32_t>(s.bits) - 32768u; }
  Number* numbers_of(int slab, int t) const { return numbers_ + (slab * Tile + t) * columns_; }

  // f(t, re, im): sums of `lanes` rows.
  template <Adjacent Which, class M, class F>
  void each_sum(int slab, const StoredMatrix<Which, M>& matrix, int row, const F& f) const {
    alignas(32) std::uint32_t columns[Which == Adjacent::rows ? 1 : most_exact_columns][lanes];
    if constexpr (Which == Adjacent::columns)
      for (int i = 0; i < lanes; ++i) {
        const auto* y = &matrix.at(std::min(row + i, matrix.rows - 1), 0);
        for (int k = 0; k < matrix.columns; ++k) columns[k][i] = detail::pair_of(y[k]);
      }
    const auto column = [&](int k) {
      if constexpr (Which == Adjacent::rows) {
        return detail::eight_pairs(&matrix.at(row, k));
      } else {
        Eight y;
        std::memcpy(&y, columns[k], sizeof(y));
        return y;
      }
    };
    int t = 0;
    for (; t + 2 <= count_; t += 2) sum_of<2>(slab, column, matrix.columns, t, f);
    if (t < count_) sum_of<1>(slab, column, matrix.columns, t, f);
  }
  template <int Together, class Column, class F>
  void sum_of(int slab, const Column& column, int count, int t, const F& f) const {
    Sums re[Together], im[Together];
    const Number* p = numbers_of(slab, t);
    for (int k = 0; k < count; ++k) {
      const Eight y = column(k);
      for (int j = 0; j < Together; ++j) {
        re[j].add(detail::pair_products(y, p[j * columns_ + k].for_re));
        im[j].add(detail::pair_products(y, p[j * columns_ + k].for_im));
      }
    }
    for (int j = 0; j < Together; ++j) {
      std::int64_t re_sum[lanes], im_sum[lanes];
      re[j].store(re_sum);
      im[j].store(im_sum);
      f(t + j, re_sum, im_sum);
    }
  }

  int columns_, count_;
  Number* numbers_;  // [slab][right-hand side][column]
  float* most_;      // [slab][right-hand side]
};

}  // namespace plaq
