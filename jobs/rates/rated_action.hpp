// Hopping terms and even-odd operators of any discretisation on random links, for those that time them.
#pragma once

#include <memory>
#include <vector>

#include "jobs/rates/operator_rates.hpp"
#include "multigrid/multigrid.hpp"
#include "quarks/operator/dirac_matrix.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {

// One of them in one storage, with a random vector that it is applied to and the result, in its precision.
class RatedApplication {
 public:
  // `schur`: of the term; null: the term alone. `in`, `out`: of these vectors.
  RatedApplication(std::unique_ptr<HoppingTerm> term, std::unique_ptr<LinearOperator> schur,
                   const GeometryPtr& geometry, const FieldSpec& in, const FieldSpec& out);

  void apply();
  const Field& result() const { return out_; }
  // Halo and schedule of the faces of its hopping term, and whether one launch does everything.
  Halo& halo() { return term_->halo(in_.subfields()); }
  Schedule& schedule() { return term_->schedule(); }
  bool fused() { return term_->fused(in_.subfields()); }

  LinearOperator& schur() { return *schur_; }
  // Another random vector for it; subfield i is the same in any batch.
  Field random(std::uint64_t seed) const;

 private:
  std::unique_ptr<HoppingTerm> term_;
  std::unique_ptr<LinearOperator> schur_;
  Field in_, out_;
};

// A preconditioner that was set up, and how long that took on the slowest rank.
struct RatedMultigrid {
  std::unique_ptr<Multigrid> multigrid;
  double seconds = 0;
};

class RatedAction {
 public:
  // The problem, on whose links the matrix is, must outlive it.
  RatedAction(const RateProblem& problem, ActionPtr action, std::unique_ptr<DiracMatrix> matrix)
      : problem_(problem), action_(std::move(action)), matrix_(std::move(matrix)) {}

  // Collective; as checked_rates. Domain walls: the hopping term of all slices. Where time links are 1 and
  // not multiplied, it is checked against links of eight reals, which always are. `symmetric`: else the
  // asymmetric form, where there is one.
  std::vector<Row> hop_rates(const std::vector<LinkStorage>& storages, int rhs);
  std::vector<Row> schur_rates(bool symmetric, const std::vector<LinkStorage>& storages, int rhs);
  std::unique_ptr<RatedApplication> hop(const LinkStorage& storage, int rhs);
  std::unique_ptr<RatedApplication> schur(bool symmetric, const LinkStorage& storage, int rhs);
  // True if even-odd operators are Hermitian and positive, so that cg needs no normal equations.
  bool positive() const { return action_->positive(); }
  // Multigrid of an action that has it. The first call sets it up, and later ones must have the same spec.
  // Collective.
  RatedMultigrid& multigrid(const MultigridOptions& spec);

 private:
  FieldSpec spec(Subset subset, int rhs, Precision precision) const;  // of the hopping term

  const RateProblem& problem_;
  ActionPtr action_;
  std::unique_ptr<DiracMatrix> matrix_;
  RatedMultigrid multigrid_;
};

// On the links of `problem`, which must outlive it. Collective. Optimal weights must have their bounds.
/// @param links  of the Dirac matrix; null: those of the problem
std::unique_ptr<RatedAction> make_rated_action(const RateProblem& problem, const ActionPtr& parameters,
                                               const FermionLinks* links = nullptr);
FermionLinks fermion_links_of(const RateProblem& problem);

}  // namespace plaq::jobs
