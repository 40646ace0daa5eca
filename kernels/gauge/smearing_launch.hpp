// The launches behind link smearing, the Wilson flow and clover-leaf observables for one machine and
// precision. Fields live on an extended geometry; those that are read have a filled halo, of those that are
// written the owned sites are.
#pragma once

#include "core/field/field.hpp"
#include "core/sums/sum_buffer.hpp"

namespace plaq {

// Directions 0 .. directions-1 are smeared with staples among themselves: 3 or 4.
struct ApeCall {
  double alpha;
  int directions;
};
struct StoutCall {
  double rho;
  int directions;
};

// kernels/site/hyp_link.hpp
struct HypCall {
  double alpha;
  int level;
  bool in_space;
};

// kernels/site/flow_stage.hpp
struct FlowStageCall {
  double step, previous;
  bool keep;
};

template <class Target, class T>
struct SmearingLaunch {
  static void ape(const Field& gauge, Field& smeared, const ApeCall& call, const Queue& queue);
  static void stout(const Field& gauge, Field& smeared, const StoutCall& call, const Queue& queue);
  // `out`: the decorated links of level 1 or 2, or smeared ones.
  static void hyp(const Field& gauge, const Field& decorated, Field& out, const HypCall& call,
                  const Queue& queue);
  static void flow_stage(const Field& gauge, Field& flowed, const Field& algebra, const FlowStageCall& call,
                         const Queue& queue);
  // Two sums over the owned sites, kernels/site/clover_leaf.hpp.
  static void clover_sums(const Field& gauge, const Queue& queue, SumBuffer& sums);
};

// The decorated links of a level of HYP smearing.
inline constexpr int decorated_links = 12;
FieldSpec decorated_spec(Precision precision, Location location);

}  // namespace plaq
