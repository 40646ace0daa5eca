// Keys of Wilson, clover and exponential clover quarks in [action], with or without a twisted mass.
#include <fmt/format.h>

#include "quarks/action/wilson_action.hpp"
#include "settings/action/action_keys.hpp"

namespace plaq::settings {
namespace {

struct WilsonKeys {
  std::optional<double> c_sw, c_r, c_t;
  double twisted_mass = 0;

  CloverCoefficients clover(double xi) const {
    if (c_sw) return CloverCoefficients::isotropic(*c_sw);
    return {c_r.value_or(0) / xi, c_t.value_or(0)};
  }
};

class WilsonQuarks final : public Discretisation {
 public:
  WilsonQuarks(const char* name, const char* meaning, bool clover, bool exponential)
      : name_(name), meaning_(meaning), clover_(clover), exponential_(exponential) {}
  std::string name() const override { return name_; }
  bool has_clover() const override { return clover_; }
  std::string meaning() const override { return meaning_; }
  bool has_kappa() const override { return true; }
  bool has_anisotropy() const override { return true; }
  bool has_open_time() const override { return true; }

  // Keys and rules are once for both.
  std::vector<Key> keys() const override {
    if (clover_) return {};
    return {
        field(&WilsonKeys::c_sw, "c_sw", "Coefficient of the clover term. The tree-level value is 1.")
            .within(0, 1000)
            .such_as("1.0")
            .without("needed for clover, or c_r and c_t"),
        field(&WilsonKeys::c_r, "c_r",
              "Clover coefficient of an anisotropic action for spatial planes, which have c_r/xi.")
            .within(0, 1000)
            .such_as("0.91")
            .without("c_sw"),
        field(&WilsonKeys::c_t, "c_t", "Clover coefficient of an anisotropic action for planes with time.")
            .within(0, 1000)
            .such_as("1.07")
            .without("c_sw"),
        field(
            &WilsonKeys::twisted_mass, "twisted_mass",
            "mu of twisted-mass quarks, M + i mu gamma5, in lattice units. The other flavour of the doublet "
            "has -mu. tmLQCD's 2KappaMu is 2 kappa mu.")
            .within(-1000, 1000),
        field(&AnisotropyKeys::xi, "xi",
              "Anisotropy a_s/a_t of the lattice. Domain-wall quarks: anisotropy of their kernel.")
            .between(0, 1000),
        field(&AnisotropyKeys::nu, "nu", "Coefficient of the spatial hopping terms of an anisotropic action.")
            .between(0, 1000)};
  }

  std::vector<Rule> rules(MassKeys) const override {
    if (clover_) return {};
    return {{{"action.type", "action.c_sw", "action.c_r", "action.c_t", "action.xi"},
             "A clover term needs c_sw (with xi = 1), or c_r and c_t.",
             check_clover}};
  }

  void expect_own_keys(Problems& problems, const Settings& settings) const override {
    const auto keys = settings.get<ActionKeys>();
    const auto anisotropy = settings.get<AnisotropyKeys>();
    if (clover_) return;
    const auto of_clover = settings.get<WilsonKeys>();
    for (const auto& [key, given] : {std::pair{"c_sw", of_clover.c_sw.has_value()},
                                     {"c_r", of_clover.c_r.has_value()},
                                     {"c_t", of_clover.c_t.has_value()}})
      if (given && !keys.type->has_clover())
        problems.add(
            {"action", key},
            "is a coefficient of the clover term, which needs type = \"clover\" or \"exponential_clover\"");
    if (keys.type->has_kappa()) return;
    if (of_clover.twisted_mass != 0)
      problems.add("action.twisted_mass", "is for Wilson and clover quarks alone; leave the key out");
    if (keys.kappa) problems.add("action.kappa", "is for Wilson and clover quarks alone; give mass");
    if (keys.kappas) problems.add("action.kappas", "is for Wilson and clover quarks alone; give masses");
    if (keys.type->has_anisotropy()) return;
    if (anisotropy.xi != 1)
      problems.add("action.xi", "is for Wilson, clover and domain-wall quarks alone; leave the key out");
    if (anisotropy.nu != 1)
      problems.add("action.nu", "is for Wilson, clover and domain-wall quarks alone; leave the key out");
  }

  ActionPtr action(const Settings& settings, double mass) const override {
    const auto keys = settings.get<WilsonKeys>();
    const auto [xi, nu] = settings.get<AnisotropyKeys>();
    CloverCoefficients term = clover_ ? keys.clover(xi) : CloverCoefficients();
    term.exponential = exponential_;
    return wilson_action({mass, xi, nu, settings.get<ActionKeys>().boundary, term, keys.twisted_mass});
  }

  Attributes attributes(const Settings& settings) const override {
    const auto keys = settings.get<ActionKeys>();
    std::vector<double> kappas;
    for (const double mass : masses_of(keys)) kappas.push_back(1 / (2 * (4 + mass)));
    const auto mine = settings.get<WilsonKeys>();
    const auto [xi, nu] = settings.get<AnisotropyKeys>();
    Attributes a = {keys.has_many_masses() ? Attributes::value_type{"kappas", kappas}
                                           : Attributes::value_type{"kappa", kappas.front()},
                    {"xi", xi},
                    {"nu", nu}};
    const CloverCoefficients c = clover_ ? mine.clover(xi) : CloverCoefficients();
    if (c.spatial != 0 || c.temporal != 0)
      add(a, {{"clover_spatial", c.spatial}, {"clover_temporal", c.temporal}});
    if (mine.twisted_mass != 0) a.emplace_back("twisted_mass", mine.twisted_mass);
    const char* twist = mine.twisted_mass != 0 ? " + i mu gamma5" : "";
    const char* term = " - (1/2) sum_{mu<nu} c_mu,nu sigma_mu,nu F_mu,nu";
    add(a, {{"operator",
             exponential_
                 ? fmt::format(
                       "M = d exp(A/d) - (1/2)[hop_t + (nu/xi) hop_s]{}, d = m + 1 + 3 nu/xi, A ={}, Francis "
                       "et al. 2020",
                       twist, term)
                 : fmt::format(
                       "M = m + 1 + 3 nu/xi - (1/2)[hop_t + (nu/xi) hop_s]{}{}, Clark et al. 2010 eq. (1)",
                       clover_ ? term : "", twist)},
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
    if (c_r != c_t) problems.missing({"action", c_r ? "c_t" : "c_r"}, "give c_r and c_t together");
    if (c_sw && anisotropy.xi != 1)
      problems.add("action.c_sw",
                   fmt::format("is for xi = 1, here it is {}; give c_r and c_t", anisotropy.xi));
  }

  const char *name_, *meaning_;
  bool clover_, exponential_;
};

}  // namespace

const Discretisations& wilson_quarks() {
  static const WilsonQuarks wilson("wilson", "Wilson", false, false),
      clover("clover", "Wilson with a clover term", true, false),
      exponential("exponential_clover", "Wilson with the exponential of a clover term", true, true);
  static const Discretisations all = {&wilson, &clover, &exponential};
  return all;
}

}  // namespace plaq::settings
