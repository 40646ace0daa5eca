// The operators of a lattice with Wilson quarks, as multigrid asks for them.
#pragma once

#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "multigrid/hierarchy/level_operators.hpp"
#include "tests/solvers/wilson_system.hpp"

namespace plaq::test {

class WilsonLevel final : public LevelOperators {
 public:
  // In single precision, or in another one. The system must outlive this object.
  WilsonLevel(WilsonSystem& system, std::shared_ptr<Transport> transport, WilsonHoppingPtr hop)
      : system_(system), transport_(std::move(transport)), hop_(std::move(hop)), m_(hop_) {}

  const ProcessGrid& grid() const override { return system_.grid; }
  const std::shared_ptr<Transport>& transport() const override { return transport_; }
  WilsonOperator& full() override { return m_; }
  std::unique_ptr<SchurOperator> reduced(int batch) override {
    return std::make_unique<WilsonSchur>(hop_, 0, WilsonSchur::Form::asymmetric, batch);
  }

 private:
  WilsonSystem& system_;
  std::shared_ptr<Transport> transport_;
  WilsonHoppingPtr hop_;
  WilsonOperator m_;
};

}  // namespace plaq::test
