#include "quarks/solve/low_mode_pairs.hpp"

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "kernels/blas/operations.hpp"
#include "kernels/field/shift.hpp"
#include "quarks/operator/dirac_operators.hpp"

namespace plaq {

LowModePairs::LowModePairs(const FermionLinks& links, const ActionPtr& action, Preconditioning form,
                           const Field& modes, const std::vector<double>& values)
    : count_(static_cast<int>(values.size())),
      one_(*links.grid, links.queue, 1),
      spec_(action->full_spec(1, links.queue.location())),
      phi_(modes.geometry_ptr(), spec_, one_, count_),
      chi_(modes.geometry_ptr(), spec_, one_, count_) {
  require(modes.subfields() >= count_ && modes.spec().Ls == 1, "low modes that are not one spinor each");
  const MemoryName name("pairs of low modes");
  DiracOperators operators(links, action, form, 1);
  const auto stored = operators.outer(high_precision_storage);
  operators.release_clover();
  require(stored->schur() != nullptr, "low modes of an operator without an even-odd form");
  SchurOperator& s = *stored->schur();
  const Queue& queue = links.queue;
  FieldSpec single = modes.spec();
  single.subfields = 1;
  Field read(s.geometry(), single), v(s.geometry(), s.spec(1)), image(s.geometry(), s.spec(1));
  Field none(s.geometry(), spec_), full(s.geometry(), spec_), turned(s.geometry(), spec_);
  const auto turn = [&](Field& out, const Field& in) {
    multiply_spins(out, gamma5(), in, queue);
    queue.synchronize();
    out.touch();
  };
  for (int i = 0; i < count_; ++i) {
    copy_subfield(read, 0, modes, i);
    copy(v, read);
    s.reconstruct(phi_[i], v, none);
    s.apply(image, v);
    auto scale = one_.coefficients(one_.all());
    set(scale[0], 0, 1 / values[static_cast<std::size_t>(i)]);
    one_.update<blas::Scale>(scale, {&image, &image});
    queue.synchronize();
    // R acts on a source on the even sites alone as on b'.
    one_.update<blas::Zero>(one_.coefficients(one_.all()), {&full});
    copy_parity(full, image, s.parity(), queue);
    queue.synchronize();
    full.touch();
    s.reduce_source(image, full);
    copy_parity(full, image, s.parity(), queue);
    queue.synchronize();
    full.touch();
    turn(turned, full);
    copy_parity(v, turned, s.parity(), queue);
    queue.synchronize();
    v.touch();
    s.reconstruct(full, v, none);
    turn(chi_[i], full);
  }
}

void LowModePairs::apply(Field& x, const Field& b) {
  require(x.spec().subfields == b.spec().subfields, "as many columns as there are in the source");
  Field column(b.geometry_ptr(), spec_);
  for (int i = 0; i < b.subfields(); ++i) {
    copy_subfield(column, 0, b, i);
    const auto overlaps = chi_.overlaps(count_, column);
    one_.update<blas::Zero>(one_.coefficients(one_.all()), {&column});
    phi_.add(overlaps, count_, column);
    one_.queue().synchronize();
    column.touch();
    copy_subfield(x, i, column, 0);
  }
  x.touch();
}

}  // namespace plaq
