// The launches of domain-wall operators for one machine and storage: in the fifth dimension, and what puts
// chiralities of 4D and 5D fields together (kernels/dirac/domain_wall/chiral_join.hpp), which has no half
// precision.
#pragma once

#include "core/field/field.hpp"
#include "core/operator/active_set.hpp"
#include "kernels/dirac/wilson/wilson_launch.hpp"

namespace plaq {

class FifthTable;

struct FifthCall {
  const Field* in = nullptr;
  const Field* add = nullptr;
  Field* out = nullptr;
  const FifthTable* table = nullptr;
  double a = 0, b = 1;
  int parity = 0;
  ActiveSet active;  // right-hand sides
};

template <class Target, class S>
struct FifthLaunch {
  static void run(const FifthCall& call, const Queue& queue);
};

// out = a add + b M D in with a matrix M in the fifth dimension: a hopping term whose store is the matrix.
struct FifthHopCall : WilsonHopCall {
  const FifthTable* table = nullptr;
  ActiveSet right_hand_sides;  // `active` has their slices
};

// On a host. Devices have no such kernel: docs/notes/trials.md.
void apply_fifth_hop(Schedule& schedule, Halo& halo, const HaloWork& work, const FifthHopCall& call);

// A field whose subfield stride * k + first is that of right-hand side k.
struct ChiralPart {
  const Field* field = nullptr;
  int stride = 1, first = 0;
};
// out = P_+ plus + P_- minus on both parities for right-hand sides 0..count-1; a part without field is 0.
// `out` may be one of the fields where subfields are the same. Queued.
void join_chiralities(Field& out, int out_stride, int out_first, const ChiralPart& plus,
                      const ChiralPart& minus, int count, const Queue& queue);

template <class Target, class S>
void launch_chiral_join(const ChiralPart& out, const ChiralPart& plus, const ChiralPart& minus, int count,
                        const Queue& queue);

}  // namespace plaq
