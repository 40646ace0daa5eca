// Array of a device thread in the shared memory of its block, outside its registers: for values that a loop
// needs at every pass, and that would leave registers for too few threads. On the host a plain array.
#pragma once

#include <type_traits>

#include "core/launch/target.hpp"

namespace plaq {

// Static shared memory that a kernel may have.
inline constexpr int most_shared_bytes = 48 * 1024;
// Threads of a block of a kernel whose threads have so many bytes each.
constexpr int shared_array_threads(int bytes) { return 128 * bytes <= most_shared_bytes ? 128 : 64; }

// N values of trivially copyable V for each thread of blocks of at most `Threads`. One a kernel and type V:
// all of them are the same memory.
template <class Target, class V, int N, int Threads>
class SharedArray {
 public:
  PLAQ_HD void put(int k, const V& value) { at_[k] = value; }
  PLAQ_HD V get(int k) const { return at_[k]; }
  PLAQ_HD void next_pass() {}

 private:
  V at_[N];
};

#if defined(__CUDACC__)

template <class V, int N, int Threads>
class SharedArray<Device, V, N, Threads> {
  using Word = std::conditional_t<sizeof(V) % sizeof(uint4) == 0, uint4,
                                  std::conditional_t<sizeof(V) % sizeof(uint2) == 0, uint2, unsigned>>;
  static constexpr int words = static_cast<int>(sizeof(V) / sizeof(Word));
  static_assert(sizeof(V) % sizeof(Word) == 0 && sizeof(V) * N * Threads <= most_shared_bytes);

 public:
  __device__ __forceinline__ void put(int k, const V& value) {
    Word word[words];
    __builtin_memcpy(word, &value, sizeof(V));
#pragma unroll
    for (int i = 0; i < words; ++i) memory()[place(k, i)] = word[i];
  }
  __device__ __forceinline__ V get(int k) const {
    Word word[words];
#pragma unroll
    for (int i = 0; i < words; ++i) word[i] = memory()[place(k, i)];
    V value;
    __builtin_memcpy(&value, word, sizeof(V));
    return value;
  }
  // At the start of each pass of a loop, or the compiler reads everything before it, into registers.
  __device__ __forceinline__ void next_pass() { asm volatile("" : "+r"(thread_)); }

 private:
  // Words of neighbouring threads side by side: no bank conflicts, and no thread sees another's.
  __device__ __forceinline__ int place(int k, int i) const {
    return (k * words + i) * Threads + static_cast<int>(thread_);
  }
  static __device__ __forceinline__ Word* memory() {
    __shared__ Word all[N * words * Threads];
    return all;
  }

  unsigned thread_ = threadIdx.x;
};

#endif

}  // namespace plaq
