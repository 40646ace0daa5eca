// The operators of a solver: one Dirac matrix M on one gauge field, in the storages of its attempts.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "jobs/dirac/dirac_matrix.hpp"
#include "solvers/mixed/vector_conversion.hpp"

namespace plaq::jobs {

// The operator that is iterated, in one storage: M itself, or its Schur complement on the even sites.
class DiracOperator {
 public:
  DiracOperator(const LinkStorage& storage, HoppingTerm& term, Preconditioning preconditioning, int batch,
                VectorConversion conversion = {});

  LinkStorage storage() const { return storage_; }
  LinearOperator& iterated() { return schur_ ? *schur_ : *full_; }
  SchurOperator* schur() { return schur_.get(); }  // null without preconditioning
  // From the vectors of an operator in the gauge of the field to those of this one.
  const VectorConversion& conversion() const { return conversion_; }

 private:
  LinkStorage storage_;
  VectorConversion conversion_;
  std::unique_ptr<LinearOperator> full_;
  std::unique_ptr<SchurOperator> schur_;
};

class DiracOperators {
 public:
  // Collective. The links are copied; they may have any location and precision. `clover`: as Action::on.
  // Measures spectral bounds where the action needs them.
  DiracOperators(const Background& links, const ActionParameters& parameters, Preconditioning preconditioning,
                 int batch, std::shared_ptr<CloverField> clover = nullptr);

  // M in double with links of 18 reals: what a solution is measured by.
  LinearOperator& residual_operator() { return *residual_operator_; }
  // Collective. Throw where links cannot be stored so, on every rank.
  std::shared_ptr<DiracOperator> outer(const LinkStorage& storage);
  // The one that the attempt iterates, within outer operators of another storage: in temporal gauge where
  // has_temporal_gauge() and the links are of SU(3) to 1e-6.
  std::shared_ptr<DiracOperator> inner(const SolverSpec& attempt);
  // The links must be unitary.
  std::shared_ptr<DiracOperator> in_temporal_gauge(const LinkStorage& storage, bool short_faces = false);
  // Lets go of what can be made again, when the first operators are there.
  void settle() {
    if (!shares_clover_) matrix_->settle();
  }

  HoppingTerm& exact() { return *exact_; }  // in exact_storage
  DiracMatrix& matrix() { return *matrix_; }
  const Action& action() const { return *parameters_; }  // with bounds where it needs them
  const std::optional<SpectralBounds>& measured_bounds() const { return measured_bounds_; }

 private:
  std::shared_ptr<DiracOperator> made(HoppingTerm& term, const LinkStorage& storage,
                                      VectorConversion conversion = {}) const;
  bool goes_to_temporal_gauge(const SolverSpec& attempt) const;

  ActionParameters parameters_;
  std::optional<SpectralBounds> measured_bounds_;
  Preconditioning preconditioning_;
  int batch_;
  bool shares_clover_;
  std::unique_ptr<DiracMatrix> matrix_;
  std::unique_ptr<HoppingTerm> exact_;
  std::unique_ptr<LinearOperator> residual_operator_;
};

}  // namespace plaq::jobs
