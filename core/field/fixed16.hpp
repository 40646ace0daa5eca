// 16-bit fixed point, Clark et al. 2010, section 4.6: integers -32767..32767 in units of a scale, which is
// 1/32767 for numbers in [-1, 1] (links) and otherwise a float of each site (its largest component / 32767).
// Stored with an offset of 32768: on a device a byte permutation and one subtraction make a float of it.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/algebra/scalar.hpp"
#include "core/system/location.hpp"

namespace plaq {

inline constexpr float fixed16_steps = 32767;
// Sites whose largest component is below this are stored as 0: their scale would not be a normal float.
inline constexpr float fixed16_smallest = 4e-34f;

// Type in which kernels compute with numbers that are stored as S.
template <class S>
struct ComputeOf {
  using type = S;
};
template <>
struct ComputeOf<Fixed16> {
  using type = float;
};
template <class S>
using Compute = typename ComputeOf<S>::type;

// Stored number to computing precision; of Fixed16 the integer.
template <class T, class S>
PLAQ_HD T from_storage(S s) {
  return static_cast<T>(s);
}
template <class T>
PLAQ_HD T from_storage(Fixed16 s) {
#if defined(__CUDA_ARCH__)
  return static_cast<T>(__uint_as_float(0x4b000000u | s.bits) - 8421376.0f);
#else
  return static_cast<T>(static_cast<int>(s.bits) - 32768);
#endif
}

// v * steps to storage, rounded to nearest once. Only Fixed16 has steps; |v * steps| is then at most 32767.5.
template <class S>
PLAQ_HD S to_storage(float v, [[maybe_unused]] float steps = 1) {
  if constexpr (std::is_same_v<S, Fixed16>) {
    const float shifted = fma(v, steps, 12615680.0f);  // 1.5 2^23 + 32768: the sum's last bit counts ones
    std::uint32_t word;
    __builtin_memcpy(&word, &shifted, 4);
    return {static_cast<std::uint16_t>(word)};
  } else {
    return static_cast<S>(v);
  }
}
template <class S>
PLAQ_HD S to_storage(double v, [[maybe_unused]] double steps = 1) {
  if constexpr (std::is_same_v<S, Fixed16>) {
    const double shifted = fma(v, steps, 6755399441088512.0);  // 1.5 2^52 + 32768
    std::uint64_t word;
    __builtin_memcpy(&word, &shifted, 8);
    return {static_cast<std::uint16_t>(word)};
  } else {
    return static_cast<S>(v);
  }
}

// The larger magnitude of a and b, b >= 0; NaN if any of them is.
PLAQ_HD float larger_magnitude(float a, float b) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(fabsf(a)), "f"(b));
  return r;
#else
  const float m = a < 0 ? -a : a;
  return m > b || m != m ? m : b;
#endif
}
PLAQ_HD double larger_magnitude(double a, double b) {
  const double m = a < 0 ? -a : a;
  return m > b || m != m ? m : b;
}

// 32767 / most; 0 where `most` is NaN or too small.
PLAQ_HD float steps_for(float most) { return most >= fixed16_smallest ? fixed16_steps / most : 0.0f; }
PLAQ_HD double steps_for(double most) {
  return most >= static_cast<double>(fixed16_smallest) ? static_cast<double>(fixed16_steps) / most : 0.0;
}

#if !defined(__CUDACC__)

// Magnitudes are ordered as integers are, NaN above all others.
template <class T, int N>
inline Lanes<T, N> larger_magnitude(Lanes<T, N> a, Lanes<T, N> b) {
  using Int = typename detail::IntOf<sizeof(T)>::type;
  using Ints = typename detail::VectorOf<Int, N>::type;
  const Ints m = (Ints)a.v & std::numeric_limits<Int>::max(), most = (Ints)b.v;
  return Lanes<T, N>((typename Lanes<T, N>::Vector)(m > most ? m : most));
}
template <class T, int N>
inline Lanes<T, N> steps_for(Lanes<T, N> most) {
  const Lanes<T, N> zero(T(0)), smallest(static_cast<T>(fixed16_smallest)),
      steps(static_cast<T>(fixed16_steps));
  return Lanes<T, N>(most.v >= smallest.v ? steps.v / most.v : zero.v);
}

namespace detail {
template <class S, int N>
struct UnalignedStored {
  typedef S type __attribute__((vector_size(N * sizeof(S)), aligned(alignof(S)), may_alias));
};
template <class T>
struct WordFor;
template <>
struct WordFor<float> {
  using type = std::uint32_t;
  static constexpr float shift = 12615680.0f;
};
template <>
struct WordFor<double> {
  using type = std::uint64_t;
  static constexpr double shift = 6755399441088512.0;
};
}  // namespace detail

namespace detail {
// N consecutive 16-bit words. One instruction, which GCC does not find for a conversion of vectors.
template <int N, class Ints>
inline Ints widened(const Fixed16* from) {
#if defined(__AVX512F__)
  if constexpr (N == 16)
    return (Ints)_mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
#endif
#if defined(__AVX2__)
  if constexpr (N == 8)
    return (Ints)_mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
#endif
  using Bits = typename UnalignedStored<std::uint16_t, N>::type;
  return __builtin_convertvector(*reinterpret_cast<const Bits*>(from), Ints);
}
}  // namespace detail

// N consecutive stored numbers; of Fixed16 the integers.
template <class T, int N, class S>
inline Lanes<T, N> load_stored(const S* from) {
  if constexpr (std::is_same_v<S, T>) {
    return Lanes<T, N>::load(from);
  } else if constexpr (std::is_same_v<S, Fixed16>) {
    typedef std::int32_t Ints __attribute__((vector_size(N * 4)));
    const Ints ints = detail::widened<N, Ints>(from) - 32768;
    return Lanes<T, N>(__builtin_convertvector(ints, typename Lanes<T, N>::Vector));
  } else {
    using Other = typename detail::UnalignedStored<S, N>::type;
    return Lanes<T, N>(
        __builtin_convertvector(*reinterpret_cast<const Other*>(from), typename Lanes<T, N>::Vector));
  }
}
// value * steps, as to_storage has it.
template <class T, int N, class S>
inline void store_stored(Lanes<T, N> value, [[maybe_unused]] Lanes<T, N> steps, S* to) {
  if constexpr (std::is_same_v<S, T>) {
    value.store(to);
  } else if constexpr (std::is_same_v<S, Fixed16>) {
    using Word = typename detail::WordFor<T>::type;
    typedef Word Words __attribute__((vector_size(N * sizeof(Word))));
    using Bits = typename detail::UnalignedStored<std::uint16_t, N>::type;
    const auto shifted = fma(value, steps, Lanes<T, N>(detail::WordFor<T>::shift)).v;
    *reinterpret_cast<Bits*>(to) = __builtin_convertvector((Words)shifted, Bits);
  } else {
    using Other = typename detail::UnalignedStored<S, N>::type;
    *reinterpret_cast<Other*>(to) = __builtin_convertvector(value.v, Other);
  }
}
template <class T, int N, class S>
inline void store_stored(Lanes<T, N> value, S* to) {
  store_stored<T, N>(value, Lanes<T, N>(T(1)), to);
}

#endif

}  // namespace plaq
