#include "jobs/dirac/action_keys.hpp"

#include <string>

#include "comms/grid/grid_choice.hpp"
#include "core/system/error.hpp"
#include "kernels/dirac/staggered/staggered.hpp"

namespace plaq::jobs {
namespace {

CloverCoefficients clover_coefficients(const ActionKeys& keys) {
  if (keys.type != ActionType::clover) return {};
  if (keys.c_sw) return CloverCoefficients::isotropic(*keys.c_sw);
  return {keys.c_r.value() / keys.xi, keys.c_t.value()};
}

bool has_doubled_mass(const ActionKeys& keys) { return keys.mass_convention == MassConvention::doubled; }

StaggeredParameters staggered_with(const ActionKeys& keys, double mass) {
  StaggeredParameters p;
  p.mass = has_doubled_mass(keys) ? mass / 2 : mass;
  p.boundary = keys.boundary;
  return p;
}

DomainWallChoice domain_wall_with(const ActionKeys& keys, double mass) {
  DomainWallChoice p;
  p.kind = keys.variant.value_or(p.kind);
  p.n_s = keys.n_s.value();
  p.m0 = keys.m0.value_or(p.m0);
  p.mass = mass;
  p.b5 = keys.b5.value_or(p.b5);
  p.c5 = keys.c5.value_or(p.c5);
  p.boundary = keys.boundary;
  if (keys.bounds) p.bounds = {(*keys.bounds)[0], (*keys.bounds)[1]};
  return p;
}

ActionParameters parameters_with(const ActionKeys& keys, double mass) {
  switch (keys.type) {
    case ActionType::staggered:
      return staggered_with(keys, mass);
    case ActionType::asqtad:
      return AsqtadParameters{staggered_with(keys, mass), keys.u0.value_or(1)};
    case ActionType::domain_wall:
      return domain_wall_with(keys, mass);
    default:
      return WilsonParameters{mass, keys.xi, keys.nu, keys.boundary, clover_coefficients(keys)};
  }
}

bool has_many_masses(const ActionKeys& keys) { return keys.masses || keys.kappas; }

// As the job names them.
std::vector<double> masses_of(const ActionKeys& keys) {
  if (keys.masses) return *keys.masses;
  if (keys.mass) return {*keys.mass};
  std::vector<double> masses;
  for (const double kappa : keys.kappas ? *keys.kappas : std::vector{keys.kappa.value()})
    masses.push_back(WilsonParameters::mass_of_kappa(kappa));
  return masses;
}

void add(Attributes& to, Attributes more) { to.insert(to.end(), more.begin(), more.end()); }

struct Describe {
  const ActionKeys& keys;
  bool many;
  const std::vector<double>& masses;

  Attributes operator()(const WilsonParameters& p) const {
    std::vector<double> kappas;
    for (const double mass : masses) kappas.push_back(1 / (2 * (4 + mass)));
    Attributes a = {{many ? "kappas" : "kappa", many ? Attribute(kappas) : Attribute(kappas.front())},
                    {"xi", p.xi},
                    {"nu", p.nu}};
    if (p.has_clover())
      add(a, {{"clover_spatial", p.clover.spatial}, {"clover_temporal", p.clover.temporal}});
    const char* clover = " - (1/2) sum_{mu<nu} c_mu,nu sigma_mu,nu F_mu,nu";
    add(a, {{"operator", std::string("M = m + 1 + 3 nu/xi - (1/2)[hop_t + (nu/xi) hop_s]") +
                             (keys.type == ActionType::clover ? clover : "") + ", Clark et al. 2010 eq. (1)"},
            {"spin_basis", std::string("DeGrand-Rossi")}});
    return a;
  }

  Attributes staggered(const std::string& links) const {
    const auto convention = static_cast<std::size_t>(keys.mass_convention.value_or(MassConvention::milc));
    return {{"mass_convention", std::string(mass_convention_names[convention])},
            {"operator", std::string(has_doubled_mass(keys) ? "M = (mass + D)/2" : "M = mass + D/2") +
                             ", (D chi)(x) = sum_mu eta_mu(x) [U_mu(x) chi(x+mu) - U_mu(x-mu)^dagger "
                             "chi(x-mu)]" +
                             links},
            {"phases", std::string("eta_x = 1, eta_y = (-1)^x, eta_z = (-1)^(x+y), eta_t = (-1)^(x+y+z)")},
            {"normalization", std::string("M^-1 = 2 (2m + D)^-1, m of M = m + D/2")}};
  }
  Attributes operator()(const StaggeredParameters&) const { return staggered(""); }
  Attributes operator()(const AsqtadParameters& p) const {
    Attributes a = staggered(", with asqtad's fat links and the same with hops of three links");
    add(a, {{"u0", p.u0}});
    return a;
  }

  Attributes operator()(const DomainWallChoice& p) const {
    Attributes a = {{"variant", std::string(wall_kind_names[static_cast<std::size_t>(p.kind)])},
                    {"n_s", std::int64_t{p.n_s}},
                    {"m0", p.m0}};
    if (p.kind == WallKind::moebius) add(a, {{"b5", p.b5}, {"c5", p.c5}});
    if (p.bounds) add(a, {{"bounds", std::vector<double>{p.bounds->first, p.bounds->second}}});
    if (!p.measures_bounds()) {
      const DomainWallParameters weights = p.parameters();
      add(a, {{"omega", weights.omega}, {"sigma", weights.sigma}});
    }
    add(a,
        {{"operator",
          std::string("D(m) = (omega_s D_w + 1) + (sigma_s D_w - 1) L, L_+ of s = 1 is -m, D_w of mass "
                      "-m0, Chiu et al. 2010 eq. (2.1)")},
         {"quark", std::string("q = P_- psi_1 + P_+ psi_Ns, source (1 - sigma_s D_w) (P_+ b on s = 1, P_- b "
                               "on s = N_s)")},
         {"spin_basis", std::string("DeGrand-Rossi")}});
    return a;
  }
};

}  // namespace

QuarkKind quark_kind(ActionType type) {
  switch (type) {
    case ActionType::staggered:
    case ActionType::asqtad:
      return QuarkKind::staggered;
    case ActionType::domain_wall:
      return QuarkKind::domain_wall;
    default:
      return QuarkKind::wilson;
  }
}

QuarkKind quark_kind(const JobFile& job) { return quark_kind(job.get<ActionKeys>().type); }

ActionParameters action_parameters(const JobFile& job) {
  return actions_of_masses(job.get<ActionKeys>()).front();
}

std::vector<ActionParameters> actions_of_masses(const ActionKeys& keys) {
  std::vector<ActionParameters> all;
  for (const double mass : masses_of(keys)) all.push_back(parameters_with(keys, mass));
  return all;
}

WilsonParameters wilson_parameters(const JobFile& job) {
  const auto parameters = action_parameters(job);
  require(std::holds_alternative<WilsonParameters>(parameters), "a job for Wilson quarks that has others");
  return std::get<WilsonParameters>(parameters);
}

int columns_of(const ActionParameters& parameters) {
  return std::holds_alternative<StaggeredParameters>(parameters) ||
                 std::holds_alternative<AsqtadParameters>(parameters)
             ? 3
             : 12;
}

int least_slices(const JobFile& job) {
  return job.get<ActionKeys>().type == ActionType::asqtad ? least_slices_of_long_hops : usual_least_slices;
}

Attributes action_attributes(const JobFile& job) {
  const auto keys = job.get<ActionKeys>();
  const bool many = has_many_masses(keys);
  const std::vector<double> masses = masses_of(keys);
  Attributes a = {{"type", std::string(action_type_names[static_cast<std::size_t>(keys.type)])},
                  {many ? "masses" : "mass", many ? Attribute(masses) : Attribute(masses.front())}};
  add(a, std::visit(Describe{keys, many, masses}, parameters_with(keys, masses.front())));
  a.emplace_back("boundary", std::vector<std::int64_t>(keys.boundary.begin(), keys.boundary.end()));
  return a;
}

}  // namespace plaq::jobs
