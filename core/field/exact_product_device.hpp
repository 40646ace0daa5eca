// Device's part of exact_product.hpp: matrix units multiply bytes. An integer is 256 high + low, high with a sign and low
// without one.
//
// A warp takes 16 rows and 16 complex columns of the matrix at once, which are 32 columns of real numbers: re, im. Of a
// right-hand side there are two columns then, re, -im for the real part of a product and im, re for the imaginary one; four
// right-hand sides for an instruction. Its member 4 g + q has two rows, and of these columns 4 q + 0..3 (PTX ISA, mma.m16n8k32
// of integers; the order of columns is free).
#pragma once

namespace plaq {
namespace detail {

template <bool SignedA, bool SignedB>
__device__ __forceinline__ void multiply_bytes(int (&sum)[4], const unsigned (&a)[4], unsigned b0,
                                               unsigned b1) {
  if constexpr (SignedA && SignedB)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  else if constexpr (SignedA)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  else if constexpr (SignedB)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  else
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// 65536 high + 256 middle + low, rounded once: its upper part is exact as a float (most_exact_columns).
__device__ __forceinline__ float rounded_sum(int high, int middle, int low) {
  const int rest = low + ((middle & 0xff) << 8);  // never negative
  const int upper = high + (middle >> 8) + (rest >> 16);
  return fmaf(static_cast<float>(upper), 65536.0f, static_cast<float>(rest & 0xffff));
}

}  // namespace detail

template <int Tile>
requires(Tile % 4 == 0) class ExactProduct<Device, Tile> {
 public:
  static PLAQ_HD std::size_t scratch_bytes(int slabs, int columns) {
    return scratch_bytes_of<uint4>(slabs * slab_quads(columns)) + scratch_bytes_of<float>(slabs * Tile);
  }
  __device__ ExactProduct(Team<Device>& team, int slabs, int columns, int count)
      : line_(line_quads(columns)),
        count_(count),
        quads_(team.scratch<uint4>(slabs * slab_quads(columns))),
        most_(team.scratch<float>(slabs * Tile)) {}

  template <class At, class Load>
  __device__ void take(int slab, int columns, const At& at, const Load& load) {
    __syncwarp();  // nobody needs any more what was there
    if (columns <= 32)
      take_in<1, together>(slab, columns, at, load);
    else if (columns <= 64)
      take_in<2, together>(slab, columns, at, load);
    else
      take_in<4, 1>(slab, columns, at, load);
    __syncwarp();
  }

  // `first`: a multiple of 16.
  template <Adjacent Which, class F>
  __device__ void multiply(int slab, const StoredMatrix<Which>& matrix, int first, int rows,
                           const F& f) const {
    const int g = lane() >> 2, q = lane() & 3, chunks = (matrix.columns + 15) / 16;
    const uint4* line = quads_ + slab * slab_size() + g * line_ + q;
    for (int row = first; row < first + rows && row < matrix.rows; row += 16) {
      int sum[eights][3][4] = {};
      const StoredComplex<Fixed16>* from = first_number(matrix, row, g, q);
      for (int begin = 0; begin < chunks; begin += ahead) {
        unsigned words[ahead][2][4];
#pragma unroll
        for (int i = 0; i < ahead; ++i)
          if (begin + i < chunks)
            from = load_words(matrix, row, g, from, matrix.columns - 16 * (begin + i) - 4 * q, words[i]);
#pragma unroll
        for (int i = 0; i < ahead; ++i)
          if (begin + i < chunks) multiply_chunk(words[i], line + 4 * (begin + i), sum);
      }
#pragma unroll
      for (int eight = 0; eight < eights; ++eight) {
        const int t = 4 * eight + q;
        if (t >= count_) continue;
        const float quantum = most_[slab * Tile + t] * (1.0f / fixed16_steps);
#pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          const int at = row_of<Which>(row, g, slot);
          const auto number = [&](int i) {
            return detail::rounded_sum(sum[eight][0][i], sum[eight][1][i], sum[eight][2][i]);
          };
          if (at < matrix.rows)
            f(at, t, Complex<float>{quantum * number(2 * slot), quantum * number(2 * slot + 1)});
        }
      }
    }
  }

 private:
  static constexpr int eights = Tile / 4;            // of columns of an instruction
  static constexpr int ahead = 3;                    // chunks of a matrix that are on their way
  static constexpr int together = Tile > 4 ? 2 : 1;  // right-hand sides whose numbers are

  // Four complex columns of a right-hand side and a part of products: high bytes of two, of two more, low bytes.
  static PLAQ_HD int line_quads(int columns) {
    const int chunks = (columns + 15) / 16;
    return 4 * (chunks | 1);  // lines of the two parts are in other banks
  }
  static PLAQ_HD int slab_quads(int columns) { return 2 * Tile * line_quads(columns); }
  __device__ int slab_size() const { return 2 * Tile * line_; }
  static __device__ int lane() { return static_cast<int>(threadIdx.x) & 31; }

  // A member takes the numbers k, k + 32, ... of some right-hand sides at once.
  template <int Steps, int Together, class At, class Load>
  __device__ void take_in(int slab, int columns, const At& at, const Load& load) {
    decltype(at(0)) places[Steps];
#pragma unroll
    for (int i = 0; i < Steps; ++i) {
      const int k = lane() + 32 * i;
      places[i] = at(k < columns ? k : 0);
    }
    for (int first = 0; first < count_; first += Together) {
      Complex<float> z[Together][Steps];
#pragma unroll
      for (int j = 0; j < Together; ++j)
#pragma unroll
        for (int i = 0; i < Steps; ++i) {
          z[j][i] = load(places[i], first + j < count_ ? first + j : first);
          if (lane() + 32 * i >= columns) z[j][i] = {0, 0};
        }
#pragma unroll
      for (int j = 0; j < Together; ++j)
        if (first + j < count_) store_numbers(slab, first + j, columns, z[j]);
    }
  }
  template <int Steps>
  __device__ void store_numbers(int slab, int t, int columns, const Complex<float> (&z)[Steps]) {
    float mine = 0;
#pragma unroll
    for (int i = 0; i < Steps; ++i) mine = larger_magnitude(z[i].im, larger_magnitude(z[i].re, mine));
    // Magnitudes are ordered as integers are, NaN above all others.
    const float most = __uint_as_float(__reduce_max_sync(0xffffffffu, __float_as_uint(mine)));
    if (lane() == 0) most_[slab * Tile + t] = most;
    const float steps = steps_for(most);
    auto* bytes = reinterpret_cast<unsigned char*>(quads_ + slab * slab_size() + 2 * t * line_);
#pragma unroll
    for (int i = 0; i < Steps; ++i) {
      const int k = lane() + 32 * i;
      if (k >= (columns + 15) / 16 * 16) continue;
      const unsigned re = to_storage<Fixed16>(z[i].re, steps).bits ^ 0x8000u,
                     im = to_storage<Fixed16>(z[i].im, steps).bits ^ 0x8000u;
      unsigned char* at = bytes + (k >> 2) * 16 + (k & 3) * 2;
      const auto put = [&](unsigned char* to, unsigned first, unsigned second) {
        const unsigned both = (first & 0xffffu) | second << 16;
        *reinterpret_cast<unsigned short*>(to) = static_cast<unsigned short>(__byte_perm(both, 0, 0x4431));
        *reinterpret_cast<unsigned short*>(to + 8) =
            static_cast<unsigned short>(__byte_perm(both, 0, 0x4420));
      };
      put(at, re, 0u - im);
      put(at + line_ * 16, im, re);
    }
  }

  // Which row is a member's `slot`, of the 16 from `first` on.
  template <Adjacent Which>
  static __device__ int row_of(int first, int g, int slot) {
    return first + (Which == Adjacent::rows ? 2 * g + slot : g + 8 * slot);
  }
  // A member's first number of the 16 rows from `row` on: in its first row, column 4 q. Rows behind the last one are nobody's; the
  // first of all is read in place of them.
  template <Adjacent Which>
  static __device__ const StoredComplex<Fixed16>* first_number(const StoredMatrix<Which>& m, int row, int g,
                                                               int q) {
    const int mine = row_of<Which>(row, g, 0);
    return &m.at(mine < m.rows ? mine : 0, 0) + (Which == Adjacent::rows ? 4 * q * m.stride : 4 * q);
  }
  // Four columns of a member's two rows, of which `left` are there; others are multiplied by 0. Returns where those 16 columns
  // further are.
  static __device__ const StoredComplex<Fixed16>* load_words(const StoredMatrix<Adjacent::rows>& m, int, int,
                                                             const StoredComplex<Fixed16>* from, int left,
                                                             unsigned (&words)[2][4]) {
    const StoredComplex<Fixed16>* at = from;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      uint2 two{0, 0};
      if (i < left) two = __ldg(reinterpret_cast<const uint2*>(at));
      at += m.stride;
      words[0][i] = two.x;
      words[1][i] = two.y;
    }
    return from + 16 * m.stride;
  }
  static __device__ const StoredComplex<Fixed16>* load_words(const StoredMatrix<Adjacent::columns>& m,
                                                             int row, int g,
                                                             const StoredComplex<Fixed16>* from, int left,
                                                             unsigned (&words)[2][4]) {
    const bool second = row_of<Adjacent::columns>(row, g, 1) < m.rows;
#pragma unroll
    for (int slot = 0; slot < 2; ++slot) {
      uint4 four{0, 0, 0, 0};
      if (left > 0 && (slot == 0 || second))
        four = __ldg(reinterpret_cast<const uint4*>(from + (slot == 0 ? 0 : 8 * m.stride)));
      words[slot][0] = four.x;
      words[slot][1] = four.y;
      words[slot][2] = four.z;
      words[slot][3] = four.w;
    }
    return from + 16;
  }

  __device__ void multiply_chunk(const unsigned (&words)[2][4], const uint4* line,
                                 int (&sum)[eights][3][4]) const {
    unsigned high[4], low[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const unsigned *w = words[i & 1], a = w[i & 2], b = w[(i & 2) + 1];
      high[i] = __byte_perm(a, b, 0x7531) ^ 0x80808080u;  // without the offset of what is stored
      low[i] = __byte_perm(a, b, 0x6420);
    }
#pragma unroll
    for (int eight = 0; eight < eights; ++eight) {
      const uint4 v = line[8 * eight * line_];
      detail::multiply_bytes<true, true>(sum[eight][0], high, v.x, v.y);
      detail::multiply_bytes<true, false>(sum[eight][1], high, v.z, v.w);
      detail::multiply_bytes<false, true>(sum[eight][1], low, v.x, v.y);
      detail::multiply_bytes<false, false>(sum[eight][2], low, v.z, v.w);
    }
  }

  int line_, count_;
  uint4* quads_;  // [slab][right-hand side][part][four columns]
  float* most_;   // [slab][right-hand side]
};

}  // namespace plaq
