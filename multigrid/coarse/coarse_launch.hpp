// The launches of coarse operators for one machine and storage.
#pragma once

#include <string_view>

#include "comms/halo/halo.hpp"
#include "core/operator/active_set.hpp"
#include "multigrid/coarse/coarse_links.hpp"

namespace plaq {

struct CoarseHopCall {
  const Field* links = nullptr;  // coarse_links_spec
  const Field* in = nullptr;
  const Field* out = nullptr;
  const Field* from = nullptr;  // out = from - M in, or from + M in if `adds`; may be `out`
  bool adds = false;
  const Halo* halo = nullptr;
  ActiveSet active;
  int parity = 0;  // of the sites that are written
  CoarseParts parts;
  bool gamma5 = false;  // Gamma5 M Gamma5
  int components = 0;
  std::string_view tuned_as;  // what these matrices of this many components are called; outlives the launch
};

// L: storage of the links, C: of vectors, float or double; float where L is Fixed8.
template <class Target, class L, class C>
struct CoarseLaunch {
  static void hop(const CoarseHopCall& call, Region region, const Queue& queue);
};
template <class Target, class C>
struct CoarsePackLaunch {
  static void pack(const CoarseHopCall& call, const Queue& queue);
  // out(X) = in(X + d), d a hop; without links.
  static void shift(const CoarseHopCall& call, int d, Region region, const Queue& queue);
};

}  // namespace plaq
