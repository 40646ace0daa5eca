#include "jobs/dirac/domain_wall_action.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/system/log.hpp"
#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/action_schema.hpp"
#include "jobs/dirac/dirac_matrix.hpp"
#include "jobs/dirac/free_domain_wall.hpp"
#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"
#include "kernels/dirac/domain_wall/domain_wall_schur.hpp"
#include "kernels/dirac/domain_wall/optimal_weights.hpp"
#include "kernels/quark/sources.hpp"
#include "solvers/eigen/singular_range.hpp"

namespace plaq::jobs {
namespace {

constexpr SpectralBounds any_bounds{0.1, 1.0};  // for what is the same with all

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
  void make_source(Field& b, const Field& quark_source) override { maps().make_source(b, quark_source); }
  void quark(Field& q, const Field& x) override { maps().quark(q, x); }
  void mid_quark(Field& q, const Field& x) override { maps().mid_quark(q, x); }

 private:
  DomainWallQuark maps() const { return {hop_, parameters_}; }
  DomainWallParameters parameters_;
};

class DomainWallMatrix final : public DiracMatrix {
 public:
  DomainWallMatrix(const Background& links, const DomainWallParameters& parameters)
      : DiracMatrix(links), parameters_(parameters) {}

  std::unique_ptr<HoppingTerm> hopping(const LinkStorage& storage) override {
    const auto& [grid, gauge, queue, transport, clover_links] = background_;
    return std::make_unique<DomainWallTerm>(
        make_domain_wall_hopping(*grid, gauge, parameters_, storage, queue, transport, 1 - schur_parity),
        parameters_);
  }

 private:
  DomainWallParameters parameters_;
};

// How far from a sign function the weights are: what chiral symmetry they leave.
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
  int slices() const override { return parameters_.n_s; }
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
  SpectralBounds measure_bounds(const Background& links) const override;
  ActionParameters within(const SpectralBounds& bounds) const override {
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
  std::unique_ptr<DiracMatrix> on(const Background& links, std::shared_ptr<CloverField>) const override {
    return std::make_unique<DomainWallMatrix>(links, parameters_.parameters());
  }
};

// Where bounds are measured on each field, of an infinite N_s.
std::optional<FreeQuark> DomainWallAction::free_quark(const std::array<double, 4>& p) const {
  const bool exact = parameters_.measures_bounds();
  return free_domain_wall_quark(parameters_.parameters(exact ? std::optional(any_bounds) : std::nullopt), p,
                                exact);
}

// The range of |H_w| on that field, a little wider than what was found.
SpectralBounds DomainWallAction::measure_bounds(const Background& links) const {
  const auto& [grid, gauge, queue, transport, clover_links] = links;
  WilsonOperator d_w(std::make_shared<WilsonHopping>(
      *grid, gauge, parameters_.parameters(any_bounds).wilson(), exact_storage, queue, transport));
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

constexpr std::string_view wall_kind_names[] = {"shamir", "borici", "moebius", "optimal"};

struct DomainWallKeys {
  std::optional<WallKind> variant;
  std::optional<int> n_s;
  std::optional<double> m0, b5, c5;
  std::optional<std::array<double, 2>> bounds;
  std::optional<std::vector<double>> omega, sigma;

  bool has_weights() const { return omega || sigma; }
};

class DomainWallQuarks final : public Discretisation {
 public:
  std::string name() const override { return "domain_wall"; }
  std::string meaning() const override { return "domain wall"; }
  bool has_anisotropy() const override { return true; }

  std::vector<Key> keys() const override {
    return {
        choice(&DomainWallKeys::variant, "variant",
               "Domain wall: weights omega_s, sigma_s of the slices: shamir (1, 0), borici (1, 1), moebius "
               "(b5, c5), optimal (both Zolotarev's, for the spectrum of the kernel). Others by omega and "
               "sigma.",
               Names<WallKind>(wall_kind_names))
            .such_as("\"moebius\"")
            .without("shamir, or omega and sigma"),
        field(&DomainWallKeys::n_s, "n_s", "Domain wall: extent of the fifth dimension.")
            .within(1, ActiveSet::capacity)
            .such_as("12")
            .without("needed for domain_wall"),
        field(&DomainWallKeys::m0, "m0",
              "Domain wall: height of the wall; the kernel is D_w of mass -m0. On anisotropic lattices "
              "free quarks want it below 2 nu/xi, too.")
            .between(0, 2)
            .such_as("1.8")
            .without("1.8"),
        field(&DomainWallKeys::b5, "b5", "Moebius: omega of all slices.")
            .between(0, 1000)
            .such_as("1.5")
            .without("needed for moebius"),
        field(&DomainWallKeys::c5, "c5", "Moebius: sigma of all slices.")
            .between(-1000, 1000)
            .such_as("0.5")
            .without("needed for moebius"),
        field(&DomainWallKeys::bounds, "bounds",
              "Optimal weights: bounds of the spectrum of |H_w|, the smallest and the largest.")
            .between(0, 1000)
            .such_as("[0.05, 6.2]")
            .without("measured on each gauge field"),
        field(&DomainWallKeys::omega, "omega",
              "Domain wall: omega_s of each slice, n_s numbers, in place of a variant ...")
            .between(0, 1000)
            .not_empty()
            .such_as("[1.5, 1.2, 1.2, 1.5]")
            .without("those of the variant"),
        field(&DomainWallKeys::sigma, "sigma", "... and sigma_s of each slice.")
            .between(-1000, 1000)
            .not_empty()
            .such_as("[0.5, 0.2, 0.2, 0.5]")
            .without("those of the variant")};
  }

  std::vector<Rule> rules(MassKeys masses) const override {
    return {
        {{"action.type", masses == MassKeys::list ? "action.masses" : "action.mass", "action.variant",
          "action.n_s", "action.m0", "action.b5", "action.c5", "action.bounds", "action.omega",
          "action.sigma", "action.xi", "action.nu"},
         "Domain walls need n_s, Moebius ones b5 and c5 as well; omega and sigma come together, n_s numbers "
         "each, without a variant; their even-odd form must exist (it does not for odd n_s, equal weights "
         "and mass 1).",
         check}};
  }

  void expect_own_keys(Problems& problems, const JobFile& job) const override {
    if (job.get<ActionKeys>().type == this) return;
    const auto keys = job.get<DomainWallKeys>();
    for (const auto& [key, given] : {std::pair{"variant", keys.variant.has_value()},
                                     {"n_s", keys.n_s.has_value()},
                                     {"m0", keys.m0.has_value()},
                                     {"b5", keys.b5.has_value()},
                                     {"c5", keys.c5.has_value()},
                                     {"bounds", keys.bounds.has_value()},
                                     {"omega", keys.omega.has_value()},
                                     {"sigma", keys.sigma.has_value()}})
      if (given) problems.add({"action", key}, "is of type = \"domain_wall\"");
  }

  ActionParameters action(const JobFile& job, double mass) const override {
    return domain_wall_action(chosen(job, mass));
  }

  Attributes attributes(const JobFile& job) const override {
    const DomainWallChoice p = chosen(job, masses_of(job.get<ActionKeys>()).front());
    Attributes a = {{"variant", p.kind == WallKind::general
                                    ? std::string("general")
                                    : std::string(wall_kind_names[static_cast<std::size_t>(p.kind)])},
                    {"n_s", std::int64_t{p.n_s}},
                    {"m0", p.m0},
                    {"xi", p.xi},
                    {"nu", p.nu}};
    if (p.kind == WallKind::moebius) add(a, {{"b5", p.b5}, {"c5", p.c5}});
    if (p.bounds) add(a, {{"bounds", std::vector<double>{p.bounds->first, p.bounds->second}}});
    if (!p.measures_bounds()) {
      const DomainWallParameters weights = p.parameters();
      add(a, {{"omega", weights.omega}, {"sigma", weights.sigma}});
    }
    add(a,
        {{"operator",
          std::string(
              "D(m) = (omega_s D_w + 1) + (sigma_s D_w - 1) L, L_+ of s = 1 is -m, D_w = 1 + 3 nu/xi - m0 - "
              "(1/2)[hop_t + (nu/xi) hop_s], Chiu et al. 2010 eq. (2.1)")},
         {"quark", std::string("q = P_- psi_1 + P_+ psi_Ns, source (1 - sigma_s D_w) (P_+ b on s = 1, P_- b "
                               "on s = N_s)")},
         {"spin_basis", std::string("DeGrand-Rossi")}});
    return a;
  }

 private:
  static DomainWallChoice chosen(const JobFile& job, double mass) {
    const auto keys = job.get<DomainWallKeys>();
    DomainWallChoice p;
    p.kind = keys.variant.value_or(p.kind);
    p.n_s = keys.n_s.value_or(p.n_s);
    p.m0 = keys.m0.value_or(p.m0);
    p.mass = mass;
    p.b5 = keys.b5.value_or(p.b5);
    p.c5 = keys.c5.value_or(p.c5);
    p.boundary = job.get<ActionKeys>().boundary;
    const auto [xi, nu] = job.get<AnisotropyKeys>();
    p.xi = xi;
    p.nu = nu;
    if (keys.has_weights()) {
      p.kind = WallKind::general;
      p.omega = keys.omega.value_or(p.omega);
      p.sigma = keys.sigma.value_or(p.sigma);
    }
    if (keys.bounds) p.bounds = {(*keys.bounds)[0], (*keys.bounds)[1]};
    return p;
  }

  static void check(Problems& problems, const ActionKeys& action, const DomainWallKeys& keys,
                    const JobFile& job) {
    if (action.type->name() != "domain_wall") return;
    const std::size_t before = problems.found.size();
    const WallKind variant = keys.variant.value_or(WallKind::shamir);
    const bool moebius = variant == WallKind::moebius;
    if (!keys.n_s) problems.missing("action.n_s", "the extent of the fifth dimension; for example n_s = 12");
    for (const auto& [key, given] : {std::pair{"b5", keys.b5.has_value()}, {"c5", keys.c5.has_value()}}) {
      if (moebius && !given)
        problems.missing({"action", key}, "of variant = \"moebius\"; for example b5 = 1.5 and c5 = 0.5");
      if (!moebius && given) problems.add({"action", key}, "is of variant = \"moebius\"");
    }
    if (keys.bounds) {
      const auto [smallest, largest] = *keys.bounds;
      if (variant != WallKind::optimal) problems.add("action.bounds", "is of variant = \"optimal\"");
      if (!(smallest <= largest))
        problems.add("action.bounds", fmt::format("{} is above {}", smallest, largest));
    }
    check_weights(problems, keys);
    if (problems.found.size() > before || (!action.mass && !action.masses)) return;
    try {  // the same with measured bounds as with any others
      for (const double mass : masses_of(action)) chosen(job, mass).parameters(any_bounds).check_even_odd();
    } catch (const Error& error) {
      problems.add("action.n_s", error.what());
    }
  }

  static void check_weights(Problems& problems, const DomainWallKeys& keys) {
    if (!keys.has_weights()) return;
    if (keys.variant)
      problems.add("action.variant", "'omega' or 'sigma' is given as well; give a variant, or both of them");
    for (const auto& [key, weights] : {std::pair{"omega", keys.omega}, {"sigma", keys.sigma}}) {
      if (!weights)
        problems.missing({"action", key}, "omega and sigma come together, a number for each slice");
      else if (keys.n_s && weights->size() != static_cast<std::size_t>(*keys.n_s))
        problems.add({"action", key}, fmt::format("found {} numbers, must be n_s = {}, one for each slice",
                                                  weights->size(), *keys.n_s));
    }
  }
};

}  // namespace

const Discretisations& domain_wall_quarks() {
  static const DomainWallQuarks quarks;
  static const Discretisations all = {&quarks};
  return all;
}

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
  p.boundary = boundary;
  p.xi = xi;
  p.nu = nu;
  p.check();
  return p;
}

ActionParameters domain_wall_action(const DomainWallChoice& choice) {
  return std::make_shared<DomainWallAction>(choice);
}

}  // namespace plaq::jobs
