// Device's part of exact_product.hpp for few right-hand sides and columns: a member multiplies a row as integers of 64 bits.
#pragma once

namespace plaq {

template <int Tile>
requires(Tile < 8) class IntegerProduct<Device, Tile> {
 public:
  static PLAQ_HD std::size_t scratch_bytes(int, int slab) {
    return scratch_bytes_of<int2>(Tile * slab) + scratch_bytes_of<float>(Tile);
  }
  __device__ IntegerProduct(Team<Device>& team, int, int slab)
      : slab_(slab), numbers_(team.scratch<int2>(Tile * slab)), most_(team.scratch<float>(Tile)) {}

  // All numbers are taken at once, those of a right-hand side by a warp.
  template <class Load>
  __device__ void begin(Team<Device>&, int columns, int count, const Load& load) {
    __syncthreads();  // nobody needs any more what was there
    count_ = count;
    for (int t = warp(); t < count; t += warps()) {
      float largest = 0;
      for (int k = lane(); k < columns; k += 32) {
        const Complex<float> z = load(k, t);
        largest = larger_magnitude(z.im, larger_magnitude(z.re, largest));
      }
      // Magnitudes are ordered as integers are, NaN above all others.
      const float most = __uint_as_float(__reduce_max_sync(0xffffffffu, __float_as_uint(largest)));
      const float steps = steps_for(most);
      if (lane() == 0) most_[t] = most;
      for (int k = lane(); k < columns; k += 32) {
        const Complex<float> z = load(k, t);
        numbers_[t * slab_ + k] = {integer(to_storage<Fixed16>(z.re, steps).bits),
                                   integer(to_storage<Fixed16>(z.im, steps).bits)};
      }
    }
    __syncthreads();
  }
  template <class Load>
  __device__ void take(Team<Device>&, int, int, const Load&) {}

  // As the other one has it; a member has a row.
  template <Adjacent Which, class F>
  __device__ void multiply_rows(const StoredMatrix<Which>& matrix, int begin, int rows, int first,
                                const F& f) const {
    const int end = begin + rows < matrix.rows ? begin + rows : matrix.rows;
    for (int row = begin + lane(); row < end; row += 32) {
      long long re[Tile] = {}, im[Tile] = {};
      for (int k = 0; k < matrix.columns; k += step) {
        alignas(16) StoredComplex<Fixed16> y[step];
        load_numbers(matrix, row, k, y);
#pragma unroll
        for (int i = 0; i < step; ++i) {
          const int a = integer(y[i].re.bits), b = integer(y[i].im.bits);
#pragma unroll
          for (int t = 0; t < Tile; ++t) {
            if (t >= count_) break;
            const int2 p = numbers_[t * slab_ + first + k + i];  // 0 behind the last column
            re[t] += a * p.x - b * p.y;                          // at most 2 * 32767^2 < 2^31
            im[t] += a * p.y + b * p.x;
          }
        }
      }
#pragma unroll
      for (int t = 0; t < Tile; ++t)
        if (t < count_) f(row, t, Complex<float>{static_cast<float>(re[t]), static_cast<float>(im[t])});
    }
  }
  template <class F>
  static __device__ void for_groups(int count, const F& f) {
    IntegerProduct<Device, 8>::for_groups(count, f);
  }
  template <class F>
  static __device__ void for_group(int n, const F& f) {
    IntegerProduct<Device, 8>::for_group(n, f);
  }
  __device__ float most(int t) const { return most_[t]; }

 private:
  static constexpr int step = 8;  // columns at once, which are there up to such a multiple

  static __device__ int lane() { return static_cast<int>(threadIdx.x) & 31; }
  static __device__ int warp() { return static_cast<int>(threadIdx.x) >> 5; }
  static __device__ int warps() { return static_cast<int>(blockDim.x) >> 5; }
  static __device__ int integer(unsigned bits) { return static_cast<int>(bits) - 32768; }

  static __device__ void load_numbers(const StoredMatrix<Adjacent::columns>& m, int row, int column,
                                      StoredComplex<Fixed16> (&y)[step]) {
    const auto* from = reinterpret_cast<const uint4*>(&m.at(row, column));
    auto* to = reinterpret_cast<uint4*>(y);
    to[0] = __ldg(from);
    to[1] = __ldg(from + 1);
  }
  static __device__ void load_numbers(const StoredMatrix<Adjacent::rows>& m, int row, int column,
                                      StoredComplex<Fixed16> (&y)[step]) {
#pragma unroll
    for (int i = 0; i < step; ++i) y[i] = m.at(row, column + i < m.columns ? column + i : m.columns - 1);
  }

  int slab_, count_ = 0;
  int2* numbers_;  // [right-hand side][number]
  float* most_;
};

}  // namespace plaq
