#include "kernels/dirac/domain_wall/domain_wall_schur.hpp"

#include <cmath>

#include "core/system/error.hpp"
#include "kernels/dirac/domain_wall/domain_wall_launch.hpp"

namespace plaq {
namespace {

// sqrt(tr(A^T A) / Ls), A being what the program does.
double mean_growth(const FifthProgram& a) {
  double squares = 0;
  const std::size_t n = a.steps.size();
  for (std::size_t t = 0; t < n; ++t) {
    std::vector<double> unit(n, 0);
    unit[t] = 1;
    for (const double v : a.times(unit)) squares += v * v;
  }
  return std::sqrt(squares / static_cast<double>(n));
}

}  // namespace

DomainWallSchur::DomainWallSchur(WilsonHoppingPtr hopping, const DomainWallParameters& parameters, int parity,
                                 int batch)
    : hopping_(std::move(hopping)), parameters_(parameters), parity_(parity) {
  parameters_.check();
  parameters_.check_even_odd();
  expect_hopping(*hopping_, parameters_);
  require(!hopping_->rotates(parity), "a Schur complement cannot be on the parity whose links are rotated");
  // With R = omega^-1/2 Y: S1 = R X^-1, S2 = R^-1.
  std::array<FifthProgram, 2> m5, m5_dagger, s1, s2, s2_inverse;
  double squares = 0;
  for (const int chirality : {chiral_plus, chiral_minus}) {
    const FifthMatrices of(parameters_, chirality);
    const ShiftMatrix r = of.y.rows_times(of.inverse_root);
    const auto c = static_cast<std::size_t>(chirality);
    m5[c] = m5_program(parameters_, chirality, false);
    m5_dagger[c] = m5_program(parameters_, chirality, true);
    s1[c] = FifthProgram::product(&r, of.x, nullptr);
    s2[c] = FifthProgram::product(nullptr, r, nullptr);
    s2_inverse[c] = FifthProgram::product(r);
    const double growth = mean_growth(FifthProgram::product(&of.x, r, nullptr));
    squares += growth * growth / 2;
  }
  residual_scale_ = std::sqrt(squares);
  const auto table = [&](const std::array<FifthProgram, 2>& programs) {
    return FifthTable(programs, hopping_->precision(), hopping_->location());
  };
  m5_[0] = table(m5);
  m5_[1] = table(m5_dagger);
  s1_ = table(s1);
  s2_ = table(s2);
  s2_inverse_ = table(s2_inverse);
  other_ = Field(geometry(), five_dimensional_spec(subset_of(1 - parity_), batch, Ls(), hopping_->precision(),
                                                   hopping_->location()));
}

FieldSpec DomainWallSchur::spec(int batch) const {
  return five_dimensional_spec(subset_of(parity_), batch, Ls(), hopping_->precision(), hopping_->location());
}

// Fewest bytes: each hopping term takes the fifth dimension along.
Work DomainWallSchur::work(int batch) const {
  const int subfields = batch * Ls();
  const Work first = hopping_->work(subfields, false), second = hopping_->work(subfields, true);
  const double sites = static_cast<double>(geometry()->local_volume()) / 2 * subfields;
  return {2 * first.flops + sites * (fifth_flops(false) + fifth_flops(true)), first.bytes + second.bytes};
}

// Vectors on q stay in the gauge of the stored links, which the fifth dimension does not see.
void DomainWallSchur::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(in.subfields() == other_.subfields(), "a Schur complement was made for another batch");
  const int q = 1 - parity_;
  if (!dagger) {
    hop_fifth(other_, in, q, false, active);
    hop_fifth(out, other_, parity_, false, active, 1, &in, -0.25);
  } else {
    apply_fifth(out, in, m5_[1], parity_, active, queue());
    hop_fifth(other_, out, q, true, active);
    hopping_->apply_stored(out, other_, parity_, true, active.spread(Ls()), {1, &in, -0.25});
  }
}

void DomainWallSchur::hop_fifth(Field& out, const Field& in, int parity, bool dagger, const ActiveSet& active,
                                double a, const Field* add, double b) {
  const ActiveSet subfields = active.spread(Ls());
  const FifthTable& table = m5_[dagger ? 1 : 0];
  if (hopping_->location() != Location::host) {
    hopping_->apply_stored(out, in, parity, dagger, subfields, {});
    return apply_fifth(out, out, table, parity, active, queue(), a, add, b);
  }
  const HopSum sum{a, add, b};
  FifthHopCall call;
  static_cast<WilsonHopCall&>(call) = hopping_->call(out, in, parity, dagger, subfields, sum);
  if (active.count() == 0) return;
  call.table = &table;
  call.right_hand_sides = active;
  HaloWork work = hopping_->halo_work(in, subfields, sum);
  work.kernel.work.flops +=
      fifth_flops(add != nullptr) * static_cast<double>(geometry()->local_volume()) / 2 * subfields.count();
  work.fusible = false;
  apply_fifth_hop(hopping_->schedule(), hopping_->halo(in.subfields()), work, call);
}

// S1 b_p + M5 hop S1 b_q / 2.
void DomainWallSchur::reduce_source(Field& reduced, const Field& full) {
  const ActiveSet all(full.subfields() / Ls()), subfields = all.spread(Ls());
  apply_fifth(other_, full, s1_, 1 - parity_, all, queue());
  hopping_->apply(reduced, other_, parity_, false, subfields, {});
  apply_fifth(reduced, reduced, m5_[0], parity_, all, queue(), 0, nullptr, 0.5);
  apply_fifth(reduced, full, s1_, parity_, all, queue(), 1, &reduced, 1);
}

void DomainWallSchur::reduce_guess(Field& reduced, const Field& full) {
  apply_fifth(reduced, full, s2_inverse_, parity_, ActiveSet(full.subfields() / Ls()), queue());
}

// x'_q = S1 b_q + M5 hop x'_p / 2.
void DomainWallSchur::reconstruct(Field& full, const Field& solution, const Field& full_source) {
  const ActiveSet all(full.subfields() / Ls()), subfields = all.spread(Ls());
  const int q = 1 - parity_;
  hopping_->apply(other_, solution, q, false, subfields, {});
  apply_fifth(other_, other_, m5_[0], q, all, queue(), 0, nullptr, 0.5);
  apply_fifth(other_, full_source, s1_, q, all, queue(), 1, &other_, 1);
  apply_fifth(full, other_, s2_, q, all, queue());
  apply_fifth(full, solution, s2_, parity_, all, queue());
}

void DomainWallSchur::complete(Field& full, const Field& x) {
  const ActiveSet all(x.batch());
  const int q = 1 - parity_;
  hopping_->apply(full, x, q, false, all.spread(Ls()), {});
  apply_fifth(full, full, m5_[0], q, all, queue(), 0, nullptr, 0.5);
  copy_parity(full, x, parity_, queue());
}

void DomainWallSchur::complete_adjoint(Field& full, const Field& y) {
  const ActiveSet all(y.batch());
  const int q = 1 - parity_;
  apply_fifth(full, y, m5_[1], parity_, all, queue());
  hopping_->apply(full, full, q, true, all.spread(Ls()), {});
  apply_fifth(full, full, m5_[1], q, all, queue(), 0, nullptr, 0.5);
}

}  // namespace plaq
