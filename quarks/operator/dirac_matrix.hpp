// A Dirac matrix M on one gauge field, for any discretisation, and its operators in each storage.
#pragma once

#include <memory>

#include "comms/halo/schedule.hpp"
#include "core/operator/active_set.hpp"
#include "core/operator/schur_operator.hpp"
#include "kernels/dirac/clover/clover_field.hpp"
#include "kernels/gauge/link_storage.hpp"
#include "quarks/action/action.hpp"
#include "quarks/operator/version_of_links.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq {

constexpr int schur_parity = 0;  // even-odd operators are on the even sites
inline const LinkStorage high_precision_storage(Precision::double_precision, 18);

/// The hopping term D of M in one storage, and the operators that are made of it. It must not outlive its
/// DiracMatrix; its operators may.
class HoppingTerm {
 public:
  virtual ~HoppingTerm() = default;

  /// M, for batches of this size. Collective.
  virtual std::unique_ptr<LinearOperator> full(int batch) = 0;
  /// The Schur complement of M on the even sites; `form` is not Preconditioning::none. Collective.
  virtual std::unique_ptr<SchurOperator> even_odd(Preconditioning form, int batch) = 0;

  /// The operator that multigrid coarsens, M or a product with M that has its solutions, and the even-odd
  /// form whose residuals are those of it, of an action that has_multigrid(). Collective.
  virtual std::unique_ptr<StencilOperator> coarsened() {
    require(false, "multigrid of quarks that have none");
    return {};
  }
  virtual std::unique_ptr<SchurOperator> coarsened_form(int batch) {
    return even_odd(Preconditioning::even_odd_asymmetric, batch);
  }

  /// D alone, on all subfields, which may be slices. With `stored` in the gauge of the stored links.
  virtual void apply(Field& out, const Field& in, int parity, bool dagger, bool stored = false) = 0;
  /// Work of D on one parity.
  virtual Work work(int subfields) const = 0;
  virtual Halo& halo(int subfields) = 0;
  virtual Schedule& schedule() = 0;
  /// True if packing, interior and boundary are one launch.
  virtual bool fused(int subfields) = 0;
  /// Faces travel as 16-bit numbers.
  virtual void set_short_faces(bool wanted) = 0;
  /// True if time links are 1 and not multiplied.
  virtual bool temporal_gauge() const = 0;
  /// The links that it was made of, 18 reals in double precision; no field if it does not have them.
  virtual Field links() const = 0;

  /// The source b of M x = b for a source in four dimensions. This and the three below: of
  /// a term in high_precision_storage.
  virtual void make_source(Field& b, const Field& quark_source) { copy(b, quark_source); }
  /// The quark field in four dimensions of a solution x.
  virtual void to_4d(Field& q, const Field& x) { copy(q, x); }
  /// The quark field in the middle of the fifth dimension (kernels/dirac/domain_wall/domain_wall_quark.hpp).
  virtual void midpoint_to_4d(Field&, const Field&) {
    require(false, "a midpoint of quarks in four dimensions");
  }
  /// The current field of a solution x, in its place, for a source in four dimensions (the same file).
  virtual void make_current_field(Field&, const Field&) {
    require(false, "a current field of quarks in four dimensions");
  }
};

class DiracMatrix {
 public:
  explicit DiracMatrix(const FermionLinks& links) : links_(links), made_of_(links), version_(links) {}
  virtual ~DiracMatrix() = default;

  /// The hopping term in this storage, with its own copy of the links. Collective. Throws LinkStorageError on
  /// every rank if the links cannot be stored so, and Error(usage) if they have changed.
  std::unique_ptr<HoppingTerm> hopping(const LinkStorage& storage) { return make_hopping(links(), storage); }
  /// Releases the clover field, which can be made again.
  virtual void release_clover() {}

  /// Makes the links its own, so that nobody else changes them: those of a term in
  /// high_precision_storage, or a copy.
  virtual void own_links(const HoppingTerm& exact);
  /// The links. Throws Error(usage) if they, or those of the clover term, have changed since
  /// they were given or made its own.
  const FermionLinks& links() const {
    version_.expect_unchanged("the Dirac operator");
    return links_;
  }
  /// Version of the links that it was given.
  const VersionOfLinks& made_of() const { return made_of_; }

 private:
  virtual std::unique_ptr<HoppingTerm> make_hopping(const FermionLinks& links,
                                                    const LinkStorage& storage) = 0;

  FermionLinks links_;
  VersionOfLinks made_of_, version_;
};

/// A HoppingTerm of a class of kernels/dirac.
template <class Hopping>
class HoppingTermOf : public HoppingTerm {
 public:
  explicit HoppingTermOf(std::shared_ptr<Hopping> hop) : hop_(std::move(hop)) {}

  void apply(Field& out, const Field& in, int parity, bool dagger, bool stored) override {
    const ActiveSet all(in.subfields());
    stored ? hop_->apply_stored(out, in, parity, dagger, all, {})
           : hop_->apply(out, in, parity, dagger, all, {});
  }
  Work work(int subfields) const override { return hop_->work(subfields, false); }
  Halo& halo(int subfields) override { return hop_->halo(subfields); }
  Schedule& schedule() override { return hop_->schedule(); }
  bool fused(int subfields) override { return hop_->fused(subfields, subfields); }
  void set_short_faces(bool wanted) override { hop_->set_short_faces(wanted); }
  bool temporal_gauge() const override {
    if constexpr (requires { hop_->temporal_gauge(); }) return hop_->temporal_gauge();
    return false;
  }
  Field links() const override {
    if constexpr (requires { hop_->links(); }) return hop_->links();
    return {};
  }

 protected:
  std::shared_ptr<Hopping> hop_;
};

}  // namespace plaq
