// Device's part of exact_product.hpp: matrix units multiply bytes. A 16-bit integer is 256 high + low, high
// with a sign and low without one; one of 8 bits is a byte with a sign.
//
// A warp takes 16 rows and 16 complex columns of the matrix at once, which are 32 columns of real numbers:
// re, im. Of a right-hand side there are two columns then, re, -im for the real part of a product and im, re
// for the imaginary one; four right-hand sides for an instruction. Its member 4 g + q has two rows, and of
// these columns 4 q + 0..3 (PTX ISA, mma.m16n8k32 of integers; the order of columns is free).
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

// 256 high + low, rounded once.
__device__ __forceinline__ float rounded_sum(int high, int low) {
  return static_cast<float>(256 * high + low);
}
// 65536 high + 256 middle + low, rounded once: its upper part is exact as a float (most_exact_columns).
__device__ __forceinline__ float rounded_sum(int high, int middle, int low) {
  const int rest = low + ((middle & 0xff) << 8);  // never negative
  const int upper = high + (middle >> 8) + (rest >> 16);
  return fmaf(static_cast<float>(upper), 65536.0f, static_cast<float>(rest & 0xffff));
}

// Part of a chunk of 16 columns that a member holds: columns 4 q + 0..3 of its two rows, with zeros for
// missing ones. multiply() adds what they are times the bytes of a vector (high ones of two columns, of
// two more, low ones) to `sums` sums.
template <class M>
struct MatrixChunk;

template <>
struct MatrixChunk<Fixed16> {
  static constexpr int sums = 3;
  unsigned words[2][4];  // [row][column]
  unsigned high[4], low[4];

  __device__ void take_column(const StoredComplex<Fixed16>* at, int column, bool there) {
    uint2 rows{0, 0};
    if (there) rows = __ldg(reinterpret_cast<const uint2*>(at));
    words[0][column] = rows.x;
    words[1][column] = rows.y;
  }
  __device__ void take_row(const StoredComplex<Fixed16>* at, int row, bool there) {
    uint4 columns{0, 0, 0, 0};
    if (there) columns = __ldg(reinterpret_cast<const uint4*>(at));
    words[row][0] = columns.x;
    words[row][1] = columns.y;
    words[row][2] = columns.z;
    words[row][3] = columns.w;
  }
  template <Adjacent>
  __device__ void arrange() {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const unsigned *w = words[i & 1], a = w[i & 2], b = w[(i & 2) + 1];
      high[i] = __byte_perm(a, b, 0x7531) ^ 0x80808080u;  // without the offset of what is stored
      low[i] = __byte_perm(a, b, 0x6420);
    }
  }
  __device__ void multiply(const uint4& v, int (&sum)[sums][4]) const {
    multiply_bytes<true, true>(sum[0], high, v.x, v.y);
    multiply_bytes<true, false>(sum[1], high, v.z, v.w);
    multiply_bytes<false, true>(sum[1], low, v.x, v.y);
    multiply_bytes<false, false>(sum[2], low, v.z, v.w);
  }
  static __device__ float rounded(const int (&sum)[sums][4], int i) {
    return rounded_sum(sum[0][i], sum[1][i], sum[2][i]);
  }
};

template <>
struct MatrixChunk<Fixed8> {
  static constexpr int sums = 2;
  // Two numbers each: those of a column in both rows; or of the first row two columns, of the
  // second one, and the same of two more.
  unsigned words[4];
  unsigned bytes[4];

  __device__ void take_column(const StoredComplex<Fixed8>* at, int column, bool there) {
    words[column] = there ? __ldg(reinterpret_cast<const unsigned*>(at)) : 0;
  }
  __device__ void take_row(const StoredComplex<Fixed8>* at, int row, bool there) {
    uint2 columns{0, 0};
    if (there) columns = __ldg(reinterpret_cast<const uint2*>(at));
    words[row] = columns.x;
    words[row + 2] = columns.y;
  }
  template <Adjacent Which>
  __device__ void arrange() {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      bytes[i] = Which == Adjacent::columns
                     ? words[i]
                     : __byte_perm(words[i & 2], words[(i & 2) + 1], (i & 1) == 0 ? 0x5410 : 0x7632);
  }
  __device__ void multiply(const uint4& v, int (&sum)[sums][4]) const {
    multiply_bytes<true, true>(sum[0], bytes, v.x, v.y);
    multiply_bytes<true, false>(sum[1], bytes, v.z, v.w);
  }
  static __device__ float rounded(const int (&sum)[sums][4], int i) {
    return rounded_sum(sum[0][i], sum[1][i]);
  }
};

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
  template <Adjacent Which, class M, class F>
  __device__ void multiply(int slab, const StoredMatrix<Which, M>& matrix, int first, int rows,
                           const F& f) const {
    using Chunk = detail::MatrixChunk<M>;
    const int g = lane() >> 2, q = lane() & 3, chunks = (matrix.columns + 15) / 16;
    const uint4* line = quads_ + slab * slab_size() + g * line_ + q;
    for (int row = first; row < first + rows && row < matrix.rows; row += 16) {
      int sum[eights][Chunk::sums][4] = {};
      const StoredComplex<M>* from = first_number(matrix, row, g, q);
      for (int begin = 0; begin < chunks; begin += ahead) {
        Chunk chunk[ahead];
#pragma unroll
        for (int i = 0; i < ahead; ++i)
          if (begin + i < chunks)
            from = take_chunk(matrix, row, g, from, matrix.columns - 16 * (begin + i) - 4 * q, chunk[i]);
#pragma unroll
        for (int i = 0; i < ahead; ++i)
          if (begin + i < chunks) {
            chunk[i].template arrange<Which>();
#pragma unroll
            for (int eight = 0; eight < eights; ++eight)
              chunk[i].multiply(line[8 * eight * line_ + 4 * (begin + i)], sum[eight]);
          }
      }
#pragma unroll
      for (int eight = 0; eight < eights; ++eight) {
        const int t = 4 * eight + q;
        if (t >= count_) continue;
        const float quantum = most_[slab * Tile + t] * (1.0f / fixed16_steps);
#pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          const int at = row_of<Which>(row, g, slot);
          const auto number = [&](int i) { return Chunk::rounded(sum[eight], i); };
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

  // Four complex columns of a right-hand side and a part of products: high
  // bytes of two, of two more, low bytes.
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

  // Row of a member's `slot`, of the 16 from `first` on.
  template <Adjacent Which>
  static __device__ int row_of(int first, int g, int slot) {
    return first + (Which == Adjacent::rows ? 2 * g + slot : g + 8 * slot);
  }
  // A member's first number of the 16 rows from `row` on: in its first row, column 4 q. Rows behind the last
  // one are nobody's; the first of all is read in place of them.
  template <Adjacent Which, class M>
  static __device__ const StoredComplex<M>* first_number(const StoredMatrix<Which, M>& m, int row, int g,
                                                         int q) {
    const int mine = row_of<Which>(row, g, 0);
    return &m.at(mine < m.rows ? mine : 0, 0) + (Which == Adjacent::rows ? 4 * q * m.stride : 4 * q);
  }
  // Four columns of a member's two rows, of which `left` are there. Returns
  // where those 16 columns further are.
  template <class M>
  static __device__ const StoredComplex<M>* take_chunk(const StoredMatrix<Adjacent::rows, M>& m, int, int,
                                                       const StoredComplex<M>* from, int left,
                                                       detail::MatrixChunk<M>& chunk) {
    const StoredComplex<M>* at = from;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      chunk.take_column(at, i, i < left);
      at += m.stride;
    }
    return from + 16 * m.stride;
  }
  template <class M>
  static __device__ const StoredComplex<M>* take_chunk(const StoredMatrix<Adjacent::columns, M>& m, int row,
                                                       int g, const StoredComplex<M>* from, int left,
                                                       detail::MatrixChunk<M>& chunk) {
    chunk.take_row(from, 0, left > 0);
    chunk.take_row(from + 8 * m.stride, 1, left > 0 && row_of<Adjacent::columns>(row, g, 1) < m.rows);
    return from + 16;
  }

  int line_, count_;
  uint4* quads_;  // [slab][right-hand side][part][four columns]
  float* most_;   // [slab][right-hand side]
};

}  // namespace plaq
