// Targets of kernels. Kernel sources are compiled once as C++ (for the host) and, where CUDA is
// available, once more as CUDA (for the device): BuildTarget is the target of the compilation at hand.
#pragma once

// PLAQ_HD marks code that runs inside kernels on both machines; the language offers no other way to say it.
#if defined(__CUDACC__)
#define PLAQ_HD __host__ __device__ __forceinline__
#else
#define PLAQ_HD inline __attribute__((always_inline))
#endif

namespace plaq {

struct Host {};    ///< host threads, sites vectorised over SIMD lanes
struct Device {};  ///< CUDA, one thread a site

#if defined(__CUDACC__)
/// Target of the compilation at hand.
using BuildTarget = Device;
#else
/// Target of the compilation at hand.
using BuildTarget = Host;
#endif

#if defined(PLAQ_WITH_CUDA)
/// True if plaq was built for GPUs.
inline constexpr bool with_cuda = true;
#else
/// True if plaq was built for GPUs.
inline constexpr bool with_cuda = false;
#endif

}  // namespace plaq
