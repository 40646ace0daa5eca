// Flags by which GPUs tell each other that faces have arrived: numbers in the receiver's memory that kernels
// write and await. Nothing waits for a host, so that a CUDA graph can capture all of it. For CUDA sources.
#pragma once

#if defined(PLAQ_WITH_CUDA)
#include <cstdint>

#include "core/launch/queue.hpp"

namespace plaq {

// The k-th exchange sets the receivers' flags to k: k itself lives in device memory.
struct PeerFlags {
  static constexpr int most = 16;
  std::uint64_t* sent_to[most] = {};        // flags in neighbours' memory
  std::uint64_t* received_from[most] = {};  // and in ours
  int sends = 0, receives = 0;
  std::uint64_t* started = nullptr;  // exchanges that this GPU has started, and finished
  std::uint64_t* finished = nullptr;
  unsigned* packed = nullptr;  // blocks that have packed, and warps that have waited, in the launch that runs
  unsigned* waited = nullptr;
  bool no_wait = false;  // raises flags, waits for none (Exchange::set_no_wait)
};

// After all that was queued before has reached the neighbours' memory.
void raise_flags(const PeerFlags& flags, const Queue& queue);
// Work that is queued later sees the data that neighbours stored before they raised their flags.
void await_flags(const PeerFlags& flags, const Queue& queue);

}  // namespace plaq
#endif
