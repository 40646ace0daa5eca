// The finest lattice with a further twist on its even sites: the even-odd form of M + i mu gamma5 Pi_e is
// S + i mu gamma5.
#pragma once

#include "kernels/dirac/twist/twisted_schur.hpp"
#include "multigrid/hierarchy/level_operators.hpp"

namespace plaq {

class TwistedLevel final : public LevelOperators {
 public:
  // `level` has even-odd forms on even sites whose residual_is_full(), and must outlive this object.
  TwistedLevel(LevelOperators& level, double mu) : level_(level), mu_(mu) {}

  const ProcessGrid& grid() const override { return level_.grid(); }
  const std::shared_ptr<Transport>& transport() const override { return level_.transport(); }
  Twist twist() const override {
    const Twist before = level_.twist();
    return {before.even + mu_, before.odd};
  }
  // M without a twist.
  StencilOperator& full() override { return level_.full(); }
  std::unique_ptr<SchurOperator> reduced(int batch) override {
    return std::make_unique<TwistedSchur>(level_.reduced(batch), mu_);
  }
  std::unique_ptr<SchurOperator> smoothed(int batch) override {
    return std::make_unique<TwistedSchur>(level_.smoothed(batch), mu_);
  }

 private:
  LevelOperators& level_;
  double mu_;
};

}  // namespace plaq
