// Keys of staggered quarks in [action].
#include <fmt/format.h>

#include "quarks/action/staggered_action.hpp"
#include "settings/action/action_keys.hpp"

namespace plaq::settings {
namespace {

enum class MassConvention { milc, doubled };
constexpr std::string_view mass_convention_names[] = {"milc", "doubled"};

struct StaggeredKeys {
  std::optional<MassConvention> mass_convention;
  std::optional<double> u0, epsilon;
  bool doubled() const { return mass_convention == MassConvention::doubled; }
};

class StaggeredQuarks : public Discretisation {
 public:
  std::string name() const override { return "staggered"; }
  std::string meaning() const override { return "staggered with one link"; }

  // For all staggered quarks.
  std::vector<Key> keys() const override {
    return {choice(&StaggeredKeys::mass_convention, "mass_convention",
                   "Staggered quarks: meaning of the mass. milc: M = mass + D/2; doubled: M = (mass + D)/2, "
                   "so that mass is twice that of MILC.",
                   Names<MassConvention>(mass_convention_names))
                .such_as("\"milc\"")
                .without("milc")};
  }

  void expect_own_keys(Problems& problems, const Settings& settings) const override {
    const bool staggered = dynamic_cast<const StaggeredQuarks*>(settings.get<ActionKeys>().type) != nullptr;
    if (!staggered && settings.get<StaggeredKeys>().mass_convention)
      problems.add("action.mass_convention", "is for staggered quarks alone; leave the key out");
  }

  std::string wrong_mass(double mass) const override {
    return mass > 0 ? "" : fmt::format("found {}, must be greater than 0 for staggered quarks", mass);
  }

  ActionPtr action(const Settings& settings, double mass) const override {
    return staggered_action(parameters(settings, mass));
  }
  Attributes attributes(const Settings& settings) const override { return attributes(settings, ""); }

 protected:
  static StaggeredParameters parameters(const Settings& settings, double mass) {
    StaggeredParameters p;
    p.mass = settings.get<StaggeredKeys>().doubled() ? mass / 2 : mass;
    p.boundary = settings.get<ActionKeys>().boundary;
    return p;
  }

  static Attributes attributes(const Settings& settings, const char* links) {
    const bool doubled = settings.get<StaggeredKeys>().doubled();
    return {{"mass_convention", std::string(doubled ? "doubled" : "milc")},
            {"operator", fmt::format("M = {}, (D chi)(x) = sum_mu eta_mu(x) [U_mu(x) chi(x+mu) - "
                                     "U_mu(x-mu)^dagger chi(x-mu)]{}",
                                     doubled ? "(mass + D)/2" : "mass + D/2", links)},
            {"phases", std::string("eta_x = 1, eta_y = (-1)^x, eta_z = (-1)^(x+y), eta_t = (-1)^(x+y+z)")},
            {"normalization", std::string("M^-1 = 2 (2m + D)^-1, m of M = m + D/2")}};
  }
};

class HisqQuarks final : public StaggeredQuarks {
 public:
  std::string name() const override { return "hisq"; }
  std::string meaning() const override { return "highly improved staggered (hisq, on links that it smears)"; }

  std::vector<Key> keys() const override {
    return {field(&StaggeredKeys::epsilon, "epsilon",
                  "HISQ: change of the Naik term for charm quarks. The coefficient is -(1 + epsilon)/24.")
                .within(-10, 10)
                .such_as("-0.226")
                .without("0")};
  }

  void expect_own_keys(Problems& problems, const Settings& settings) const override {
    if (settings.get<ActionKeys>().type != this && settings.get<StaggeredKeys>().epsilon)
      problems.add("action.epsilon", "needs type = \"hisq\"; leave the key out");
  }

  ActionPtr action(const Settings& settings, double mass) const override {
    return hisq_action({parameters(settings, mass), settings.get<StaggeredKeys>().epsilon.value_or(0)});
  }

  Attributes attributes(const Settings& settings) const override {
    Attributes a = StaggeredQuarks::attributes(
        settings, ", with HISQ's fat links and the same with hops of three links, Follana et al. 2007");
    a.emplace_back("epsilon", settings.get<StaggeredKeys>().epsilon.value_or(0));
    return a;
  }
};

class AsqtadQuarks final : public StaggeredQuarks {
 public:
  std::string name() const override { return "asqtad"; }
  std::string meaning() const override { return "improved staggered (asqtad, on links that it smears)"; }

  std::vector<Key> keys() const override {
    return {field(&StaggeredKeys::u0, "u0", "Asqtad: tadpole factor u0 of the improved links.")
                .between(0, 1000)
                .such_as("0.8677")
                .without(fmt::format("{}", AsqtadParameters().u0))};
  }

  void expect_own_keys(Problems& problems, const Settings& settings) const override {
    if (settings.get<ActionKeys>().type != this && settings.get<StaggeredKeys>().u0)
      problems.add("action.u0", "needs type = \"asqtad\"; leave the key out");
  }

  ActionPtr action(const Settings& settings, double mass) const override {
    return asqtad_action({parameters(settings, mass), settings.get<StaggeredKeys>().u0.value_or(1)});
  }

  Attributes attributes(const Settings& settings) const override {
    Attributes a = StaggeredQuarks::attributes(
        settings, ", with asqtad's fat links and the same with hops of three links");
    a.emplace_back("u0", settings.get<StaggeredKeys>().u0.value_or(1));
    return a;
  }
};

}  // namespace

const Discretisations& staggered_quarks() {
  static const StaggeredQuarks one_link;
  static const AsqtadQuarks asqtad;
  static const HisqQuarks hisq;
  static const Discretisations all = {&one_link, &asqtad, &hisq};
  return all;
}

}  // namespace plaq::settings
