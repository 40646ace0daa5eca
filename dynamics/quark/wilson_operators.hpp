// Operators of WilsonQuark on one version of the links, for its sources.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "dynamics/quark/wilson_quark.hpp"
#include "kernels/dirac/twist/twist.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {

// W = S + i mu gamma5.
class WilsonQuark::Twisted final : public LinearOperator {
 public:
  explicit Twisted(WilsonSchur& s) : s_(s) {}
  void set_mu(double mu) { mu_ = mu; }

  const GeometryPtr& geometry() const override { return s_.geometry(); }
  FieldSpec spec(int batch) const override { return s_.spec(batch); }
  const Queue& queue() const override { return s_.queue(); }
  Work work(int batch) const override { return s_.work(batch); }
  int capturable(int batch) override { return mu_ == 0 ? s_.capturable(batch) : -1; }  // mu may change

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    dagger ? s_.apply_dagger(out, in, active) : s_.apply(out, in, active);
    if (mu_ != 0) add_twist(out, in, dagger ? -mu_ : mu_, 0, active, queue());
  }

  WilsonSchur& s_;
  double mu_ = 0;
};

// S and W^dagger W in one storage, for batches of one size.
struct WilsonQuark::Stored {
  Form form;
  WilsonHoppingPtr hopping;
  CloverBlocksPtr clover;
  WilsonSchur schur;
  Twisted twisted;  // in the symmetric form
  NormalOperator normal;
  ShiftedOperator shifted;

  Stored(const SharedLattice& lattice, const Field& links, const WilsonParameters& parameters, Form form_of_s,
         const LinkStorage& storage, CloverField* plain)
      : form(form_of_s),
        hopping(std::make_shared<WilsonHopping>(*lattice.grid, links, parameters, storage, lattice.queue,
                                                lattice.transport)),
        clover(make_clover_blocks(
            *lattice.grid, links, *hopping,
            form == Form::symmetric ? CloverNeed::schur_symmetric : CloverNeed::schur_asymmetric, 0, plain)),
        schur(hopping, 0, form, 1, clover),
        twisted(schur),
        normal(form == Form::symmetric ? static_cast<LinearOperator&>(twisted) : schur, 1),
        shifted(normal, 0, 1) {}
  // Has the links of another one.
  Stored(const Stored& other, int batch)
      : form(other.form),
        hopping(other.hopping),
        clover(other.clover),
        schur(hopping, 0, form, batch, clover),
        twisted(schur),
        normal(form == Form::symmetric ? static_cast<LinearOperator&>(twisted) : schur, batch),
        shifted(normal, 0, batch) {}

  // True if S has the twist mu of W, beside that of the quarks.
  bool twists_inside() const { return hopping->parameters().twisted_mass != 0 && form == Form::asymmetric; }
  // mu^2 of W^dagger W, of each right-hand side; of the first one for all where W is not S^dagger S + mu^2.
  void set_shifts(const std::vector<double>& shifts) {
    if (twists_inside())
      schur.set_twist(std::sqrt(shifts.front()));
    else if (form == Form::symmetric)
      twisted.set_mu(std::sqrt(shifts.front()));
    else
      shifted.set_shifts(shifts);
  }
};

// All that is made of one version of the links, when it is needed.
struct WilsonQuark::Operators {
  SharedLattice lattice;
  WilsonParameters parameters;
  Form form;
  Field links;  // of the hops
  std::shared_ptr<CloverField> clover = {};
  std::unique_ptr<CloverField> exponent = {};  // A/d, for forces of exponential clover quarks
  using Key = std::pair<Precision, int>;       // and the size of a batch
  std::map<Key, std::unique_ptr<Stored>> stored = {};

  Stored& in(Precision precision, int batch = 1) {
    auto& made = stored[{precision, batch}];
    if (made) return *made;
    if (batch > 1)
      made = std::make_unique<Stored>(in(precision), batch);
    else
      made = std::make_unique<Stored>(lattice, links, parameters, form,
                                      LinkStorage(precision, precision == wide ? 18 : 12), clover.get());
    return *made;
  }
};

}  // namespace plaq
