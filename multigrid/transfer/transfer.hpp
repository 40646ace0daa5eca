// P and R = P^dagger between a lattice and the coarse one of its aggregates (Clark et al. 2016, section 3.4).
// Vectors in five dimensions (five_dimensional_spec) have all slices of their sites in an aggregate.
//
// The columns of P are near-null vectors cut to aggregates and made orthonormal there, so that P^dagger
// P = 1. Where chirality is kept, gamma5 P = P Gamma5, Gamma5 being 1 on the first half of a coarse site's
// components and -1 on the second.
#pragma once

#include <string>

#include "comms/grid/process_grid.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/linear_operator.hpp"
#include "multigrid/transfer/aggregation.hpp"
#include "multigrid/transfer/transfer_launch.hpp"

namespace plaq {

// Linear independence of the vectors in the aggregates of all ranks.
struct Orthonormality {
  double least_pivot = 1;  // least |v_k, orthogonal to those before| / |v_k|
  // Columns that depend on those before, or are left out since there are no more singular vectors: they are
  // 0, and so are their coarse components.
  std::int64_t dropped = 0;
};

class Transfer {
 public:
  // `vectors`: one right-hand side each, on both parities of the fine lattice, in single or double precision.
  // They are kept in `storage`. `most`: where there are more vectors, so many of each aggregate and
  // chirality, the leading left singular vectors there; 0: all. Collective over the grid. Throws
  // Error(job_file) where more than rows of an aggregate are to be kept, or there are more vectors to
  // choose from than most_truncated.
  Transfer(const ProcessGrid& grid, Aggregation aggregation, const Field& vectors, Precision storage,
           const Queue& queue, int most = 0);

  const Aggregation& aggregation() const { return aggregation_; }
  int vectors() const { return v_.subfields(); }
  const Orthonormality& orthonormality() const { return orthonormality_; }
  // Spec of coarse vectors; their precision is the one in which fine ones of `fine` are computed.
  FieldSpec coarse_spec(int batch, Precision fine) const;

  // coarse = R fine. What `fine` does not hold of a parity counts as 0. Queued; the same bits in any batch
  // and on any process grid.
  void restrict(Field& coarse, const Field& fine, const ActiveSet& active) const;
  // Restricts what a hop has made: the sites from which it leads to the next aggregate in the directions in
  // which `across` has a step, and to this one in its others. No step is longer than a block.
  void restrict_hop(Field& coarse, const Field& fine, const Offset& hop, const Offset& across,
                    const ActiveSet& active) const;
  // fine = P coarse, or fine += P coarse, on the parities that `fine` holds.
  void prolong(Field& fine, const Field& coarse, const ActiveSet& active) const {
    run_prolong(fine, coarse, active, false);
  }
  void add_prolonged(Field& fine, const Field& coarse, const ActiveSet& active) const {
    run_prolong(fine, coarse, active, true);
  }
  // Work of R or P on one parity.
  Work work(int batch, Precision fine) const;
  // The near-null vectors as they are kept, Aggregation::vectors_spec.
  const Field& kept() const { return v_; }

 private:
  void run_restrict(Field& coarse, const Field& fine, const HopSites& sites, const ActiveSet& active) const;
  void run_prolong(Field& fine, const Field& coarse, const ActiveSet& active, bool add) const;
  void expect_fields(const Field& fine, const Field& coarse) const;
  void record_work(const char* name, const Field& fine, const ActiveSet& active) const;

  Aggregation aggregation_;
  Queue queue_;
  Field v_;
  Orthonormality orthonormality_;
  std::string restrict_name_, prolong_name_;  // of tuned launches
};

}  // namespace plaq
