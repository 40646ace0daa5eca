#include "quarks/action/staggered_action.hpp"

#include "kernels/dirac/staggered/staggered_schur.hpp"
#include "kernels/gauge/hisq_links.hpp"
#include "quarks/operator/dirac_matrix.hpp"

namespace plaq {
namespace {

class StaggeredTerm final : public HoppingTermOf<StaggeredHopping> {
 public:
  using HoppingTermOf::HoppingTermOf;
  std::unique_ptr<LinearOperator> full(int) override { return std::make_unique<StaggeredOperator>(hop_); }
  std::unique_ptr<SchurOperator> even_odd(Preconditioning, int batch) override {
    return std::make_unique<StaggeredSchur>(hop_, schur_parity, batch);
  }
};

class StaggeredMatrix final : public DiracMatrix {
 public:
  StaggeredMatrix(const FermionLinks& links, const StaggeredParameters& parameters)
      : DiracMatrix(links), parameters_(parameters) {}
  StaggeredMatrix(const FermionLinks& fat_links, const Field& long_links,
                  const StaggeredParameters& parameters)
      : DiracMatrix(fat_links), parameters_(parameters), long_links_(long_links) {}

  void own_links(const HoppingTerm& exact) override {
    if (!long_links_) DiracMatrix::own_links(exact);  // those were made here
  }

 private:
  std::unique_ptr<HoppingTerm> make_hopping(const FermionLinks& links, const LinkStorage& storage) override {
    const auto& [grid, gauge, queue, transport, clover_links] = links;
    return std::make_unique<StaggeredTerm>(
        long_links_ ? std::make_shared<StaggeredHopping>(*grid, gauge, long_links_, parameters_, storage,
                                                         queue, transport, 1 - schur_parity)
                    : std::make_shared<StaggeredHopping>(*grid, gauge, parameters_, storage, queue, transport,
                                                         1 - schur_parity));
  }

  StaggeredParameters parameters_;
  Field long_links_;
};

template <class Parameters>
class AnyStaggered : public ActionOf<Parameters> {
 public:
  using ActionOf<Parameters>::ActionOf;
  int spins() const override { return 1; }
  bool positive() const override { return true; }
  bool shifts_with_mass() const override { return true; }
  std::string hop_symmetry() const override { return "anti-hermiticity"; }
  std::string default_channel() const override { return "pion_ps"; }
};

class StaggeredAction final : public AnyStaggered<StaggeredParameters> {
 public:
  using AnyStaggered::AnyStaggered;
  double mass() const override { return parameters_.mass; }
  std::array<int, 4> boundary() const override { return parameters_.boundary; }
  std::string name() const override { return "staggered"; }
  std::vector<HeaderEntry> description() const override {
    return {{"type", name()}, number_entry("mass", mass()), boundary_entry(parameters_.boundary)};
  }
  std::unique_ptr<DiracMatrix> on(const FermionLinks& links, std::shared_ptr<CloverField>) const override {
    return std::make_unique<StaggeredMatrix>(links, parameters_);
  }
};

// With fat and long links that are made of those that it is on.
template <class Parameters>
class ImprovedStaggered : public AnyStaggered<Parameters> {
 public:
  using AnyStaggered<Parameters>::AnyStaggered;
  double mass() const override { return this->parameters_.staggered.mass; }
  std::array<int, 4> boundary() const override { return this->parameters_.staggered.boundary; }
  int least_slices() const override { return least_slices_of_long_hops; }
  bool smears_links() const override { return true; }
  std::unique_ptr<DiracMatrix> on(const FermionLinks& links, std::shared_ptr<CloverField>) const override {
    AsqtadLinks made = improved(links);
    StaggeredParameters parameters = this->parameters_.staggered;
    parameters.naik = made.coefficients.naik;
    return std::make_unique<StaggeredMatrix>(
        FermionLinks{links.grid, std::move(made.fat), links.queue, links.transport}, made.three, parameters);
  }

 protected:
  virtual AsqtadLinks improved(const FermionLinks& links) const = 0;
};

class AsqtadAction final : public ImprovedStaggered<AsqtadParameters> {
 public:
  using ImprovedStaggered::ImprovedStaggered;
  std::string name() const override { return "asqtad"; }
  std::vector<HeaderEntry> description() const override {
    return {{"type", name()},
            number_entry("mass", mass()),
            number_entry("u0", parameters_.u0),
            boundary_entry(parameters_.staggered.boundary)};
  }

 private:
  AsqtadLinks improved(const FermionLinks& links) const override {
    return asqtad_links(*links.grid, links.gauge, asqtad_coefficients(parameters_.u0),
                        Precision::double_precision, links.queue, links.transport);
  }
};

class HisqAction final : public ImprovedStaggered<HisqParameters> {
 public:
  using ImprovedStaggered::ImprovedStaggered;
  std::string name() const override { return "hisq"; }
  std::vector<HeaderEntry> description() const override {
    return {{"type", name()},
            number_entry("mass", mass()),
            number_entry("epsilon", parameters_.epsilon),
            boundary_entry(parameters_.staggered.boundary)};
  }
  bool has_compressed_links() const override { return false; }  // long ones are of U(3)

 private:
  AsqtadLinks improved(const FermionLinks& links) const override {
    return hisq_links(*links.grid, links.gauge, parameters_.epsilon, Precision::double_precision, links.queue,
                      links.transport);
  }
};

}  // namespace

ActionPtr staggered_action(const StaggeredParameters& parameters) {
  return std::make_shared<StaggeredAction>(parameters);
}

ActionPtr asqtad_action(const AsqtadParameters& parameters) {
  return std::make_shared<AsqtadAction>(parameters);
}

ActionPtr hisq_action(const HisqParameters& parameters) { return std::make_shared<HisqAction>(parameters); }

}  // namespace plaq
