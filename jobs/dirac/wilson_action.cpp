#include "jobs/dirac/wilson_action.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "core/system/error.hpp"
#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/action_schema.hpp"
#include "jobs/dirac/dirac_matrix.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"

namespace plaq::jobs {
namespace {

class WilsonMatrix final : public DiracMatrix {
 public:
  WilsonMatrix(const Background& links, const WilsonParameters& parameters,
               std::shared_ptr<CloverField> clover)
      : DiracMatrix(links), parameters_(parameters), clover_(std::move(clover)) {
    require(!clover_ || (clover_->diagonal() == parameters.diagonal() &&
                         clover_->coefficients().spatial == parameters.clover.spatial &&
                         clover_->coefficients().temporal == parameters.clover.temporal),
            "a clover field of other parameters than its solver's");
  }

  std::unique_ptr<HoppingTerm> hopping(const LinkStorage& storage) override;
  void settle() override { clover_.reset(); }

  // Of a hopping term of these links.
  CloverBlocksPtr blocks(const WilsonHopping& hop, CloverNeed need) const {
    return make_clover_blocks(*background_.grid, background_.links_of_clover(), hop, need, schur_parity,
                              clover_.get());
  }

 private:
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

std::unique_ptr<HoppingTerm> WilsonMatrix::hopping(const LinkStorage& storage) {
  const auto& [grid, gauge, queue, transport, clover_links] = background_;
  return std::make_unique<WilsonTerm>(
      std::make_shared<WilsonHopping>(*grid, gauge, parameters_, storage, queue, transport, 1 - schur_parity),
      *this);
}

class WilsonAction final : public ActionOf<WilsonParameters> {
 public:
  using ActionOf::ActionOf;
  double mass() const override { return parameters_.mass; }
  std::string name() const override { return parameters_.has_clover() ? "clover" : hop_name(); }
  std::string hop_name() const override { return "wilson"; }
  std::vector<HeaderEntry> description() const override {
    const auto& p = parameters_;
    return {{"type", name()},
            number_entry("mass", p.mass),
            number_entry("xi", p.xi),
            number_entry("nu", p.nu),
            number_entry("clover_spatial", p.clover.spatial),
            number_entry("clover_temporal", p.clover.temporal),
            boundary_entry(p.boundary)};
  }
  // M = B + i k-slash.
  std::optional<FreeQuark> free_quark(const std::array<double, 4>& p) const override {
    const auto& own = parameters_;
    double scalar = own.mass;
    std::array<double, 4> k{};
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const double hop = mu < 3 ? own.nu / own.xi : 1.0, half = std::sin(p[mu] / 2);
      scalar += hop * 2 * half * half;
      k[mu] = hop * std::sin(p[mu]);
    }
    return free_quark_of(k, [=](std::complex<double> ik) { return 1.0 / (scalar + ik); });
  }
  bool has_asymmetric_form() const override { return true; }
  bool has_multigrid() const override { return true; }
  bool has_temporal_gauge() const override { return true; }

  std::shared_ptr<CloverField> clover_field(const Background& links) const override {
    if (!parameters_.has_clover()) return nullptr;
    return std::make_shared<CloverField>(*links.grid, links.links_of_clover(), parameters_.diagonal(),
                                         parameters_.clover, links.queue, links.transport);
  }
  std::unique_ptr<DiracMatrix> on(const Background& links,
                                  std::shared_ptr<CloverField> clover) const override {
    return std::make_unique<WilsonMatrix>(links, parameters_, std::move(clover));
  }
};

struct WilsonKeys {
  std::optional<double> c_sw, c_r, c_t;

  CloverCoefficients clover(double xi) const {
    if (c_sw) return CloverCoefficients::isotropic(*c_sw);
    return {c_r.value_or(0) / xi, c_t.value_or(0)};
  }
};

class WilsonQuarks final : public Discretisation {
 public:
  explicit WilsonQuarks(bool clover) : clover_(clover) {}
  std::string name() const override { return clover_ ? "clover" : "wilson"; }
  bool has_clover() const override { return clover_; }
  std::string meaning() const override { return clover_ ? "Wilson with a clover term" : "Wilson"; }
  bool has_kappa() const override { return true; }
  bool has_anisotropy() const override { return true; }

  // Keys and rules are once for both.
  std::vector<Key> keys() const override {
    if (clover_) return {};
    return {
        field(&WilsonKeys::c_sw, "c_sw", "Coefficient of the clover term (tree level: 1).")
            .within(0, 1000)
            .such_as("1.0")
            .without("needed for clover, or c_r and c_t"),
        field(&WilsonKeys::c_r, "c_r",
              "Of the clover term of an anisotropic action: planes in space have the coefficient c_r/xi ...")
            .within(0, 1000)
            .such_as("0.91")
            .without("c_sw"),
        field(&WilsonKeys::c_t, "c_t", "... and planes with time c_t.")
            .within(0, 1000)
            .such_as("1.07")
            .without("c_sw"),
        field(&AnisotropyKeys::xi, "xi",
              "Anisotropy a_s/a_t of the lattice; of domain walls that of their kernel.")
            .between(0, 1000),
        field(&AnisotropyKeys::nu, "nu", "Coefficient of the spatial hops of an anisotropic action.")
            .between(0, 1000)};
  }

  std::vector<Rule> rules(MassKeys) const override {
    if (clover_) return {};
    return {{{"action.type", "action.c_sw", "action.c_r", "action.c_t", "action.xi"},
             "A clover term needs c_sw (with xi = 1), or c_r and c_t.",
             check_clover}};
  }

  void expect_own_keys(Problems& problems, const JobFile& job) const override {
    const auto keys = job.get<ActionKeys>();
    const auto anisotropy = job.get<AnisotropyKeys>();
    if (clover_) return;
    const auto of_clover = job.get<WilsonKeys>();
    for (const auto& [key, given] : {std::pair{"c_sw", of_clover.c_sw.has_value()},
                                     {"c_r", of_clover.c_r.has_value()},
                                     {"c_t", of_clover.c_t.has_value()}})
      if (given && !keys.type->has_clover())
        problems.add({"action", key}, "is of the clover term; for it type = \"clover\"");
    if (keys.type->has_kappa()) return;
    if (keys.kappa) problems.add("action.kappa", "is of Wilson and clover quarks; give mass");
    if (keys.kappas) problems.add("action.kappas", "is of Wilson and clover quarks; give masses");
    if (keys.type->has_anisotropy()) return;
    if (anisotropy.xi != 1) problems.add("action.xi", "is of Wilson, clover and domain-wall quarks");
    if (anisotropy.nu != 1) problems.add("action.nu", "is of Wilson, clover and domain-wall quarks");
  }

  ActionParameters action(const JobFile& job, double mass) const override {
    const auto keys = job.get<WilsonKeys>();
    const auto [xi, nu] = job.get<AnisotropyKeys>();
    return wilson_action(
        {mass, xi, nu, job.get<ActionKeys>().boundary, clover_ ? keys.clover(xi) : CloverCoefficients()});
  }

  Attributes attributes(const JobFile& job) const override {
    const auto keys = job.get<ActionKeys>();
    std::vector<double> kappas;
    for (const double mass : masses_of(keys)) kappas.push_back(1 / (2 * (4 + mass)));
    const auto mine = job.get<WilsonKeys>();
    const auto [xi, nu] = job.get<AnisotropyKeys>();
    Attributes a = {keys.has_many_masses() ? Attributes::value_type{"kappas", kappas}
                                           : Attributes::value_type{"kappa", kappas.front()},
                    {"xi", xi},
                    {"nu", nu}};
    const CloverCoefficients c = clover_ ? mine.clover(xi) : CloverCoefficients();
    if (c.spatial != 0 || c.temporal != 0)
      add(a, {{"clover_spatial", c.spatial}, {"clover_temporal", c.temporal}});
    const char* term = clover_ ? " - (1/2) sum_{mu<nu} c_mu,nu sigma_mu,nu F_mu,nu" : "";
    add(a,
        {{"operator", fmt::format("M = m + 1 + 3 nu/xi - (1/2)[hop_t + (nu/xi) hop_s]{}, Clark et al. 2010 "
                                  "eq. (1)",
                                  term)},
         {"spin_basis", std::string("DeGrand-Rossi")}});
    return a;
  }

 private:
  static void check_clover(Problems& problems, const ActionKeys& keys, const WilsonKeys& mine,
                           const AnisotropyKeys& anisotropy) {
    const bool c_sw = mine.c_sw.has_value(), c_r = mine.c_r.has_value(), c_t = mine.c_t.has_value();
    if (!keys.type->has_clover()) return;
    if (c_sw && (c_r || c_t))
      return problems.add("action.c_sw", "'c_r' or 'c_t' is given as well; give c_sw, or both of them");
    if (!c_sw && !c_r && !c_t)
      return problems.missing(
          "action.c_sw",
          "the coefficient of the clover term, or c_r and c_t on anisotropic lattices; for "
          "example c_sw = 1.0");
    if (c_r != c_t) problems.missing({"action", c_r ? "c_t" : "c_r"}, "c_r and c_t come together");
    if (c_sw && anisotropy.xi != 1)
      problems.add("action.c_sw",
                   fmt::format("is for xi = 1, here it is {}; give c_r and c_t", anisotropy.xi));
  }

  bool clover_;
};

}  // namespace

const Discretisations& wilson_quarks() {
  static const WilsonQuarks wilson(false), clover(true);
  static const Discretisations both = {&wilson, &clover};
  return both;
}

ActionParameters wilson_action(const WilsonParameters& parameters) {
  return std::make_shared<WilsonAction>(parameters);
}

WilsonParameters wilson_parameters(const JobFile& job) { return wilson_parameters(action_parameters(job)); }

WilsonParameters wilson_parameters(const ActionParameters& action) {
  const auto* parameters = parameters_of<WilsonParameters>(*action);
  require(parameters != nullptr, "a job for Wilson quarks that has others");
  return *parameters;
}

}  // namespace plaq::jobs
