// Device's part of exact_product.hpp: matrix units multiply bytes. An integer is 256 high + low, high with a sign and low
// without one.
//
// A warp takes 16 rows and 32 columns of the matrix at once, and all right-hand sides, eight for an instruction. Its member
// 4 g + q has two rows, and of these columns 4 q + 0..3 and 16 + 4 q + 0..3 (PTX ISA, mma.m16n8k32 of integers).
#pragma once

namespace plaq {
namespace detail {

template <bool SignedA, bool SignedB>
__device__ __forceinline__ void multiply_bytes(int (&sum)[4], const unsigned (&a)[4],
                                               const unsigned (&b)[2]) {
  if constexpr (SignedA && SignedB)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (SignedA)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (SignedB)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

}  // namespace detail

template <int Tile>
requires(Tile % 8 == 0) class IntegerProduct<Device, Tile> {
 public:
  static PLAQ_HD std::size_t scratch_bytes(int rows, int slab) {
    return scratch_bytes_of<unsigned>(vector_parts * Tile * line_words(slab)) +
           scratch_bytes_of<int>(sum_parts * Tile * padded(rows)) + scratch_bytes_of<float>(Tile);
  }
  __device__ IntegerProduct(Team<Device>& team, int rows, int slab)
      : rows_(padded(rows)),
        slab_(slab),
        words_(line_words(slab)),
        bytes_(team.scratch<unsigned>(vector_parts * Tile * words_)),
        sums_(team.scratch<int>(sum_parts * Tile * rows_)),
        most_(team.scratch<float>(Tile)) {}

  // Sums are 0; finds the largest number of each right-hand side. Where members can hold all numbers they are taken, too.
  template <class Load>
  __device__ void begin(Team<Device>&, int columns, int count, const Load& load) {
    __syncthreads();  // nobody needs any more what was there
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    for (int i = thread; i < sum_parts * Tile * rows_; i += threads) sums_[i] = 0;
    if (thread < Tile) most_[thread] = 0;
    __syncthreads();
    count_ = count;
    taken_ = columns <= slab_ && count * chunks_of(columns) <= held * warps() ? columns : 0;
    Complex<float> z[held];
    for (Unit unit(columns); unit.t < count;) {
      const Unit first = unit;
      load_units(unit, 0, columns, load, z);
      unit = first;
#pragma unroll
      for (int i = 0; i < held; ++i, unit.next()) {
        // Magnitudes are ordered as integers are, NaN above all others.
        const unsigned most = __reduce_max_sync(
            0xffffffffu, __float_as_uint(larger_magnitude(z[i].im, larger_magnitude(z[i].re, 0.0f))));
        if (lane() == 0 && unit.t < count) atomicMax(reinterpret_cast<unsigned*>(most_ + unit.t), most);
      }
    }
    __syncthreads();
    if (taken_ > 0) {
      Unit unit(columns);
      store_units(unit, z);
      __syncthreads();
    }
  }

  template <class Load>
  __device__ void take(Team<Device>&, int from, int columns, const Load& load) {
    if (from == 0 && taken_ == columns) return;
    const int rest = columns - from;
    taken_ = rest < slab_ ? rest : slab_;
    Complex<float> z[held];
    for (Unit unit(taken_); unit.t < count_;) {
      Unit first = unit;
      load_units(unit, from, taken_, load, z);
      store_units(first, z);
    }
    __syncthreads();
  }

  template <Adjacent Which>
  __device__ void add(Team<Device>&, const StoredMatrix<Which>& matrix, int from) {
    const int tiles = (matrix.rows + 15) / 16, chunks = (taken_ + 31) / 32;
    const int groups = warps() > tiles ? warps() / tiles : 1;  // warps that share rows
    for (int unit = warp(); unit < tiles * groups; unit += warps()) {
      const int tile = unit % tiles;
      int sum[Tile / 8][2][3][4] = {};
      for (int chunk = unit / tiles; chunk < chunks; chunk += groups)
        multiply_chunk(matrix, 16 * tile, from, 32 * chunk, chunk, sum);
      each_sum<Which>(16 * tile, sum, [&](int row, int t, const int(&parts)[2][3]) {
#pragma unroll
        for (int part = 0; part < sum_parts; ++part) atomicAdd(at(part, row, t), parts[part / 3][part % 3]);
      });
    }
    __syncthreads();
  }

  // f(row, t, sum) for `rows` rows of a matrix from `begin` on, multiples of 16, by a warp. The matrix multiplies the numbers
  // from `first` on, a multiple of 32, of those that were taken.
  template <Adjacent Which, class F>
  __device__ void multiply_rows(const StoredMatrix<Which>& matrix, int begin, int rows, int first,
                                const F& f) const {
    for (int row = begin; row < begin + rows; row += 16) {
      int sum[Tile / 8][2][3][4] = {};
      for (int chunk = 0; chunk < chunks_of(matrix.columns); ++chunk)
        multiply_chunk(matrix, row, 0, 32 * chunk, first / 32 + chunk, sum);
      each_sum<Which>(row, sum, [&](int at, int t, const int(&parts)[2][3]) {
        if (at < matrix.rows) f(at, t, Complex<float>{number(parts[0]), number(parts[1])});
      });
    }
  }
  // By a warp each; then all wait for all.
  template <class F>
  static __device__ void for_groups(int count, const F& f) {
    for (int group = warp(); group < count; group += warps()) f(group);
    __syncthreads();
  }
  template <class F>
  static __device__ void for_group(int n, const F& f) {
    __syncwarp();
    for (int i = lane(); i < n; i += 32) f(i);
    __syncwarp();
  }

  __device__ float most(int t) const { return most_[t]; }
  __device__ Complex<float> sum(int row, int t) const {
    const int re[3] = {*at(0, row, t), *at(1, row, t), *at(2, row, t)},
              im[3] = {*at(3, row, t), *at(4, row, t), *at(5, row, t)};
    return {number(re), number(im)};
  }

 private:
  static constexpr unsigned zero = 32768;  // as it is stored
  static constexpr int vector_parts = 6;   // high and low bytes of re, im, -im
  static constexpr int sum_parts = 6;      // of re and im: products of high, of unlike, of low bytes
  static constexpr int held = 8;           // numbers of a member at a time
  enum Part { re_part = 0, im_part = 2, minus_im_part = 4 };

  // 32 numbers of a right-hand side. A warp takes one, and goes on behind those of all warps.
  struct Unit {
    int chunks, chunk, t = 0;
    __device__ explicit Unit(int columns) : chunks(chunks_of(columns)), chunk(warp()) { wrap(); }
    __device__ void next() {
      chunk += warps();
      wrap();
    }
    __device__ void wrap() {
      for (; chunk >= chunks; ++t) chunk -= chunks;
    }
    __device__ int k() const { return 32 * chunk + lane(); }
  };
  // Of the next `held` units.
  template <class Load>
  __device__ void load_units(Unit& unit, int from, int columns, const Load& load,
                             Complex<float> (&z)[held]) const {
#pragma unroll
    for (int i = 0; i < held; ++i, unit.next()) {
      z[i] = {0, 0};
      if (unit.t < count_ && unit.k() < columns) z[i] = load(from + unit.k(), unit.t);
    }
  }
  __device__ void store_units(Unit& unit, const Complex<float> (&z)[held]) {
    unsigned char* bytes = reinterpret_cast<unsigned char*>(bytes_);
#pragma unroll
    for (int i = 0; i < held; ++i, unit.next()) {
      const int t = unit.t, k = unit.k();
      if (t >= count_) break;
      const float steps = steps_for(most_[t]);
      const unsigned re = to_storage<Fixed16>(z[i].re, steps).bits,
                     im = to_storage<Fixed16>(z[i].im, steps).bits;
      const unsigned numbers[3] = {re, im, 2 * zero - im};
#pragma unroll
      for (int part = 0; part < 3; ++part) {
        const int at = (2 * part * Tile + t) * words_ * 4 + k;
        bytes[at] = static_cast<unsigned char>((numbers[part] >> 8) ^ 0x80u);
        bytes[at + Tile * words_ * 4] = static_cast<unsigned char>(numbers[part]);
      }
    }
  }

  static PLAQ_HD int padded(int rows) { return (rows + 15) / 16 * 16; }
  // Four words more than a multiple of eight: the members of a warp read from 32 banks.
  static PLAQ_HD int line_words(int slab) { return (slab + 31) / 32 * 8 + 4; }
  static __device__ int chunks_of(int columns) { return (columns + 31) / 32; }
  static __device__ int lane() { return static_cast<int>(threadIdx.x) & 31; }
  static __device__ int warp() { return static_cast<int>(threadIdx.x) >> 5; }
  static __device__ int warps() { return static_cast<int>(blockDim.x) >> 5; }

  // Where row `slot` of member g is, of the 16 from `first` on.
  template <Adjacent Which>
  static __device__ int row_of(int first, int g, int slot) {
    return first + (Which == Adjacent::rows ? 2 * g + slot : g + 8 * slot);
  }

  // Four columns of a member's two rows. What is behind the last row or column is read from elsewhere: such columns are
  // multiplied by 0, such rows not looked at.
  static __device__ void load_words(const StoredMatrix<Adjacent::rows>& m, int first, int g, int column,
                                    int end, unsigned (&words)[2][4]) {
    const int row = row_of<Adjacent::rows>(first, g, 0);
    const StoredComplex<Fixed16>* from = m.first + (row < m.rows ? row : 0);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int k = column + i < end ? column + i : end - 1;
      const uint2 two = __ldg(reinterpret_cast<const uint2*>(from + static_cast<std::size_t>(k) * m.stride));
      words[0][i] = two.x;
      words[1][i] = two.y;
    }
  }
  static __device__ void load_words(const StoredMatrix<Adjacent::columns>& m, int first, int g, int column,
                                    int end, unsigned (&words)[2][4]) {
    const int k = column < end ? column : 0;
#pragma unroll
    for (int slot = 0; slot < 2; ++slot) {
      const int row = row_of<Adjacent::columns>(first, g, slot);
      const std::size_t at = static_cast<std::size_t>(row < m.rows ? row : 0) * m.stride;
      const uint4 four = __ldg(reinterpret_cast<const uint4*>(m.first + at + k));
      words[slot][0] = four.x;
      words[slot][1] = four.y;
      words[slot][2] = four.z;
      words[slot][3] = four.w;
    }
  }

  template <Adjacent Which>
  __device__ void multiply_chunk(const StoredMatrix<Which>& matrix, int first, int from, int column,
                                 int chunk, int (&sum)[Tile / 8][2][3][4]) const {
    const int g = lane() >> 2, q = lane() & 3;
    unsigned re[2][4], im[2][4];  // high and low bytes
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      unsigned words[2][4];
      load_words(matrix, first, g, from + column + 16 * half + 4 * q, matrix.columns, words);
#pragma unroll
      for (int slot = 0; slot < 2; ++slot) {
        const unsigned* w = words[slot];
        const unsigned re01 = __byte_perm(w[0], w[1], 0x5140), re23 = __byte_perm(w[2], w[3], 0x5140),
                       im01 = __byte_perm(w[0], w[1], 0x7362), im23 = __byte_perm(w[2], w[3], 0x7362);
        const int i = 2 * half + slot;
        re[0][i] = __byte_perm(re01, re23, 0x7632) ^ 0x80808080u;
        re[1][i] = __byte_perm(re01, re23, 0x5410);
        im[0][i] = __byte_perm(im01, im23, 0x7632) ^ 0x80808080u;
        im[1][i] = __byte_perm(im01, im23, 0x5410);
      }
    }
#pragma unroll
    for (int eight = 0; eight < Tile / 8; ++eight) {
      const auto of = [&](int part, unsigned(&b)[2]) {
        const unsigned* line = bytes_ + (part * Tile + 8 * eight + g) * words_ + 8 * chunk + q;
        b[0] = line[0];
        b[1] = line[4];
      };
      const auto add = [&](const unsigned(&y)[2][4], int part, int(&to)[3][4]) {
        unsigned high[2], low[2];
        of(part, high);
        of(part + 1, low);
        detail::multiply_bytes<true, true>(to[0], y[0], high);
        detail::multiply_bytes<true, false>(to[1], y[0], low);
        detail::multiply_bytes<false, true>(to[1], y[1], high);
        detail::multiply_bytes<false, false>(to[2], y[1], low);
      };
      add(re, re_part, sum[eight][0]);
      add(im, minus_im_part, sum[eight][0]);
      add(re, im_part, sum[eight][1]);
      add(im, re_part, sum[eight][1]);
    }
  }

  // Of right-hand sides that are there.
  template <Adjacent Which, class F>
  __device__ void each_sum(int first, const int (&sum)[Tile / 8][2][3][4], const F& f) const {
    const int g = lane() >> 2, q = lane() & 3;
#pragma unroll
    for (int eight = 0; eight < Tile / 8; ++eight)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int t = 8 * eight + 2 * q + i % 2;
        if (t >= count_) continue;
        const int parts[2][3] = {{sum[eight][0][0][i], sum[eight][0][1][i], sum[eight][0][2][i]},
                                 {sum[eight][1][0][i], sum[eight][1][1][i], sum[eight][1][2][i]}};
        f(row_of<Which>(first, g, i / 2), t, parts);
      }
  }

  __device__ int* at(int part, int row, int t) const { return sums_ + (part * rows_ + row) * Tile + t; }
  static __device__ float number(const int (&parts)[3]) {
    return static_cast<float>(65536 * static_cast<long long>(parts[0]) +
                              256 * static_cast<long long>(parts[1]) + parts[2]);
  }

  int rows_, slab_, words_, count_ = 0, taken_ = 0;
  unsigned* bytes_;
  int* sums_;
  float* most_;
};

}  // namespace plaq
