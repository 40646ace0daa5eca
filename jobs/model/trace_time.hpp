// Predicted time of the trace of a dry run (core/system/performance_trace.hpp), on the slowest of
// many ranks. Pure functions. A kernel on the V sites of a rank, of which B need a neighbour's faces, takes
//   T = L + max(P + I, X) + E,   where a link hides all of an exchange
//   L  launches: one kernel; interior and boundary, two, where faces are exchanged
//   I  interior: bytes of the other V - B sites / (memory bandwidth x share of the kernel), or their
//      flops / peak where that takes longer
//   E  edges: the same of the B boundary sites, FaceCosts::end, and FaceCosts::site for each of them and each
//      right-hand side
//   P  packing: FaceCosts::start, and what is read for the faces, as bytes / (memory bandwidth x share); it
//      competes with I for the memory
//   X  exchange: latency + (n - 1) message + b / bandwidth for n faces of b bytes in all (LinkModel), of
//      those that stay within the node and of those that leave it, whichever takes longer: they travel at
//      once, but for the share of the other that its link does not hide (LinkModel::hidden). The launch and
//      the stores of the packing kernel are in there.
// If one launch does all (MachineModel::fused) L is one launch, and the costs of faces are those of one
// launch. Exposed communication is X less what is hidden, the link's share of min(X, P + I), or X where
// nothing is computed meanwhile. Ranks are
// numbered x fastest and node by node, as ProcessGrid and launchers do; the rank whose X is longest counts,
// since all wait for it. Sums take MachineModel::sum_seconds.
#pragma once

#include <string>

#include "core/system/performance_trace.hpp"
#include "jobs/model/machine_model.hpp"

namespace plaq::jobs {

// Messages of the rank that has most to send, in one exchange.
struct ModelExchange {
  int near_faces = 0, far_faces = 0;
  double near_bytes = 0, far_bytes = 0;
};
ModelExchange slowest_exchange(const MachineModel& machine, const TraceFaces& faces);

// Seconds of a step, or of all steps of one pass of a section.
struct TraceTime {
  double launches = 0, packing = 0, interior = 0, exposed = 0, boundary = 0;  // of kernels, but for
  double vectors = 0;  // updates of vectors, with their launches
  double sums = 0;
  double communication = 0;   // X, hidden or not
  double latency = 0;         // the part of it that is no matter of bytes
  bool far = false;           // X is that between nodes
  double one_rank = 0;        // the whole lattice on one rank
  double alone = 0;           // the same local lattice without any exchange
  double alone_launches = 0;  // of these; those of vector updates apart
  double update_launches = 0, one_rank_sums = 0;
  int ranks = 1;
  double total() const { return launches + packing + interior + exposed + boundary + vectors + sums; }
  // Relative to the rate that each rank would have with the whole lattice for itself: strong scaling.
  double efficiency() const { return one_rank / (ranks * total()); }
  // Relative to the rate without exchange: weak scaling.
  double weak_efficiency() const { return alone / total(); }
  void add(const TraceTime& other, double times);
};
TraceTime step_time(const MachineModel& machine, const TraceStep& step, int ranks);
TraceTime section_time(const MachineModel& machine, const PerformanceTrace::Section& section);

// Part that takes most of the time that is lost against one rank: "latency between nodes", "bandwidth between
// nodes", the same "within the node", "packing", "boundary sites", "launches", "sums"; "nothing" below 5% of
// the whole.
std::string limiting_part(const TraceTime& time);

}  // namespace plaq::jobs
