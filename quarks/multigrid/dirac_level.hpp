// A Dirac matrix as the finest lattice of multigrid.
#pragma once

#include "multigrid/hierarchy/level_operators.hpp"
#include "quarks/operator/dirac_matrix.hpp"

namespace plaq {

class DiracLevel final : public LevelOperators {
 public:
  /// For an action that has_multigrid(). Links are in the gauge of the field. The matrix must
  /// outlive this object. Collective.
  /// @param storage  of the operator that is solved and from which coarse
  ///   operators are made, in single precision
  /// @param cycles   of the operator that cycles smooth with
  DiracLevel(DiracMatrix& matrix, const LinkStorage& storage, const LinkStorage& cycles);

  const ProcessGrid& grid() const override { return *matrix_.links().grid; }
  const std::shared_ptr<Transport>& transport() const override { return matrix_.links().transport; }
  NearestNeighborOperator& full() override { return *full_; }
  std::unique_ptr<SchurOperator> reduced(int batch) override { return form_of(*term_, batch); }
  std::unique_ptr<SchurOperator> smoothed(int batch) override {
    return form_of(cycle_term_ ? *cycle_term_ : *term_, batch);
  }

 private:
  static std::unique_ptr<SchurOperator> form_of(HoppingTerm& term, int batch) {
    return term.even_odd(Preconditioning::even_odd_asymmetric, batch);
  }

  DiracMatrix& matrix_;
  std::unique_ptr<HoppingTerm> term_, cycle_term_;  // the second where it is another one
  std::unique_ptr<NearestNeighborOperator> full_;
};

}  // namespace plaq
