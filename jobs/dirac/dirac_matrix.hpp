// A Dirac matrix M on one gauge field, of any discretisation: its operators in one storage after the other.
#pragma once

#include <memory>

#include "comms/halo/schedule.hpp"
#include "core/operator/active_set.hpp"
#include "core/operator/schur_operator.hpp"
#include "jobs/dirac/action_parameters.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "kernels/dirac/clover/clover_field.hpp"

namespace plaq::jobs {

constexpr int schur_parity = 0;  // even-odd operators are on the even sites
inline const LinkStorage exact_storage(Precision::double_precision, 18);

// The hopping term D of M in one storage, and the operators that are made of it. Must not outlive its
// DiracMatrix; its operators may.
class HoppingTerm {
 public:
  virtual ~HoppingTerm() = default;

  // M, or its even-odd complement: not Preconditioning::none. Collective.
  virtual std::unique_ptr<LinearOperator> full(int batch) = 0;
  virtual std::unique_ptr<SchurOperator> even_odd(Preconditioning form, int batch) = 0;

  // D alone, on all subfields, which may be slices; `stored`: in the gauge of the stored links.
  virtual void apply(Field& out, const Field& in, int parity, bool dagger, bool stored = false) = 0;
  virtual Work work(int subfields) const = 0;  // on one parity
  virtual Halo& halo(int subfields) = 0;
  virtual Schedule& schedule() = 0;
  virtual bool fused(int subfields) = 0;  // whether faces travel with all else in one launch
  virtual void set_short_faces(bool wanted) = 0;
  virtual bool temporal_gauge() const = 0;  // whether time links are 1 and not multiplied
  // The links that it was made of, of 18 reals in double; no field where it does not have them.
  virtual Field links() const = 0;

  // Between quark fields q in four dimensions and b and x of M x = b, of a term in exact_storage. q_mid is in
  // the middle of the fifth dimension (kernels/dirac/domain_wall/domain_wall_quark.hpp).
  virtual void make_source(Field& b, const Field& quark_source) { copy(b, quark_source); }
  virtual void quark(Field& q, const Field& x) { copy(q, x); }
  virtual void mid_quark(Field&, const Field&) { require(false, "a midpoint of quarks in four dimensions"); }
};

class DiracMatrix {
 public:
  explicit DiracMatrix(const Background& background) : background_(background) {}
  virtual ~DiracMatrix() = default;

  // Collective. Throws where links cannot be stored so, on every rank.
  virtual std::unique_ptr<HoppingTerm> hopping(const LinkStorage& storage) = 0;
  // Lets go of a clover field, which can be made again.
  virtual void settle() {}

  // So that nobody else changes the links: they are those of a term in exact_storage, or a copy.
  virtual void own_links(const HoppingTerm& exact);
  const Background& background() const { return background_; }

 protected:
  Background background_;
};

// What kernels/dirac has of a hopping term.
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

}  // namespace plaq::jobs
