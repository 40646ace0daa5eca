// Model of a machine of many GPUs, in numbers, for predictions of time without it. Seconds, bytes, bytes a
// second.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/system/location.hpp"
#include "jobs/model/kernel_kind.hpp"

namespace plaq::jobs {

// One rank's exchange of several faces at once with others, sending and receiving as much:
//   T(n faces of b bytes in all) = latency + (n - 1) message + b / bandwidth,
// from the launch of the kernel that fills the send memory until what the others sent is there. Constants are
// fitted by `plaq bench network` (jobs/model/link_fit.hpp).
struct LinkModel {
  double latency = 0;    // of an exchange of one face
  double message = 0;    // more for each further face
  double bandwidth = 0;  // of what one rank sends, all faces together
  // Share that goes on while the rank computes, or exchanges through the other link: 1 where a network card
  // or a GPU moves the bytes, less where the rank's own processor does.
  double hidden = 1;
  double latency_of(int faces) const { return faces == 0 ? 0 : latency + (faces - 1) * message; }
  double seconds(int faces, double bytes) const {
    return faces == 0 ? 0 : latency_of(faces) + bytes / bandwidth;
  }
};

// Share of the memory bandwidth that a kernel reaches: the fewest bytes that it must move, over its time and
// over the bandwidth.
struct KernelShare {
  KernelKind kernel = KernelKind::wilson_hop;
  Precision precision = Precision::double_precision;
  int reconstruction = 0;    // 0: there are no links, or it is no choice
  int right_hand_sides = 1;  // of one batch
  bool temporal_gauge = false;
  double share = 1;
  bool measured = false;  // by a benchmark that a file holds
};

// Cost of an exchange of faces to the kernel that has it, beside the bytes that are packed.
struct FaceCosts {
  double start = 0;  // before the sites inside: blocks that pack come first, or a launch waits for theirs
  double end = 0;    // before the sites at the edges, when faces have arrived: a launch waits for the event
  // More for each site that needs a neighbour's, and each right-hand side or slice: slices beside it have
  // left the cache, and ghosts are unpacked. By the precision of the vectors.
  double half_site = 0, single_site = 0, double_site = 0;
  double site(Precision precision) const;
};

struct MachineModel {
  std::string name;                         // "h200"
  std::vector<std::string> origin;          // where the numbers come from, a sentence each
  int ranks_per_node = 1;                   // ranks are numbered node by node
  double memory = 0;                        // of one GPU; 0: unknown
  double memory_bandwidth = 0;              // of copy and triad, one rank
  double peak_single = 0, peak_double = 0;  // flops a second; 0: never the limit
  std::vector<KernelShare> shares;
  // Cost of each launch beside its bytes, where the host is ahead.
  double launch = 0;
  // Time of kernels and of their faces, over that of the benchmark of one rank that gave shares: ranks of a
  // node that share its processor.
  double crowding = 1;
  LinkModel near, far;  // within a node, between nodes
  // One launch packs, exchanges and computes where nothing leaves the node, as the transport peer lets it for
  // one right-hand side and in double precision.
  bool fused = false;
  double fused_latency = 0;  // of an exchange in that launch, if shorter than that of `near`; 0: not
  FaceCosts in_one_launch, in_launches;  // fused, and in launches of their own: packing, interior, boundary
  // A sum that the host waits for, before it goes over ranks: reduction, fetch, new coefficients.
  double sum_wait = 0;
  // One that stays on the GPUs of a node; 0: there is none, the host waits for all.
  double device_sum = 0;
  // The sum over ranks takes log2 of their number steps: by the GPUs of a node; by hosts within a node and
  // between nodes.
  double device_sum_step = 0, near_sum_step = 0, far_sum_step = 0;

  // Share of the bandwidth, from the entry that is nearest to what is asked for. The entry must agree in this
  // order: the kernel (an operator without an entry takes the hopping term's; kernels after clover_operator
  // have entries of their own), precision, temporal gauge, right-hand sides, reals. 1 if there is no entry at
  // all.
  double share(KernelKind kernel, Precision precision, int reconstruction = 0, int right_hand_sides = 1,
               bool temporal_gauge = false) const;
  // Replaces the entry of the same kind, or joins.
  void set_share(const KernelShare& share);
  // Measured shares become those of this bandwidth: rates stay.
  void set_memory_bandwidth(double bandwidth);
  // Time of a kernel beside its launch: the bytes at that share, or the flops at the peak if that takes
  // longer.
  double kernel_seconds(double bytes, double share, double flops, Precision precision) const;
  // The sums of so many numbers over all ranks, each of which travels as an ExactSum: waited for by the host,
  // or, within a node and where there is such a thing, by the GPUs alone.
  double sum_seconds(int ranks, int count, bool on_device = false) const;
  // Throws Error(usage) where so many ranks need a constant that is not there.
  void check_complete(int ranks) const;
};

// The built-in machines (jobs/model/machines.cpp). Throws Error(usage) for a name that is none of them.
const std::vector<std::string>& machine_names();
MachineModel machine_named(std::string_view name);

}  // namespace plaq::jobs
