#include "multigrid/coarse/coarse_schur.hpp"

#include <utility>

namespace plaq {

CoarseSchur::CoarseSchur(std::shared_ptr<CoarseOperator> full, Hat hat, int parity, int batch,
                         bool has_adjoint)
    : full_(std::move(full)),
      hat_(std::move(hat)),
      parity_(parity),
      has_adjoint_(has_adjoint),
      other_(geometry(),
             [&] {
               FieldSpec spec = hat_.hops->spec(batch);
               spec.subset = subset_of(1 - parity);
               return spec;
             }()),
      here_(geometry(), spec(batch)) {
  require(geometry()->parities() == 2, "an even-odd form on a lattice without a checkerboard");
  for (const auto* part : {&hat_.hops, &hat_.inverse})
    require(full_->queue().stream() == (*part)->queue().stream(), "parts of an even-odd form on two queues");
}

FieldSpec CoarseSchur::spec(int batch) const {
  FieldSpec spec = hat_.hops->spec(batch);
  spec.subset = subset_of(parity_);
  return spec;
}

void CoarseSchur::apply_schur(Field& out, const Field& in, bool gamma5, const ActiveSet& active) {
  hat_.hops->apply_parity(other_, in, 1 - parity_, coarse_hops_alone, gamma5, active);
  hat_.hops->apply_parity(out, other_, parity_, coarse_hops_alone, gamma5, active, &in);
}

// Gamma5 M Gamma5 = M^dagger, so S^dagger = Gamma5 X S X^-1 Gamma5.
void CoarseSchur::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  if (!dagger) return apply_schur(out, in, false, active);
  require(has_adjoint_, "the adjoint of a coarse operator with a twist");
  hat_.inverse->apply_parity(out, in, parity_, coarse_site_alone, true, active);
  apply_schur(here_, out, true, active);
  full_->apply_parity(out, here_, parity_, coarse_site_alone, true, active);
}

void CoarseSchur::full_residual(Field& out, const Field& r, const ActiveSet& active) {
  full_->apply_parity(out, r, parity_, coarse_site_alone, false, active);
}

void CoarseSchur::reduce_source(Field& reduced, const Field& full) {
  const ActiveSet all(full.batch());
  hat_.inverse->apply_parity(other_, full, 1 - parity_, coarse_site_alone, false, all);
  hat_.inverse->apply_parity(reduced, full, parity_, coarse_site_alone, false, all);
  hat_.hops->apply_parity(reduced, other_, parity_, coarse_hops_alone, false, all, &reduced);
}

void CoarseSchur::reconstruct(Field& full, const Field& solution, const Field& full_source) {
  const ActiveSet all(full.batch());
  copy_parity(full, solution, parity_, queue());
  hat_.inverse->apply_parity(other_, full_source, 1 - parity_, coarse_site_alone, false, all);
  hat_.hops->apply_parity(full, full, 1 - parity_, coarse_hops_alone, false, all, &other_);
}

}  // namespace plaq
