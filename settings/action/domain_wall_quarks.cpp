// Keys of domain-wall quarks in [action].
#include <fmt/format.h>

#include "core/operator/active_set.hpp"
#include "core/system/error.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_table.hpp"

namespace plaq::settings {
namespace {

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
    return {choice(&DomainWallKeys::variant, "variant",
                   "Domain wall: weights (omega_s, sigma_s) of the slices in the fifth dimension. shamir: "
                   "(1, 0); borici: (1, 1); moebius: (b5, c5); optimal: both from Zolotarev's approximation "
                   "for the spectrum of the kernel. omega and sigma set other weights.",
                   Names<WallKind>(wall_kind_names))
                .such_as("\"moebius\"")
                .without("shamir, unless omega and sigma are given"),
            field(&DomainWallKeys::n_s, "n_s", "Domain wall: extent Ls of the fifth dimension.")
                .within(1, ActiveSet::capacity)
                .such_as("12")
                .without("needed for domain_wall"),
            field(&DomainWallKeys::m0, "m0",
                  "Domain wall: domain-wall height. The kernel is D_w with mass -m0. On anisotropic "
                  "lattices, free quarks need m0 below 2 nu/xi too.")
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
                  "Optimal weights: lower and upper bound of the spectrum of |H_w|.")
                .between(0, 1000)
                .such_as("[0.05, 6.2]")
                .without("plaq measures the bounds on each gauge field"),
            field(&DomainWallKeys::omega, "omega",
                  "Domain wall: omega_s of each slice, n_s numbers, in place of a variant.")
                .between(0, 1000)
                .not_empty()
                .such_as("[1.5, 1.2, 1.2, 1.5]")
                .without("the weights of the variant"),
            field(&DomainWallKeys::sigma, "sigma",
                  "Domain wall: sigma_s of each slice, n_s numbers, in place of a variant.")
                .between(-1000, 1000)
                .not_empty()
                .such_as("[0.5, 0.2, 0.2, 0.5]")
                .without("the weights of the variant")};
  }

  std::vector<Rule> rules(MassKeys masses) const override {
    return {{{"action.type", masses == MassKeys::list ? "action.masses" : "action.mass", "action.variant",
              "action.n_s", "action.m0", "action.b5", "action.c5", "action.bounds", "action.omega",
              "action.sigma", "action.xi", "action.nu"},
             "Domain-wall quarks need n_s. Moebius quarks need b5 and c5 too. omega and sigma must be given "
             "together, n_s numbers each, without a variant. The even-odd form must exist; it does not for "
             "odd n_s, equal weights and mass 1.",
             check}};
  }

  void expect_own_keys(Problems& problems, const Settings& settings) const override {
    if (settings.get<ActionKeys>().type == this) return;
    const auto keys = settings.get<DomainWallKeys>();
    for (const auto& [key, given] : {std::pair{"variant", keys.variant.has_value()},
                                     {"n_s", keys.n_s.has_value()},
                                     {"m0", keys.m0.has_value()},
                                     {"b5", keys.b5.has_value()},
                                     {"c5", keys.c5.has_value()},
                                     {"bounds", keys.bounds.has_value()},
                                     {"omega", keys.omega.has_value()},
                                     {"sigma", keys.sigma.has_value()}})
      if (given) problems.add({"action", key}, "needs type = \"domain_wall\"; leave the key out");
  }

  ActionPtr action(const Settings& settings, double mass) const override {
    return domain_wall_action(chosen(settings, mass));
  }

  Attributes attributes(const Settings& settings) const override {
    const DomainWallChoice p = chosen(settings, masses_of(settings.get<ActionKeys>()).front());
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
  static DomainWallChoice chosen(const Settings& settings, double mass) {
    const auto keys = settings.get<DomainWallKeys>();
    DomainWallChoice p;
    p.kind = keys.variant.value_or(p.kind);
    p.n_s = keys.n_s.value_or(p.n_s);
    p.m0 = keys.m0.value_or(p.m0);
    p.mass = mass;
    p.b5 = keys.b5.value_or(p.b5);
    p.c5 = keys.c5.value_or(p.c5);
    p.boundary = settings.get<ActionKeys>().boundary;
    const auto [xi, nu] = settings.get<AnisotropyKeys>();
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
                    const Settings& settings) {
    if (action.type->name() != "domain_wall") return;
    const std::size_t before = problems.found.size();
    const WallKind variant = keys.variant.value_or(WallKind::shamir);
    const bool moebius = variant == WallKind::moebius;
    if (!keys.n_s) problems.missing("action.n_s", "the extent of the fifth dimension; for example n_s = 12");
    for (const auto& [key, given] : {std::pair{"b5", keys.b5.has_value()}, {"c5", keys.c5.has_value()}}) {
      if (moebius && !given)
        problems.missing({"action", key},
                         "variant = \"moebius\" needs both; for example b5 = 1.5 and c5 = 0.5");
      if (!moebius && given) problems.add({"action", key}, "needs variant = \"moebius\"; leave the key out");
    }
    if (keys.bounds) {
      const auto [smallest, largest] = *keys.bounds;
      if (variant != WallKind::optimal)
        problems.add("action.bounds", "needs variant = \"optimal\"; leave the key out");
      if (!(smallest <= largest))
        problems.add("action.bounds",
                     fmt::format("the smallest, {}, must be at most the largest, {}", smallest, largest));
    }
    check_weights(problems, keys);
    if (problems.found.size() > before || (!action.mass && !action.masses)) return;
    try {  // the same with measured bounds as with any others
      for (const double mass : masses_of(action))
        chosen(settings, mass).parameters(any_bounds).check_even_odd();
    } catch (const Error& error) {
      problems.add("action.n_s", error.what());
    }
  }

  static void check_weights(Problems& problems, const DomainWallKeys& keys) {
    if (!keys.has_weights()) return;
    if (keys.variant)
      problems.add("action.variant",
                   "'omega' or 'sigma' is given as well; give either variant, or omega and sigma");
    for (const auto& [key, weights] : {std::pair{"omega", keys.omega}, {"sigma", keys.sigma}}) {
      if (!weights)
        problems.missing({"action", key}, "give omega and sigma together, a number for each slice");
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

}  // namespace plaq::settings
