// Links of HISQ fermions (kernels/gauge/hisq_links.hpp) for molecular dynamics: V, W, F and N of links U, and
// the chain rule from gradients on F and N to the force on U. In double precision.
//
// The gradient Sigma on some links L, unitary or not, has dS = Re sum over links of tr(dL Sigma).
#pragma once

#include <memory>
#include <vector>

#include "comms/halo/extended_halo.hpp"
#include "core/sums/sum_buffer.hpp"
#include "kernels/gauge/hisq_force_launch.hpp"

namespace plaq {

class HisqSmearer {
 public:
  // Depth of the halo of U, at least.
  static constexpr int halo_depth = 2;
  // HISQ_FORCE_FILTER of MILC: where an eigenvalue of V^dagger V is below it, it is added to all three of
  // that link, in the force alone (kernels/site/u3_adjoint.hpp).
  static constexpr double usual_filter = 5e-5;

  // `geometry`: of U, extended by halo_depth or more. `plain`: without halo. `epsilons`: one or more, all
  // different. The grid must outlive this object. Throws Error(job_file) unless epsilons are finite and the
  // filter is finite and not negative.
  HisqSmearer(const ProcessGrid& grid, GeometryPtr geometry, GeometryPtr plain, std::vector<double> epsilons,
              double filter, const Queue& queue, std::shared_ptr<Transport> transport);

  // V, W, F and N of these links, which have a filled halo. Waits for the queue. Collective.
  void smear(const Field& links);
  // F of an epsilon, by its number, and N, which is the same for all; on the lattice without halo.
  const Field& fat(std::size_t k) const { return fat_[k]; }
  const Field& three() const { return three_; }

  // Sets all gradients to 0. Queued.
  void begin_force();
  // Sigma of F and of N, on `geometry`: terms are added to the owned sites. The gradient on N has the
  // coefficient of the operator.
  Field& fat_gradient(std::size_t k);
  Field& three_gradient();
  // F <- F - TA(U Sigma_U)/2 with the links of smear(); overwrites the gradients. `force`: algebra_spec(),
  // owned sites count. Collective.
  void carry_back(Field& force, const Field& links);

  // Links that the filter acted on, on all ranks, since the last call. Waits for the queue. Collective.
  std::int64_t take_filtered();

 private:
  void expect_geometry(const Field& links) const;
  void record_smearing(const Geometry& geometry) const;
  void record_chain_rule(const Geometry& geometry) const;

  const ProcessGrid& grid_;
  std::vector<double> epsilons_;
  double filter_;
  Queue queue_;
  FatLinkSpace space_;
  Field v_, w_, gradient_;  // gradient_: of W and of V, and work space of smear()
  std::vector<Field> fat_, fat_gradients_;
  std::vector<bool> has_gradient_;  // since begin_force()
  Field three_, three_gradient_;
  bool has_three_gradient_ = false;
  ExtendedHalo halo_;
  SumBuffer filtered_;
};

}  // namespace plaq
