// Forces of staggered quarks in double precision: on the links of hops of one step, or gradients of fat and
// long links. A term of the action whose variation is
//   dS = (1/2) Re sum_i k_i Z_i,even^dagger dD_eo Z_i,odd,
// with color vectors Z_i on all sites that do not depend on the links and D of
// kernels/dirac/staggered/staggered_hop.hpp, has the force F = -TA(N)/2 of
// kernels/dirac/force/staggered_pairs.hpp: dS/de = 2 sum of -tr(F T) under U -> exp(e T) U. Improved quarks
// have links F in hops of one step and c N in those of three, and
//   dS = Re sum over links of tr(dF Sigma_F) + tr(dN Sigma_N),
// with Sigma of kernels/dirac/force/hop_force.hpp, w = 1/2 for F and w = c/2 for N.
#pragma once

#include "kernels/dirac/force/pairs_on_links.hpp"

namespace plaq {

class StaggeredForce {
 public:
  // `geometry`: of the links, extended by at least 1 where directions are split. `boundary`: sign of each
  // direction's boundary condition. The grid must outlive this object. Fields are collected, and `batch` of
  // them (1 to 16) are read in one pass over the links.
  StaggeredForce(const ProcessGrid& grid, GeometryPtr geometry, const std::array<int, 4>& boundary,
                 const Queue& queue, std::shared_ptr<Transport> transport, int batch = 1);

  int batch() const { return pairs_.batch(); }

  // Begins a force: sets it to 0.
  void begin(Field& force);
  // Adds the term of Z = z with weight k, for each right-hand side of z: both parities, 3 complex numbers in
  // double precision, without halo; it may change afterwards. `links` have a filled halo. Collective.
  void add(Field& force, const Field& links, const Field& z, double k);
  // Completes the force: terms that were collected. Collective.
  void finish(Field& force, const Field& links);

  // Gradients of the links of improved quarks: any 3x3 matrices on the geometry of the links, in double
  // precision.
  struct Gradients {
    Field &fat, &naik;
    double coefficient;  // c of long links
  };
  // Begins gradients, which are left as they are: forgets terms that were collected.
  void begin_gradients() { pairs_.clear(); }
  // Act like add() and finish(). The geometry is extended by at least 3 where directions are split.
  void add_gradients(const Gradients& gradients, const Field& z, double k);
  void finish_gradients(const Gradients& gradients);

 private:
  std::array<int, 4> boundary_;
  Queue queue_;
  PairsOnLinks pairs_;
};

}  // namespace plaq
