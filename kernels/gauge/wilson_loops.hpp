// Wilson loops W(r, T) with two sides in time, of which the static potential is made: Wilson, Phys. Rev. D 10
// (1974) 2445; off the axes as in Bali, Schilling, Phys. Rev. D 46 (1992) 2636.
//
//   W(r, T) = < Re tr[ L(x) V(x; T) L(x+T)^dagger U(x; T)^dagger ] / 3 >,
//   U(x; T) = U_t(x) .. U_t(x+T-1),   V(x; T) = U(x+r; T),
//
// L(x): the product of links in space along a path from x to x + r. r = n step, and the path is n times that
// of one step, its hops one after the other where they stay nearest to the straight line. The average is over
// all sites and over all directions that turns and reflections make of the step, of which r and -r, the same
// loop backwards, count once: 3 of (1,0,0), 6 of (1,1,0), 4 of (1,1,1), 12 of (2,1,0), (2,1,1) and (2,2,1).
//
// To find all n and T, a path grows by a hop and a loop by a slice, each of which
// takes products with neighbours alone:
// any process grid, exact sums, the same bits on all. T and r may go around the lattice.
#pragma once

#include <vector>

#include "comms/halo/extended_halo.hpp"
#include "kernels/gauge/loop_step.hpp"

namespace plaq {

class WilsonLoops {
 public:
  // `like`: the gauge field, in double on geometry->extended(1) (the plain geometry where nothing is split).
  // Makes room for as many links again.
  WilsonLoops(const ProcessGrid& grid, const Field& like, std::shared_ptr<Transport> transport);
  static FieldSpec spec(Location location);  // of each of its two fields

  // W(n step, T) as [(n - 1) * max_t + T - 1], n = 1 .. count, T = 1 .. max_t. `gauge` has a filled halo.
  // Collective, waits for the queue. Throws an internal Error for a field of another kind, a step that is 0,
  // and numbers below 1.
  std::vector<double> operator()(const Field& gauge, const LoopStep& step, int count, int max_t,
                                 const Queue& queue);

 private:
  void hop(const Field& gauge, int hop, const Queue& queue);
  void rise(const Field& gauge, int max_t, const Queue& queue, SumBuffer& sums, int first);

  const ProcessGrid& grid_;
  Field ends_, work_;
  ExtendedHalo halo_;
};

}  // namespace plaq
