// The operators of a solver: one Dirac matrix M on one gauge field, in each storage that its attempts use.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "quarks/operator/dirac_matrix.hpp"
#include "solvers/mixed/vector_conversion.hpp"

namespace plaq {

/// The operator that is iterated, in one storage: M itself, or its Schur complement on the even sites.
class StoredOperator {
 public:
  StoredOperator(const LinkStorage& storage, HoppingTerm& term, Preconditioning preconditioning, int batch,
                 VectorConversion conversion = {});

  LinkStorage storage() const { return storage_; }
  LinearOperator& iterated() { return schur_ ? *schur_ : *full_; }
  /// Null without even-odd preconditioning.
  SchurOperator* schur() { return schur_.get(); }
  /// From vectors in the gauge of the field to vectors of this operator.
  const VectorConversion& conversion() const { return conversion_; }

 private:
  LinkStorage storage_;
  VectorConversion conversion_;
  std::unique_ptr<LinearOperator> full_;
  std::unique_ptr<SchurOperator> schur_;
};

class DiracOperators {
 public:
  /// Copies the links, which may have any location and precision, and measures spectral bounds if the action
  /// needs them. `clover` is that of Action::on. Collective.
  DiracOperators(const FermionLinks& links, const ActionPtr& action, Preconditioning preconditioning,
                 int batch, std::shared_ptr<CloverField> clover = nullptr);

  /// M in double precision with links of 18 reals, by which a solution is measured.
  LinearOperator& residual_operator() { return *residual_operator_; }
  /// The operator of a whole solve in this storage. Collective. This and the two below throw LinkStorageError
  /// on every rank if the links cannot be stored so.
  std::shared_ptr<StoredOperator> outer(const LinkStorage& storage);
  /// The operator that the attempt iterates within an outer one of another storage: in temporal gauge if
  /// has_temporal_gauge() and the links are in SU(3) to 1e-6.
  std::shared_ptr<StoredOperator> inner(const SolverSettings& attempt);
  /// Operator in temporal gauge. The links must be unitary.
  std::shared_ptr<StoredOperator> in_temporal_gauge(const LinkStorage& storage, bool short_faces = false);
  /// Releases the clover field, which can be made again, after the first operators are made.
  void release_clover() {
    if (!shares_clover_) matrix_->release_clover();
  }

  /// The hopping term in high_precision_storage.
  HoppingTerm& high_precision() { return *high_precision_; }
  DiracMatrix& matrix() { return *matrix_; }
  /// The action, with spectral bounds if it needs them.
  const ActionPtr& action() const { return action_; }
  const std::optional<SpectralBounds>& measured_bounds() const { return measured_bounds_; }

 private:
  std::shared_ptr<StoredOperator> made(HoppingTerm& term, const LinkStorage& storage,
                                       VectorConversion conversion = {}) const;
  bool goes_to_temporal_gauge(const SolverSettings& attempt) const;

  ActionPtr action_;
  std::optional<SpectralBounds> measured_bounds_;
  Preconditioning preconditioning_;
  int batch_;
  bool shares_clover_;
  std::unique_ptr<DiracMatrix> matrix_;
  std::unique_ptr<HoppingTerm> high_precision_;
  std::unique_ptr<LinearOperator> residual_operator_;
};

}  // namespace plaq
