// Predicted time of Dirac operators on the slowest of many ranks. Pure functions.
//
// A hopping term on one parity, V/2 sites a rank, of which B have a neighbour on another rank, takes
//   T = L + P + max(I, X) + E
//   L  launches: one kernel; interior and boundary, two, where faces are exchanged
//   I  interior: bytes of the other V/2 - B sites / (memory bandwidth x share of the kernel), or their flops
//   /
//      peak where that takes longer
//   E  edges: the same of the B boundary sites, with a share of their own
//   P  packing: what is read for the faces, spinors of 24 reals and on one side of each direction a link, as
//      bytes / (memory bandwidth x share); it competes with I for the memory
//   X  exchange: latency + (n - 1) message + b / bandwidth for n faces of b bytes in all (LinkModel), of
//   those
//      that stay within the node and of those that leave it, whichever takes longer: they travel at once. The
//      launch and the stores of the packing kernel are in there.
// Staggered hops send color vectors of 6 reals, improved ones three layers ahead and four behind, and have
// boundary sites up to three steps from the edge. Domain walls are Wilson hops of all slices, and as many
// passes over the fifth dimension as there are hops (of M on all sites twice as many), which exchange nothing
// and count as interior.
//
// Where one launch does all (MachineModel::fused) L is one launch, E has the share of the interior, and P one
// of its own. Exposed communication is max(0, X - I) of each term. Faces go both ways in each partitioned
// direction mu; one has V / (2 X_mu) sites of 12 reals for each right-hand side: in half precision floats and
// a scale, or 16-bit numbers and a scale. Bytes and flops of a site are those of WilsonHopping::work. An
// even-odd operator is two such terms, the second of which adds; M on all sites two that add. Ranks are
// numbered x fastest and node by node, as ProcessGrid and launchers do; the rank whose X is longest counts,
// since all wait for it.
#pragma once

#include "core/lattice/geometry.hpp"
#include "core/operator/linear_operator.hpp"
#include "jobs/model/machine_model.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

// How a lattice lies on the ranks.
struct ModelPart {
  Extents global{}, grid{1, 1, 1, 1};
  std::uint32_t forced = 0;  // bit mu: exchanges faces with itself

  int ranks() const { return grid[0] * grid[1] * grid[2] * grid[3]; }
  Extents local() const;
  bool partitioned(int mu) const;
  double sites() const;  // of a rank, both parities
  // Those with a neighbour on another rank, up to so many steps away in one direction.
  double boundary_sites(int depth = 1) const;
  ModelPart on_one_rank() const { return {global}; }
  ModelPart alone() const { return {local()}; }  // the same local lattice without any exchange
};

// D on one parity; the Schur complement on one parity; M on all sites.
enum class OperatorKind { hop, even_odd, full };
// Staggered with one link, or with fat and long ones; domain walls of so many slices.
enum class ModelQuarks { wilson, staggered, improved, domain_wall };
struct ModelOperator {
  OperatorKind kind = OperatorKind::hop;
  bool clover = false;  // not of `hop`
  LinkStorage storage;
  int right_hand_sides = 1;
  bool temporal_gauge = false;
  bool short_faces = false;  // of 16-bit numbers
  ModelQuarks quarks = ModelQuarks::wilson;
  int slices = 1;  // of domain walls

  int subfields() const { return right_hand_sides * slices; }
  bool staggered() const { return quarks == ModelQuarks::staggered || quarks == ModelQuarks::improved; }
  int vector_reals() const { return staggered() ? 6 : 24; }  // of a site
};

// What a rank sends in one exchange.
struct ModelExchange {
  int near_faces = 0, far_faces = 0;
  double near_bytes = 0, far_bytes = 0;
};

// Seconds of one application: total = launches + packing + interior + exposed + boundary.
struct OperatorTime {
  double launches = 0, packing = 0, interior = 0, exposed = 0, boundary = 0;
  double total = 0;
  double communication = 0;   // X of all its exchanges, hidden or not
  double latency = 0;         // the part of it that is no matter of bytes
  bool far = false;           // X is that between nodes
  double one_rank = 0;        // the whole lattice on one rank
  double alone = 0;           // the same local lattice without any exchange
  double alone_launches = 0;  // of these
  int exchanges = 0;
  ModelExchange exchange;  // each of them
  int ranks = 1;
  // Of the rate that each rank would have with the whole lattice for itself: strong scaling.
  double efficiency() const { return one_rank / (ranks * total); }
  // Of the rate without exchange: weak scaling.
  double weak_efficiency() const { return alone / total; }
};

OperatorTime operator_time(const MachineModel& machine, const ModelOperator& op, const ModelPart& part);

// Of the rank for which it takes longest.
ModelExchange slowest_exchange(const MachineModel& machine, const ModelOperator& op, const ModelPart& part);
// X of the head, and the part of it that is no matter of bytes.
struct ExchangeTime {
  double seconds = 0, latency = 0;
  bool far = false;
};
ExchangeTime exchange_time(const MachineModel& machine, const ModelExchange& exchange);
// Bytes of the face of direction mu: one side, all right-hand sides.
double face_message_bytes(const ModelOperator& op, const ModelPart& part, int mu);
// Of a hopping term on so many sites of a lattice of that extent in time; of a pass over the fifth dimension.
Work hop_work(const ModelOperator& op, double sites, bool with_add, int time_extent);
Work fifth_work(const ModelOperator& op, double sites, bool with_add);
// One vector of one site and right-hand side.
double vector_bytes(const ModelOperator& op);

}  // namespace plaq::jobs
