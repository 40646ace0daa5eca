#include "kernels/dirac/staggered/staggered_schur.hpp"

#include <cmath>

#include "core/system/error.hpp"

namespace plaq {

StaggeredSchur::StaggeredSchur(StaggeredHoppingPtr hopping, int parity, int batch)
    : hopping_(std::move(hopping)), parity_(parity), mass_(hopping_->parameters().mass) {
  require(!hopping_->rotates(parity), "a Schur complement cannot be on the parity whose links are rotated");
  if (mass_ == 0)
    throw Error(ErrorKind::job_file,
                "the even-odd form of staggered fermions needs a mass other than 0, by which it divides");
  other_ = Field(geometry(),
                 staggered_spec(subset_of(1 - parity), batch, hopping_->precision(), hopping_->location()));
}

FieldSpec StaggeredSchur::spec(int batch) const {
  return staggered_spec(subset_of(parity_), batch, hopping_->precision(), hopping_->location());
}

Work StaggeredSchur::work(int batch) const {
  const Work first = hopping_->work(batch, false), second = hopping_->work(batch, true);
  return {first.flops + second.flops, first.bytes + second.bytes};
}

double StaggeredSchur::residual_scale() const { return 1 / std::abs(mass_); }

// Hermitian: the dagger is the same.
void StaggeredSchur::run(Field& out, const Field& in, bool, const ActiveSet& active) {
  hopping_->apply_stored(other_, in, 1 - parity_, false, active);
  hopping_->apply_stored(out, other_, parity_, false, active, {mass_ * mass_, &in, -0.25});
}

void StaggeredSchur::reduce_source(Field& reduced, const Field& full) {
  hopping_->apply(reduced, full, parity_, false, ActiveSet(full.subfields()), {mass_, &full, -0.5});
}

void StaggeredSchur::reconstruct(Field& full, const Field& solution, const Field& full_source) {
  hopping_->apply(full, solution, 1 - parity_, false, ActiveSet(full.subfields()),
                  {1 / mass_, &full_source, -0.5 / mass_});
  copy_parity(full, solution, parity_, queue());
}

}  // namespace plaq
