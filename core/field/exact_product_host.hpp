// Host's part of exact_product.hpp: plain integers, in loops that compilers make vectors of.
#pragma once

#include <algorithm>
#include <cstdint>

namespace plaq {

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
        numbers_[t * slab_ + k] = {integer(to_storage<Fixed16>(z.re, steps)),
                                   integer(to_storage<Fixed16>(z.im, steps))};
      }
    }
  }

  template <Adjacent Which>
  void add(Team<Host>&, const StoredMatrix<Which>& matrix, int from) {
    for (int row = 0; row < matrix.rows; row += lanes)
      for (int t = 0; t < count_; ++t)
        add_rows(matrix, from, taken_, row, numbers_ + t * slab_, re_ + t * rows_ + row,
                 im_ + t * rows_ + row);
  }

  template <Adjacent Which, class F>
  void multiply_rows(const StoredMatrix<Which>& matrix, int begin, int rows, int first, const F& f) const {
    for (int row = begin; row < std::min(begin + rows, matrix.rows); row += lanes)
      for (int t = 0; t < count_; ++t) {
        std::int64_t re[lanes] = {}, im[lanes] = {};
        add_rows(matrix, 0, matrix.columns, row, numbers_ + t * slab_ + first, re, im);
        for (int i = 0; i < lanes && row + i < matrix.rows; ++i)
          f(row + i, t, Complex<float>{static_cast<float>(re[i]), static_cast<float>(im[i])});
      }
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
  struct Number {
    std::int32_t re, im;
  };
  // Terms of some rows, or of some columns of one row, whose upper and lower halves are added up apart.
  struct Sums {
    std::int32_t high[lanes] = {};
    std::uint32_t low[lanes] = {};
    void add(int i, std::int32_t term) {
      high[i] += term >> 16;
      low[i] += static_cast<std::uint32_t>(term) & 0xffffu;
    }
    std::int64_t of(int i) const { return std::int64_t{high[i]} * 65536 + low[i]; }
  };

  static int padded(int rows) { return (rows + lanes - 1) / lanes * lanes; }
  static std::int32_t integer(Fixed16 s) { return static_cast<std::int32_t>(s.bits) - 32768; }
  static void add_term(Sums& re, Sums& im, int i, const StoredComplex<Fixed16>& y, const Number& p) {
    // At most 2 * 32767^2 < 2^31; what comes of NaN may overflow.
    const auto a = static_cast<std::uint32_t>(integer(y.re)), b = static_cast<std::uint32_t>(integer(y.im));
    const auto c = static_cast<std::uint32_t>(p.re), d = static_cast<std::uint32_t>(p.im);
    re.add(i, static_cast<std::int32_t>(a * c - b * d));
    im.add(i, static_cast<std::int32_t>(a * d + b * c));
  }

  // `count` columns from `from` on of `lanes` rows.
  template <Adjacent Which>
  static void add_rows(const StoredMatrix<Which>& matrix, int from, int count, int first, const Number* p,
                       std::int64_t* re_sum, std::int64_t* im_sum) {
    if constexpr (Which == Adjacent::rows) {
      Sums re, im;
      for (int k = 0; k < count; ++k) {
        const StoredComplex<Fixed16>* y = &matrix.at(first, from + k);
        for (int i = 0; i < lanes; ++i) add_term(re, im, i, y[i], p[k]);
      }
      for (int i = 0; i < lanes; ++i) {
        re_sum[i] += re.of(i);
        im_sum[i] += im.of(i);
      }
    } else {
      for (int row = first; row < std::min(first + lanes, matrix.rows); ++row) {
        Sums re, im;
        const StoredComplex<Fixed16>* y = &matrix.at(row, from);
        int k = 0;
        for (; k + lanes <= count; k += lanes)
          for (int i = 0; i < lanes; ++i) add_term(re, im, i, y[k + i], p[k + i]);
        for (; k < count; ++k) add_term(re, im, 0, y[k], p[k]);
        for (int i = 0; i < lanes; ++i) {
          re_sum[row - first] += re.of(i);
          im_sum[row - first] += im.of(i);
        }
      }
    }
  }

  int rows_, slab_, count_ = 0, taken_ = 0;
  Number* numbers_;
  std::int64_t *re_, *im_;
  float* most_;
};

}  // namespace plaq
