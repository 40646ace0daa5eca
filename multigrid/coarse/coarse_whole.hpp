// A coarse operator on a lattice without a checkerboard as it is: what an even-odd form is elsewhere.
#pragma once

#include <memory>
#include <utility>

#include "core/operator/schur_operator.hpp"

namespace plaq {

class CoarseWhole final : public SchurOperator {
 public:
  // `has_adjoint`: Gamma5 M Gamma5 = M^dagger.
  explicit CoarseWhole(std::shared_ptr<LinearOperator> m, bool has_adjoint = true)
      : m_(std::move(m)), has_adjoint_(has_adjoint) {}

  const GeometryPtr& geometry() const override { return m_->geometry(); }
  FieldSpec spec(int batch) const override { return m_->spec(batch); }
  const Queue& queue() const override { return m_->queue(); }
  Work work(int batch) const override { return m_->work(batch); }
  int capturable(int batch) override { return m_->capturable(batch); }

  int parity() const override { return 0; }  // which is all sites
  double residual_scale() const override { return 1; }
  bool residual_is_full() const override { return true; }
  void reduce_source(Field& reduced, const Field& full) override { copy_all(reduced, full); }
  void reduce_guess(Field& reduced, const Field& full) override { copy_all(reduced, full); }
  void reconstruct(Field& full, const Field& solution, const Field&) override { copy_all(full, solution); }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    require(!dagger || has_adjoint_, "the adjoint of a coarse operator with a twist");
    dagger ? m_->apply_dagger(out, in, active) : m_->apply(out, in, active);
  }
  void copy_all(Field& to, const Field& from) const { copy_parity(to, from, 0, queue()); }

  std::shared_ptr<LinearOperator> m_;
  bool has_adjoint_;
};

}  // namespace plaq
