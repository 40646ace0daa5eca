#include "kernels/dirac/wilson/wilson_schur.hpp"

#include <bit>
#include <cmath>

#include "core/system/error.hpp"

namespace plaq {

WilsonSchur::WilsonSchur(WilsonHoppingPtr hopping, int parity, Form form, int batch, CloverBlocksPtr clover)
    : hopping_(std::move(hopping)), parity_(parity), form_(form), clover_(std::move(clover)) {
  require(!hopping_->rotates(parity), "a Schur complement cannot be on the parity whose links are rotated");
  require(hopping_->parameters().has_clover() ==
              (clover_ != nullptr && clover_->inverse[1 - parity] &&
               (form == Form::symmetric ? clover_->inverse[parity] : clover_->term)),
          "a Schur complement was made with another clover term than its parameters'");
  other_ = Field(geometry(),
                 spinor_spec(subset_of(1 - parity), batch, hopping_->precision(), hopping_->location()));
}

FieldSpec WilsonSchur::spec(int batch) const {
  return spinor_spec(subset_of(parity_), batch, hopping_->precision(), hopping_->location());
}

Work WilsonSchur::work(int batch) const {
  if (twisted()) {
    const auto sites = [&](const SiteDiagonal& diagonal, bool adds) {
      return site_diagonal_work(*geometry(), hopping_->precision(), diagonal, batch, adds);
    };
    const Work there = hopping_->work(batch, false) + sites(inverse(1 - parity_), false);
    if (form_ == Form::asymmetric) return there + sites(diagonal_here(), false) + hopping_->work(batch, true);
    return there + hopping_->work(batch, false) + sites(inverse(parity_), true);
  }
  const bool clover = clover_ != nullptr;
  const Work first = hopping_->work(batch, false, clover), second = hopping_->work(batch, true, clover);
  return {first.flops + second.flops, first.bytes + second.bytes};
}

void WilsonSchur::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  if (twisted()) return run_twisted(out, in, dagger, active);
  const int q = 1 - parity_;
  if (clover_ == nullptr) {
    const double d = hopping_->parameters().diagonal();
    HopSum first,
        sum = form_ == Form::symmetric ? HopSum{1, &in, -1 / (4 * d * d)} : HopSum{d, &in, -1 / (4 * d)};
    first.of_operator = sum.of_operator = true;
    hopping_->apply_stored(other_, in, q, dagger, active, first);
    return hopping_->apply_stored(out, other_, parity_, dagger, active, sum);
  }
  const HopSum first{0, nullptr, 1, &clover_->inverse[q]};
  if (form_ == Form::asymmetric) {
    hopping_->apply_stored(other_, in, q, dagger, active, first);
    hopping_->apply_stored(out, other_, parity_, dagger, active, {1, &in, -0.25, &clover_->term, true});
  } else if (!dagger) {
    hopping_->apply_stored(other_, in, q, dagger, active, first);
    hopping_->apply_stored(out, other_, parity_, dagger, active, {1, &in, -0.25, &clover_->inverse[parity_]});
  } else {  // S^dagger = 1 - D^dagger C_q^-1 D^dagger C_p^-1 / 4
    if (!here_) here_ = Field(geometry(), spec(other_.subfields()));
    apply_clover(here_, in, clover_->inverse[parity_], parity_, active, queue());
    hopping_->apply_stored(other_, here_, q, dagger, active, first);
    HopSum sum{1, &in, -0.25};
    sum.of_operator = true;
    hopping_->apply_stored(out, other_, parity_, dagger, active, sum);
  }
}

// With C + i mu gamma5 in the place of C.
void WilsonSchur::run_twisted(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  const int q = 1 - parity_;
  HopSum first, sum{1, &out, -0.25};
  first.of_operator = sum.of_operator = true;
  const Field* source = &in;
  if (form_ == Form::asymmetric) {
    apply_site_diagonal(out, in, diagonal_here(), parity_, dagger, active, queue());
  } else if (dagger) {  // S^dagger = 1 - D^dagger C_q^-dagger D^dagger C_p^-dagger / 4
    if (!here_) here_ = Field(geometry(), spec(other_.subfields()));
    apply_site_diagonal(here_, in, inverse(parity_), parity_, dagger, active, queue());
    source = &here_;
    sum.add = &in;
  } else {
    sum = {};
    sum.of_operator = true;
  }
  hopping_->apply_stored(other_, *source, q, dagger, active, first);
  apply_site_diagonal(other_, other_, inverse(q), q, dagger, active, queue());
  hopping_->apply_stored(out, other_, parity_, dagger, active, sum);
  if (form_ == Form::symmetric && !dagger)
    apply_site_diagonal(out, out, inverse(parity_), parity_, dagger, active, queue(), &in, -0.25);
}

void WilsonSchur::set_twist(double nu, int flavour) {
  require(twisted() && form_ == Form::asymmetric && (flavour == 1 || flavour == -1),
          "a ladder of twists inside a Schur complement that is not that of twisted-mass quarks");
  ladder_twist_ = nu;
  flavour_ = flavour;
}

int WilsonSchur::capturable(int batch) {
  const int state = hopping_->halo(batch).capturable();
  if (ladder_twist_ == 0 && flavour_ == 1) return state;
  const auto bits = std::bit_cast<std::uint64_t>(ladder_twist_);
  const int twist = both_states(static_cast<int>(bits >> 33), static_cast<int>(bits & 0x7fffffff));
  return both_states(state, both_states(twist, 2 + flavour_));
}

double WilsonSchur::residual_scale() const {
  if (form_ == Form::asymmetric) return 1;
  return std::hypot(hopping_->parameters().diagonal(), hopping_->parameters().twisted_mass);
}

void WilsonSchur::apply_inverse(Field& out, const Field& in, int parity, const ActiveSet& active) {
  if (twisted()) return apply_site_diagonal(out, in, inverse(parity), parity, false, active, queue());
  apply_clover(out, in, clover_->inverse[parity], parity, active, queue());
}

void WilsonSchur::to_stored(Field& out, const Field& in, const ActiveSet& active) {
  const int q = 1 - parity_;
  if (hopping_->rotates(q)) {
    rotate_color(out, in, q, hopping_->rotation(), false, active, queue());
  } else {
    copy_parity(out, in, q, queue());
  }
}

void WilsonSchur::from_stored(Field& out, const Field& in, const ActiveSet& active) {
  const int q = 1 - parity_;
  if (hopping_->rotates(q)) {
    rotate_color(out, in, q, hopping_->rotation(), true, active, queue());
  } else {
    copy_parity(out, in, q, queue());
  }
}

// S x_p = s (b_p + D_pq C_q^-1 b_q / 2), s = C_p^-1 for the symmetric form and 1 for the other.
void WilsonSchur::reduce_source(Field& reduced, const Field& full) {
  const ActiveSet all(full.subfields());
  const int q = 1 - parity_;
  const double d = hopping_->parameters().diagonal();
  if (clover_ == nullptr && !twisted()) {
    const double s = form_ == Form::symmetric ? 1 / d : 1;
    return hopping_->apply(reduced, full, parity_, false, all, {s, &full, s / (2 * d)});
  }
  to_stored(other_, full, all);
  apply_inverse(other_, other_, q, all);
  hopping_->apply_stored(reduced, other_, parity_, false, all, {1, &full, 0.5});
  if (form_ == Form::symmetric) apply_inverse(reduced, reduced, parity_, all);
}

// x_q = C_q^-1 (b_q + D_qp x_p / 2).
void WilsonSchur::reconstruct(Field& full, const Field& solution, const Field& full_source) {
  const ActiveSet all(full.subfields());
  const int q = 1 - parity_;
  const double d = hopping_->parameters().diagonal();
  if (clover_ == nullptr && !twisted()) {
    hopping_->apply(full, solution, q, false, all, {1 / d, &full_source, 1 / (2 * d)});
  } else {
    to_stored(other_, full_source, all);
    hopping_->apply_stored(other_, solution, q, false, all, {1, &other_, 0.5});
    apply_inverse(other_, other_, q, all);
    from_stored(full, other_, all);
  }
  copy_parity(full, solution, parity_, queue());
}

}  // namespace plaq
