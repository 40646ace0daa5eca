// SIMD lanes of the host: one lattice site a lane. Arithmetic is exactly that of the scalar type, lane by
// lane.
#pragma once

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <cmath>
#include <cstdint>

namespace plaq {

#if defined(__AVX512F__)
inline constexpr int host_vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int host_vector_bytes = 32;
#else
inline constexpr int host_vector_bytes = 16;
#endif

// A bit a lane; the lowest bit is lane 0.
using LaneMask = std::uint32_t;

namespace detail {
template <class T, int N>
struct VectorOf {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, int N>
struct UnalignedVectorOf {
  typedef T type __attribute__((vector_size(N * sizeof(T)), aligned(alignof(T)), may_alias));
};
template <int Bytes>
struct WordOf;
template <>
struct WordOf<2> {
  using type = std::uint16_t;
};
template <>
struct WordOf<4> {
  using type = std::uint32_t;
};
template <>
struct WordOf<8> {
  using type = std::uint64_t;
};
template <int Bytes>
struct IntOf;
template <>
struct IntOf<4> {
  using type = std::int32_t;
};
template <>
struct IntOf<8> {
  using type = std::int64_t;
};
}  // namespace detail

template <class T, int N>
struct Lanes {
  using Scalar = T;
  static constexpr int width = N;
  using Vector = typename detail::VectorOf<T, N>::type;

  Vector v;

  Lanes() = default;
  Lanes(Vector vector) : v(vector) {}
  Lanes(T all) : v(all - Vector{}) {}  // + would make 0 of -0, and cost an addition

  T operator[](int lane) const { return v[lane]; }
  void set(int lane, T value) { v[lane] = value; }

  // `from` needs the alignment of T only.
  static Lanes load(const T* from) {
    return Lanes(
        static_cast<Vector>(*reinterpret_cast<const typename detail::UnalignedVectorOf<T, N>::type*>(from)));
  }
  void store(T* to) const { *reinterpret_cast<typename detail::UnalignedVectorOf<T, N>::type*>(to) = v; }

  friend Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
  friend Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
  friend Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
  friend Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
  friend Lanes operator-(Lanes a) { return -a.v; }
  Lanes& operator+=(Lanes b) { return *this = *this + b; }
  Lanes& operator-=(Lanes b) { return *this = *this - b; }
  Lanes& operator*=(Lanes b) { return *this = *this * b; }
};

// a * b + c, rounded once.
template <class T, int N>
inline Lanes<T, N> fma(Lanes<T, N> a, Lanes<T, N> b, Lanes<T, N> c) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  if constexpr (bytes > host_vector_bytes) {
    Lanes<T, N> result;
    using Half = Lanes<T, N / 2>;
    for (int h = 0; h < 2; ++h) {
      auto part = [&](const Lanes<T, N>& x) {
        return Half::load(reinterpret_cast<const T*>(&x.v) + h * (N / 2));
      };
      fma(part(a), part(b), part(c)).store(reinterpret_cast<T*>(&result.v) + h * (N / 2));
    }
    return result;
  }
#if defined(__AVX512F__)
  else if constexpr (bytes == 64 && sizeof(T) == 4) {
    return (typename Lanes<T, N>::Vector)_mm512_fmadd_ps((__m512)a.v, (__m512)b.v, (__m512)c.v);
  } else if constexpr (bytes == 64) {
    return (typename Lanes<T, N>::Vector)_mm512_fmadd_pd((__m512d)a.v, (__m512d)b.v, (__m512d)c.v);
  }
#endif
#if defined(__AVX2__) && defined(__FMA__)
  else if constexpr (bytes == 32 && sizeof(T) == 4) {
    return (typename Lanes<T, N>::Vector)_mm256_fmadd_ps((__m256)a.v, (__m256)b.v, (__m256)c.v);
  } else if constexpr (bytes == 32) {
    return (typename Lanes<T, N>::Vector)_mm256_fmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v);
  }
#endif
  else {
    Lanes<T, N> result;
    for (int i = 0; i < N; ++i) result.v[i] = std::fma(a.v[i], b.v[i], c.v[i]);
    return result;
  }
}

// c - a * b, rounded once: fma(-a, b, c) in one instruction.
template <class T, int N>
inline Lanes<T, N> fnma(Lanes<T, N> a, Lanes<T, N> b, Lanes<T, N> c) {
  [[maybe_unused]] constexpr int bytes = N * static_cast<int>(sizeof(T));
#if defined(__AVX512F__)
  if constexpr (bytes == 64 && sizeof(T) == 4)
    return (typename Lanes<T, N>::Vector)_mm512_fnmadd_ps((__m512)a.v, (__m512)b.v, (__m512)c.v);
  if constexpr (bytes == 64 && sizeof(T) == 8)
    return (typename Lanes<T, N>::Vector)_mm512_fnmadd_pd((__m512d)a.v, (__m512d)b.v, (__m512d)c.v);
#endif
#if defined(__AVX2__) && defined(__FMA__)
  if constexpr (bytes == 32 && sizeof(T) == 4)
    return (typename Lanes<T, N>::Vector)_mm256_fnmadd_ps((__m256)a.v, (__m256)b.v, (__m256)c.v);
  if constexpr (bytes == 32 && sizeof(T) == 8)
    return (typename Lanes<T, N>::Vector)_mm256_fnmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v);
#endif
  return fma(-a, b, c);
}

inline bool any(LaneMask mask) { return mask != 0; }

// Lane by lane: the lane's bit in `mask` chooses `yes`, else `no`.
template <class T, int N>
inline Lanes<T, N> select(LaneMask mask, Lanes<T, N> yes, Lanes<T, N> no) {
  using Int = typename detail::IntOf<sizeof(T)>::type;
  using IntVector = typename detail::VectorOf<Int, N>::type;
  IntVector bit;
  for (int i = 0; i < N; ++i) bit[i] = Int{1} << i;
  const IntVector chosen = ((IntVector{} + static_cast<Int>(mask)) & bit) != IntVector{};
  return chosen ? yes.v : no.v;
}

namespace detail {
// True if no bit of the vector is set.
template <class IntVector>
inline bool none_set(const IntVector& bits) {
  constexpr int bytes = sizeof(IntVector);
  if constexpr (bytes > host_vector_bytes) {
    using Half = typename VectorOf<std::int64_t, bytes / 16>::type;
    struct Halves {
      Half half[2];
    };
    const auto halves = __builtin_bit_cast(Halves, bits);
    return none_set(halves.half[0] | halves.half[1]);
  }
#if defined(__AVX512F__)
  else if constexpr (bytes == 64) {
    return _mm512_test_epi64_mask((__m512i)bits, (__m512i)bits) == 0;
  }
#endif
#if defined(__AVX2__)
  else if constexpr (bytes == 32) {
    return _mm256_testz_si256((__m256i)bits, (__m256i)bits) != 0;
  }
#endif
  else {
    std::uint64_t all = 0;
    for (int i = 0; i < bytes / static_cast<int>(sizeof(bits[0])); ++i)
      all |= static_cast<std::uint64_t>(bits[i]);
    return all == 0;
  }
}
}  // namespace detail

// True if each lane is 0.
template <class T, int N>
inline bool is_zero(const Lanes<T, N>& a) {
  return detail::none_set(a.v != typename Lanes<T, N>::Vector{});
}
// True if each lane is finite, and below the limit in magnitude.
template <class T, int N>
inline bool is_below(const Lanes<T, N>& a, T limit) {
  const auto top = Lanes<T, N>(limit).v;
  return detail::none_set(~((a.v < top) & (a.v > -top)));
}

template <int N>
inline Lanes<double, N> to_double(Lanes<float, N> a) {
  return __builtin_convertvector(a.v, typename Lanes<double, N>::Vector);
}
template <int N>
inline Lanes<double, N> to_double(Lanes<double, N> a) {
  return a;
}

template <class T, int N>
inline Lanes<T, N> sqrt(Lanes<T, N> a) {
  Lanes<T, N> result;
  for (int i = 0; i < N; ++i) result.v[i] = std::sqrt(a.v[i]);
  return result;
}

template <class T, int N>
inline Lanes<T, N> reciprocal(Lanes<T, N> a) {
  return Lanes<T, N>(T(1)) / a;
}
// 0 where a < 0.
template <class T, int N>
inline Lanes<T, N> root_or_zero(Lanes<T, N> a) {
  return sqrt(Lanes<T, N>(a.v > 0 ? a.v : typename Lanes<T, N>::Vector{}));
}

}  // namespace plaq
