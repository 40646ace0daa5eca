// A Dirac matrix as the finest lattice of multigrid.
#pragma once

#include "jobs/dirac/dirac_matrix.hpp"
#include "multigrid/hierarchy/level_operators.hpp"

namespace plaq::jobs {

class DiracLevel final : public LevelOperators {
 public:
  // Of an Action that has_multigrid(). `storage`: of what is solved and of what coarse operators are made of, in single
  // precision; `cycles`: of what cycles smooth with. Links are in the gauge of the field. The matrix must outlive this
  // object. Collective.
  DiracLevel(DiracMatrix& matrix, const LinkStorage& storage, const LinkStorage& cycles);

  const ProcessGrid& grid() const override { return *matrix_.background().grid; }
  const std::shared_ptr<Transport>& transport() const override { return matrix_.background().transport; }
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

}  // namespace plaq::jobs
