#include "quarks/action/wilson_action.hpp"

#include <cmath>
#include <map>

#include "core/system/error.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "quarks/operator/dirac_matrix.hpp"

namespace plaq {
namespace {

class WilsonMatrix final : public DiracMatrix {
 public:
  WilsonMatrix(const FermionLinks& links, const WilsonParameters& parameters,
               std::shared_ptr<CloverField> clover)
      : DiracMatrix(links), parameters_(parameters), clover_(std::move(clover)) {
    require(!clover_ ||
                (clover_->diagonal() == parameters.diagonal() &&
                 clover_->coefficients() == parameters.clover && clover_->twist() == parameters.twisted_mass),
            "a clover field of other parameters than its solver's");
    if (clover_) clover_->made_of().expect_of(links.links_of_clover(), "the clover term");
  }

  void release_clover() override { clover_.reset(); }

  // Clover blocks for a hopping term of these links.
  CloverBlocksPtr blocks(const WilsonHopping& hop, CloverNeed need) const {
    const FermionLinks& links = this->links();
    return make_clover_blocks(*links.grid, links.links_of_clover(), hop, need, schur_parity, clover_.get());
  }

 private:
  std::unique_ptr<HoppingTerm> make_hopping(const FermionLinks& links, const LinkStorage& storage) override;

  WilsonParameters parameters_;
  std::shared_ptr<CloverField> clover_;  // null: made when it is needed
};

class WilsonTerm final : public HoppingTermOf<WilsonHopping> {
 public:
  WilsonTerm(WilsonHoppingPtr hop, const WilsonMatrix& matrix)
      : HoppingTermOf(std::move(hop)), matrix_(matrix) {}

  std::unique_ptr<LinearOperator> full(int) override {
    return std::make_unique<WilsonOperator>(hop_, blocks(CloverNeed::operator_full));
  }
  std::unique_ptr<SchurOperator> even_odd(Preconditioning preconditioning, int batch) override {
    const bool symmetric = preconditioning == Preconditioning::even_odd;
    auto clover = blocks(symmetric ? CloverNeed::schur_symmetric : CloverNeed::schur_asymmetric);
    const auto form = symmetric ? WilsonSchur::Form::symmetric : WilsonSchur::Form::asymmetric;
    return std::make_unique<WilsonSchur>(hop_, schur_parity, form, batch, std::move(clover));
  }

  std::unique_ptr<StencilOperator> coarsened() override {
    auto m = std::make_unique<WilsonOperator>(hop_, blocks(CloverNeed::operator_full));
    m->leave_out_twist();
    return m;
  }

 private:
  // All operators of a form have the same ones.
  CloverBlocksPtr blocks(CloverNeed need) {
    CloverBlocksPtr& made = blocks_[need];
    if (!made) made = matrix_.blocks(*hop_, need);
    return made;
  }

  const WilsonMatrix& matrix_;
  std::map<CloverNeed, CloverBlocksPtr> blocks_;
};

std::unique_ptr<HoppingTerm> WilsonMatrix::make_hopping(const FermionLinks& links,
                                                        const LinkStorage& storage) {
  const auto& [grid, gauge, queue, transport, clover_links] = links;
  return std::make_unique<WilsonTerm>(
      std::make_shared<WilsonHopping>(*grid, gauge, parameters_, storage, queue, transport, 1 - schur_parity),
      *this);
}

class WilsonAction final : public ActionOf<WilsonParameters> {
 public:
  using ActionOf::ActionOf;
  double mass() const override { return parameters_.mass; }
  std::array<int, 4> boundary() const override { return parameters_.boundary; }
  std::string name() const override {
    if (!parameters_.has_clover()) return hop_name();
    return parameters_.clover.exponential ? "exponential_clover" : "clover";
  }
  std::string hop_name() const override { return "wilson"; }
  std::vector<HeaderEntry> description() const override {
    const auto& p = parameters_;
    std::vector<HeaderEntry> entries = {{"type", name()},
                                        number_entry("mass", p.mass),
                                        number_entry("xi", p.xi),
                                        number_entry("nu", p.nu),
                                        number_entry("clover_spatial", p.clover.spatial),
                                        number_entry("clover_temporal", p.clover.temporal),
                                        boundary_entry(p.boundary)};
    if (p.twisted_mass != 0) entries.push_back(number_entry("twisted_mass", p.twisted_mass));
    return entries;
  }
  // M = B + i k-slash; of twisted-mass quarks it is not known, and Dirichlet boundaries have no momenta.
  std::optional<FreeQuark> free_quark(const std::array<double, 4>& p) const override {
    const auto& own = parameters_;
    if (own.twisted_mass != 0 || own.boundary[3] == 0) return std::nullopt;
    double scalar = own.mass;
    std::array<double, 4> k{};
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const double hop = mu < 3 ? own.nu / own.xi : 1.0, half = std::sin(p[mu] / 2);
      scalar += hop * 2 * half * half;
      k[mu] = hop * std::sin(p[mu]);
    }
    return free_quark_of(k, [=](std::complex<double> ik) { return 1.0 / (scalar + ik); });
  }
  bool gamma5_hermitian() const override { return parameters_.twisted_mass == 0; }
  bool has_asymmetric_form() const override { return true; }
  std::string no_multigrid() const override { return {}; }
  bool has_temporal_gauge() const override { return true; }

  std::shared_ptr<CloverField> clover_field(const FermionLinks& links) const override {
    if (!parameters_.has_clover()) return nullptr;
    return std::make_shared<CloverField>(*links.grid, links.links_of_clover(), parameters_.diagonal(),
                                         parameters_.clover, links.queue, links.transport,
                                         parameters_.twisted_mass);
  }
  std::unique_ptr<DiracMatrix> on(const FermionLinks& links,
                                  std::shared_ptr<CloverField> clover) const override {
    return std::make_unique<WilsonMatrix>(links, parameters_, std::move(clover));
  }
};

}  // namespace

ActionPtr wilson_action(const WilsonParameters& parameters) {
  return std::make_shared<WilsonAction>(parameters);
}

WilsonParameters wilson_parameters(const Action& action) {
  const auto* parameters = parameters_of<WilsonParameters>(action);
  require(parameters != nullptr, "Wilson or clover quarks are wanted, and others are given");
  return *parameters;
}

}  // namespace plaq
