// Launching on CUDA streams. Included through core/launch/launch.hpp by kernel sources compiled as CUDA.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/algebra/bits.hpp"
#include "core/lattice/domain.hpp"
#include "core/lattice/lattice_blocks.hpp"
#include "core/launch/arch.hpp"
#include "core/launch/cuda_check.hpp"
#include "core/launch/launch_shape.hpp"
#include "core/launch/queue.hpp"
#include "core/launch/team.hpp"
#include "core/sums/sum_buffer.hpp"
#include "core/sums/warp_sum_device.hpp"
#include "core/system/memory.hpp"
#include "core/system/runs_dry.hpp"

namespace plaq {
namespace detail {

inline constexpr int reduce_block = 256;
// True if a thread of F adds up what it has before its warp does.
template <class F>
constexpr bool sums_in_threads() {
  if constexpr (requires { F::sums_in_threads; }) return F::sums_in_threads;
  return false;
}
// Threads of a multiprocessor that launches of F have.
template <class F>
constexpr int reduce_blocks() {
  return std::max(min_blocks<F>() * block_size<F>() / reduce_block, 1);
}

// Blocks of one site range, or one box, with neighbouring inner indices run side by side, so that they share
// what they read.
template <class F>
__global__ void __launch_bounds__(block_size<F>(), min_blocks<F>())
    for_each_kernel(const __grid_constant__ Domain domain, const __grid_constant__ SiteBoxes boxes,
                    const __grid_constant__ F functor) {
  const unsigned inner = domain.inner == 1 ? 0u : blockIdx.x % static_cast<unsigned>(domain.inner);
  const unsigned group = domain.inner == 1 ? blockIdx.x : blockIdx.x / static_cast<unsigned>(domain.inner);
  int i;
  if (boxes.count() != 0) {
    i = boxes.site(group, threadIdx.x);
    if (i < 0) return;
  } else {
    i = domain.begin + static_cast<int>(group * blockDim.x + threadIdx.x);
    if (i >= domain.end) return;
    if (domain.list != nullptr) i = __ldg(domain.list + i);
  }
  functor(DeviceSite{i}, static_cast<int>(inner));
}

// Adds what the warps of a block have to the sums in global memory, limbs(k) being those of sum k. Called by
// all threads of a block together.
template <int sums, int warps, class Limbs>
__device__ __forceinline__ void add_block(const WarpSum (&total)[sums], const Limbs& limbs) {
  constexpr int digits = WarpSum::digits;
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  __shared__ int base[sums][warps];
  __shared__ std::int64_t digit[sums][warps][digits];
#pragma unroll
  for (int k = 0; k < sums; ++k) {
    if (lane == 0) base[k][warp] = total[k].base();
    if (lane < digits) digit[k][warp][lane] = total[k].mine();
  }
  __syncthreads();
  for (int j = static_cast<int>(threadIdx.x); j < sums * digits; j += 32 * warps) {
    const int k = j / digits, d = j % digits;
    int at = base[k][0] + d;
    std::int64_t sum = 0;
    for (int w = 0; w < warps; ++w) {  // mostly with one base
      const std::int64_t more = digit[k][w][d];
      if (more != 0 && base[k][w] + d != at) {
        add_digit(limbs(k), at, sum);
        at = base[k][w] + d;
        sum = 0;
      }
      sum += more;
    }
    add_digit(limbs(k), at, sum);
  }
}

template <class F>
__global__ void __launch_bounds__(reduce_block, reduce_blocks<F>())
    reduce_kernel(const __grid_constant__ Domain domain, const __grid_constant__ F functor,
                  std::int64_t* result) {
  constexpr int sums = F::sums, warps = reduce_block / 32;
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  // Found again where it is needed, seldom: a pointer that is kept takes registers.
  const auto limbs = [&](int k) {
    const auto place = blockIdx.z * static_cast<std::size_t>(domain.inner) +
                       static_cast<std::size_t>(place_of(functor, static_cast<int>(blockIdx.y)));
    return result + (place * sums + k) * ExactSum::size;
  };

  using Share = std::conditional_t<sums_in_threads<F>(), LaneSum, WarpSum>;
  Share total[sums];
  [[maybe_unused]] int adds = 0;
  const int stride = static_cast<int>(gridDim.x) * reduce_block, run = run_of(domain);
  const int begin = domain.begin + static_cast<int>(blockIdx.z) * run, end = begin + run;
  // Whole warps: lanes beyond the end add 0.
  for (int first = begin + static_cast<int>(blockIdx.x) * reduce_block + 32 * warp; first < end;
       first += stride) {
    const int i = first + lane;
    double values[sums] = {};
    if (i < end) {
      const DeviceSite site{domain.list != nullptr ? __ldg(domain.list + i) : i};
      functor(site, static_cast<int>(blockIdx.y), values);
    }
#pragma unroll
    for (int k = 0; k < sums; ++k) total[k].add(values[k], limbs(k));
    if constexpr (sums_in_threads<F>()) {
      if (++adds < ThreadSum<double>::most_adds) continue;
      adds = 0;
#pragma unroll
      for (int k = 0; k < sums; ++k) total[k].empty(limbs(k));
    }
  }

  if constexpr (sums_in_threads<F>()) {
    WarpSum of_warp[sums];
#pragma unroll
    for (int k = 0; k < sums; ++k) of_warp[k] = total[k].of_warp(limbs(k));
    add_block<sums, warps>(of_warp, limbs);
  } else {
    add_block<sums, warps>(total, limbs);
  }
}

// The work of a launch over a lattice, in pieces that a warp takes: the sites of one parity in a block of the
// lattice, with one inner index. Pieces of one block stand side by side.
struct LatticePiece {
  int parity, inner;
  DeviceSite site;  // index -1 where there is none
};
__device__ __forceinline__ LatticePiece lattice_piece(const LatticeBlocks& blocks, const Divisor& by_pieces,
                                                      unsigned piece) {
  const unsigned block = by_pieces.divide(piece), k = piece - block * by_pieces.value;
  const int parity = static_cast<int>(k & 1);
  return {parity, static_cast<int>(k >> 1),
          DeviceSite{blocks.site(block, threadIdx.x % LatticeBlocks::places, parity)}};
}

template <class F>
__global__ void __launch_bounds__(block_size<F>(), min_blocks<F>())
    for_each_lattice_kernel(const __grid_constant__ LatticeBlocks blocks,
                            const __grid_constant__ Divisor by_pieces, const __grid_constant__ F functor) {
  constexpr unsigned warps = block_size<F>() / LatticeBlocks::places;
  const auto piece =
      lattice_piece(blocks, by_pieces, blockIdx.x * warps + threadIdx.x / LatticeBlocks::places);
  if (piece.site.index >= 0) functor(piece.parity, piece.site, piece.inner);
}

template <class F>
__global__ void __launch_bounds__(block_size<F>(), min_blocks<F>())
    reduce_lattice_kernel(const __grid_constant__ LatticeBlocks blocks,
                          const __grid_constant__ Divisor by_pieces, const __grid_constant__ F functor,
                          std::int64_t* result) {
  constexpr int sums = F::sums, warps = block_size<F>() / LatticeBlocks::places;
  const auto limbs = [&](int k) { return result + k * ExactSum::size; };
  const unsigned pieces = blocks.count() * by_pieces.value;
  WarpSum total[sums];
  for (unsigned i = blockIdx.x * warps + threadIdx.x / LatticeBlocks::places; i < pieces;
       i += gridDim.x * warps) {
    const auto piece = lattice_piece(blocks, by_pieces, i);
    double values[sums] = {};
    if (piece.site.index >= 0) functor(piece.parity, piece.site, piece.inner, values);
#pragma unroll
    for (int k = 0; k < sums; ++k)
      if (__any_sync(0xffffffffu, values[k] != 0)) total[k].add(values[k], limbs(k));
  }
  add_block<sums, warps>(total, limbs);
}

template <class F>
__global__ void __launch_bounds__(256)
    reduce_max_kernel(const __grid_constant__ Domain domain, const __grid_constant__ F functor,
                      unsigned long long* result) {
  constexpr int maxima = F::maxima;
  unsigned long long largest[maxima] = {};
  const int stride = static_cast<int>(gridDim.x) * 256;
  for (int i = domain.begin + static_cast<int>(blockIdx.x * 256 + threadIdx.x); i < domain.end; i += stride) {
    const DeviceSite site{domain.list != nullptr ? __ldg(domain.list + i) : i};
    double values[maxima];
    functor(site, static_cast<int>(blockIdx.y), values);
#pragma unroll
    for (int k = 0; k < maxima; ++k) {
      const unsigned long long magnitude = to_magnitude(values[k]);
      if (magnitude > largest[k]) largest[k] = magnitude;
    }
  }
#pragma unroll
  for (int k = 0; k < maxima; ++k) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
      const auto other = __shfl_down_sync(0xffffffffu, largest[k], static_cast<unsigned>(offset));
      if (other > largest[k]) largest[k] = other;
    }
    if (threadIdx.x % 32 == 0) atomicMax(result + k, largest[k]);
  }
}

template <class F>
__global__ void __launch_bounds__(max_team_size<F>())
    for_each_team_kernel(const __grid_constant__ TeamDomain teams, const __grid_constant__ F functor) {
  extern __shared__ __align__(16) unsigned char team_scratch[];
  Team<Device> team(team_scratch, teams.scratch_bytes);
  functor(team, static_cast<int>(blockIdx.x));
}

// Blocks of a kernel that a device runs at the same time; devices of one process are alike.
template <auto kernel, int block>
int resident_blocks() {
  static const int count = [] {
    int device = 0, multiprocessors = 0, blocks = 0;
    check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
               "cudaDeviceGetAttribute");
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, 0),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return std::max(multiprocessors * blocks, 1);
  }();
  return count;
}

inline cudaStream_t stream_of(const Queue& queue) { return static_cast<cudaStream_t>(queue.stream()); }

}  // namespace detail

template <class F>
void for_each(const Domain& domain, const Queue& queue, const F& functor, const Launch& launch = {}) {
  const int block = detail::checked_block<F>(launch);
  if (domain.begin >= domain.end || runs_dry()) return;
  unsigned groups = static_cast<unsigned>((domain.end - domain.begin + block - 1) / block);
  SiteBoxes boxes;
  if (launch.box != BoxRows{}) {
    require(domain.shape != nullptr, "boxes of sites that are not a whole lattice");
    boxes = SiteBoxes(*domain.shape, launch.box);
    require(boxes.places() <= block, "a block with fewer threads than its box has sites");
    groups = boxes.count();
  }
  detail::for_each_kernel<F><<<groups* static_cast<unsigned>(domain.inner), static_cast<unsigned>(block), 0,
                               detail::stream_of(queue)>>>(domain, boxes, functor);
  check_launch(__func__);
}

template <class F>
void reduce(const Domain& domain, const Queue& queue, const F& functor, SumBuffer& result, int first_sum = 0,
            int blocks = 0) {
  if (domain.begin >= domain.end || runs_dry()) return;
  const int needed = (detail::run_of(domain) + detail::reduce_block - 1) / detail::reduce_block;
  // Twice as many as run at once, over all sums together: a device that is full to the end, few sums of
  // blocks. Of many sums, eight times as many, but one for each.
  const std::int64_t sums = std::int64_t{domain.inner} * domain.runs;
  const std::int64_t resident = detail::resident_blocks<detail::reduce_kernel<F>, detail::reduce_block>();
  const auto most =
      static_cast<int>(blocks != 0 ? blocks
                                   : std::max(2 * resident / sums,
                                              std::min((8 * resident + sums - 1) / sums, std::int64_t{8})));
  const dim3 grid(static_cast<unsigned>(needed < most ? needed : most), static_cast<unsigned>(domain.inner),
                  static_cast<unsigned>(domain.runs));
  detail::reduce_kernel<F><<<grid, detail::reduce_block, 0, detail::stream_of(queue)>>>(
      domain, functor, result.limbs() + static_cast<std::size_t>(first_sum) * ExactSum::size);
  check_launch(__func__);
}

template <class F>
void for_each(const LatticeDomain& domain, const Queue& queue, const F& functor) {
  if (runs_dry()) return;
  constexpr unsigned block = detail::block_size<F>(), warps = block / LatticeBlocks::places;
  const LatticeBlocks blocks(domain.geometry->shape(), domain.beyond);
  const auto pieces = static_cast<unsigned>(2 * domain.inner);  // of a block
  detail::for_each_lattice_kernel<F>
      <<<(blocks.count() * pieces + warps - 1) / warps, block, 0, detail::stream_of(queue)>>>(
          blocks, Divisor(pieces), functor);
  check_launch(__func__);
}

template <class F>
void reduce(const LatticeDomain& domain, const Queue& queue, const F& functor, SumBuffer& result) {
  require(domain.beyond == 0, "sums of sites that other ranks own");
  if (runs_dry()) return;
  constexpr unsigned block = detail::block_size<F>(), warps = block / LatticeBlocks::places;
  const LatticeBlocks blocks(domain.geometry->shape());
  const auto pieces = static_cast<unsigned>(2 * domain.inner);
  const auto most =
      2 * static_cast<unsigned>(detail::resident_blocks<detail::reduce_lattice_kernel<F>, block>());
  detail::reduce_lattice_kernel<F>
      <<<std::min((blocks.count() * pieces + warps - 1) / warps, most), block, 0, detail::stream_of(queue)>>>(
          blocks, Divisor(pieces), functor, result.limbs());
  check_launch(__func__);
}

template <class F>
std::array<double, F::maxima> reduce_max(const Domain& domain, const Queue& queue, const F& functor) {
  std::array<double, F::maxima> result{};
  if (domain.begin >= domain.end) return result;
  std::uint64_t magnitude[F::maxima];
  const Buffer largest(Location::device, sizeof(magnitude));
  if (runs_dry()) return result;
  queue.zero_async(largest.data(), sizeof(magnitude));
  const int needed = (domain.end - domain.begin + 255) / 256;
  const dim3 grid(static_cast<unsigned>(needed < 1056 ? needed : 1056), static_cast<unsigned>(domain.inner));
  detail::reduce_max_kernel<F>
      <<<grid, 256, 0, detail::stream_of(queue)>>>(domain, functor, largest.as<unsigned long long>());
  check_launch(__func__);
  queue.copy_async(magnitude, largest.data(), sizeof(magnitude));
  queue.synchronize();
  for (int k = 0; k < F::maxima; ++k) result[static_cast<std::size_t>(k)] = from_magnitude(magnitude[k]);
  return result;
}

template <class F>
void for_each_team(const TeamDomain& teams, const Queue& queue, const F& functor) {
  detail::check_teams<F>(teams);
  if (teams.count <= 0 || runs_dry()) return;
  if (teams.scratch_bytes > 48 * 1024) {  // more than that, a kernel must ask for
    check_cuda(
        cudaFuncSetAttribute(detail::for_each_team_kernel<F>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(teams.scratch_bytes)),
        "scratch memory of a team beyond what the device has");
  }
  detail::for_each_team_kernel<F>
      <<<static_cast<unsigned>(teams.count), static_cast<unsigned>(teams.team_size), teams.scratch_bytes,
         detail::stream_of(queue)>>>(teams, functor);
  check_launch(__func__);
}

}  // namespace plaq
