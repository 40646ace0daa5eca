#include "quarks/action/domain_wall_action.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"
#include "kernels/dirac/domain_wall/domain_wall_schur.hpp"
#include "kernels/dirac/domain_wall/pauli_villars.hpp"
#include "kernels/quark/sources.hpp"
#include "quarks/operator/dirac_matrix.hpp"
#include "solvers/eigen/singular_range.hpp"

namespace plaq {
namespace {

class DomainWallTerm final : public HoppingTermOf<WilsonHopping> {
 public:
  DomainWallTerm(WilsonHoppingPtr hop, const DomainWallParameters& parameters)
      : HoppingTermOf(std::move(hop)), parameters_(parameters) {}

  std::unique_ptr<LinearOperator> full(int batch) override {
    return std::make_unique<DomainWallOperator>(hop_, parameters_, batch);
  }
  std::unique_ptr<SchurOperator> even_odd(Preconditioning, int batch) override {
    return std::make_unique<DomainWallSchur>(hop_, parameters_, schur_parity, batch);
  }
  std::unique_ptr<StencilOperator> coarsened() override {
    return std::make_unique<PauliVillarsProduct>(hop_, parameters_);
  }
  std::unique_ptr<SchurOperator> coarsened_form(int batch) override {
    return std::make_unique<PauliVillarsSchur>(hop_, parameters_, schur_parity, batch);
  }
  void make_source(Field& b, const Field& quark_source) override { maps().make_source(b, quark_source); }
  void to_4d(Field& q, const Field& x) override { maps().to_4d(q, x); }
  void midpoint_to_4d(Field& q, const Field& x) override { maps().midpoint_to_4d(q, x); }
  void make_current_field(Field& x, const Field& quark_source) override {
    maps().make_current_field(x, quark_source);
  }

 private:
  DomainWallQuark maps() const { return {hop_, parameters_}; }
  DomainWallParameters parameters_;
};

class DomainWallMatrix final : public DiracMatrix {
 public:
  DomainWallMatrix(const FermionLinks& links, const DomainWallParameters& parameters)
      : DiracMatrix(links), parameters_(parameters) {}

 private:
  std::unique_ptr<HoppingTerm> make_hopping(const FermionLinks& links, const LinkStorage& storage) override {
    const auto& [grid, gauge, queue, transport, clover_links] = links;
    return std::make_unique<DomainWallTerm>(
        make_domain_wall_hopping(*grid, gauge, parameters_, storage, queue, transport, 1 - schur_parity),
        parameters_);
  }

  DomainWallParameters parameters_;
};

// Deviation of the weights from a sign function, and so their breaking of chiral symmetry.
void tell_deviation(int n_s, const SpectralBounds& bounds) {
  constexpr double poor = 0.05;
  const double deviation = optimal_deviation(n_s, bounds.first, bounds.second);
  const std::string text = fmt::format(
      "optimal weights for |H_w| within [{:g}, {:g}] and n_s = {}: the sign function is off by {:.2g} at "
      "most",
      bounds.first, bounds.second, n_s, deviation);
  if (deviation > poor) {
    log::warning(text + "; a larger n_s is nearer");
  } else {
    log::info(text);
  }
}

class DomainWallAction final : public ActionOf<DomainWallChoice> {
 public:
  using ActionOf::ActionOf;
  double mass() const override { return parameters_.mass; }
  std::array<int, 4> boundary() const override { return parameters_.boundary; }
  std::string name() const override { return "domain_wall"; }
  std::vector<HeaderEntry> description() const override {
    const DomainWallParameters p = parameters_.parameters();
    std::vector<HeaderEntry> entries = {{"type", name()},
                                        number_entry("mass", p.mass),
                                        number_entry("m0", p.m0),
                                        numbers_entry("omega", p.omega),
                                        numbers_entry("sigma", p.sigma),
                                        boundary_entry(p.boundary)};
    // Files of isotropic quarks do not say it.
    if (p.xi != 1 || p.nu != 1) {
      entries.push_back(number_entry("xi", p.xi));
      entries.push_back(number_entry("nu", p.nu));
    }
    return entries;
  }
  int Ls() const override { return parameters_.n_s; }
  bool has_walls() const override { return true; }
  std::string no_multigrid() const override;
  bool has_temporal_gauge() const override { return true; }
  double schur_rounding() const override { return 4; }

  std::string no_residual_mass() const override {
    if (parameters_.gamma5_hermitian()) return {};
    return "wants omega_s - sigma_s to be the same on all slices, or weights that are the same read "
           "backwards: for others the quark is not gamma5-hermitian";
  }
  std::string no_midpoint() const override {
    if (parameters_.n_s % 2 != 0)
      return fmt::format("an odd number of slices, n_s = {}, has no midpoint; take \"summed\"",
                         parameters_.n_s);
    if (!parameters_.same_on_all_slices())
      return "the midpoint says it where all slices have the same weights; for optimal and other ones take "
             "\"summed\"";
    return {};
  }

  std::optional<FreeQuark> free_quark(const std::array<double, 4>& p) const override;

  bool needs_bounds() const override { return parameters_.measures_bounds(); }
  SpectralBounds measure_bounds(const FermionLinks& links) const override;
  ActionPtr within(const SpectralBounds& bounds) const override {
    DomainWallChoice choice = parameters_;
    choice.bounds = bounds;
    return domain_wall_action(choice);
  }

  void tell() const override {
    if (parameters_.kind == WallKind::optimal) tell_deviation(parameters_.n_s, *parameters_.bounds);
    if (!parameters_.gamma5_hermitian())
      log::warning(
          "with these omega and sigma quarks are not gamma5-hermitian: antiquarks of correlators, gamma5 "
          "S^dagger gamma5, are those of the slices in the other order");
    const DomainWallParameters p = parameters_.parameters();
    if (p.m0 >= p.highest_wall())
      log::warning(fmt::format("m0 = {:g} is not below 2 nu/xi = {:g}: free quarks have light doublers there",
                               p.m0, p.highest_wall()));
  }
  std::unique_ptr<DiracMatrix> on(const FermionLinks& links, std::shared_ptr<CloverField>) const override {
    return std::make_unique<DomainWallMatrix>(links, parameters_.parameters());
  }
};

// The product with Pauli-Villars quarks is that of their even-odd forms.
std::string DomainWallAction::no_multigrid() const {
  try {
    pauli_villars_of(
        parameters_.parameters(parameters_.measures_bounds() ? std::optional(any_bounds) : std::nullopt))
        .check_even_odd();
  } catch (const Error& error) {
    return fmt::format("multigrid of domain-wall quarks is made with Pauli-Villars quarks: {}", error.what());
  }
  return {};
}

// If bounds are measured on each field, it is that of an infinite Ls.
std::optional<FreeQuark> DomainWallAction::free_quark(const std::array<double, 4>& p) const {
  const bool exact = parameters_.measures_bounds();
  return free_domain_wall_quark(parameters_.parameters(exact ? std::optional(any_bounds) : std::nullopt), p,
                                exact);
}

// The range of |H_w| on that field, a little wider than what was found.
SpectralBounds DomainWallAction::measure_bounds(const FermionLinks& links) const {
  const auto& [grid, gauge, queue, transport, clover_links] = links;
  WilsonOperator d_w(std::make_shared<WilsonHopping>(
      *grid, gauge, parameters_.parameters(any_bounds).wilson(), high_precision_storage, queue, transport));
  Field start(d_w.geometry(), d_w.spec(1));
  random_source(start, Noise::z4, 1);
  const SingularRange range = singular_range(d_w, *grid, start);
  if (!range.converged() || !(range.below > 0))
    throw Error(ErrorKind::not_converged,
                fmt::format("the spectral bounds of H_w were not found: the smallest {} ({:g} +- {:g}), the "
                            "largest {}; give them instead",
                            name_of(range.low.reason), range.smallest, range.smallest - range.below,
                            name_of(range.high.reason)));
  log::info(fmt::format("|H_w| is within [{:.8g}, {:.8g}], found by {} applications of D_w^dagger D_w",
                        range.below, range.above, range.low.applications + range.high.applications));
  return {range.below, range.above};
}

}  // namespace

bool DomainWallChoice::same_on_all_slices() const {
  const auto alike = [](const std::vector<double>& x) {
    return std::adjacent_find(x.begin(), x.end(), std::not_equal_to<>()) == x.end();
  };
  return kind != WallKind::optimal && alike(omega) && alike(sigma);
}

bool DomainWallChoice::gamma5_hermitian() const {
  if (kind != WallKind::general) return true;
  DomainWallParameters p;
  p.omega = omega;
  p.sigma = sigma;
  p.sigma.resize(omega.size());  // of a faulty job
  return p.gamma5_hermitian();
}

DomainWallParameters DomainWallChoice::parameters(const std::optional<SpectralBounds>& measured) const {
  DomainWallParameters p;
  switch (kind) {
    case WallKind::shamir:
      p = DomainWallParameters::shamir(n_s, m0, mass);
      break;
    case WallKind::borici:
      p = DomainWallParameters::borici(n_s, m0, mass);
      break;
    case WallKind::moebius:
      p = DomainWallParameters::moebius(n_s, m0, mass, b5, c5);
      break;
    case WallKind::optimal: {
      const auto& range = bounds ? bounds : measured;
      require(range.has_value(), "optimal weights without the spectral bounds that they are for");
      p = DomainWallParameters::optimal(optimal_weights(n_s, range->first, range->second), m0, mass);
      break;
    }
    case WallKind::general:
      p = DomainWallParameters::general(omega, sigma, m0, mass);
      break;
  }
  if (backwards) {
    std::reverse(p.omega.begin(), p.omega.end());
    std::reverse(p.sigma.begin(), p.sigma.end());
  }
  p.boundary = boundary;
  p.xi = xi;
  p.nu = nu;
  p.check();
  return p;
}

ActionPtr domain_wall_action(const DomainWallChoice& choice) {
  return std::make_shared<DomainWallAction>(choice);
}

}  // namespace plaq
