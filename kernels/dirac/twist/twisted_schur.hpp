// An even-odd form S with a twist on its own parity p, W = S + i mu gamma5: the Schur complement of
// M + i mu gamma5 Pi_p, where Pi_p projects on that parity.
#pragma once

#include <memory>

#include "core/operator/schur_operator.hpp"

namespace plaq {

class TwistedSchur final : public SchurOperator {
 public:
  /// @param s  an even-odd form whose residual_is_full(); the first constructor keeps it, and of the second
  /// one it must outlive this object
  explicit TwistedSchur(std::unique_ptr<SchurOperator> s, double mu = 0)
      : owned_(std::move(s)), s_(*owned_), mu_(mu) {
    expect_form();
  }
  explicit TwistedSchur(SchurOperator& s, double mu = 0) : s_(s), mu_(mu) { expect_form(); }

  double mu() const { return mu_; }
  void set_mu(double mu) { mu_ = mu; }

  const GeometryPtr& geometry() const override { return s_.geometry(); }
  FieldSpec spec(int batch) const override { return s_.spec(batch); }
  const Queue& queue() const override { return s_.queue(); }
  Work work(int batch) const override;
  // Captured graphs have the mu that they were captured with.
  int capturable(int batch) override;

  int parity() const override { return s_.parity(); }
  double residual_scale() const override { return s_.residual_scale(); }
  bool residual_scale_is_exact() const override { return s_.residual_scale_is_exact(); }
  bool residual_is_full() const override { return true; }
  void reduce_source(Field& reduced, const Field& full) override { s_.reduce_source(reduced, full); }
  void reconstruct(Field& full, const Field& solution, const Field& full_source) override {
    s_.reconstruct(full, solution, full_source);
  }

 private:
  void expect_form() const;
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;

  std::unique_ptr<SchurOperator> owned_;
  SchurOperator& s_;
  double mu_;
};

}  // namespace plaq
