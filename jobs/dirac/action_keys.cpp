#include "jobs/dirac/action_keys.hpp"

#include <string>

#include "comms/grid/grid_choice.hpp"
#include "core/system/error.hpp"
#include "jobs/dirac/action_schema.hpp"
#include "kernels/dirac/staggered/staggered.hpp"

namespace plaq::jobs {
namespace {

CloverCoefficients clover_coefficients(const JobFile& job, double xi) {
  if (job.string("action", "type") != "clover") return {};
  if (const auto c_sw = job.optional_real("action", "c_sw")) return CloverCoefficients::isotropic(*c_sw);
  return {job.real("action", "c_r") / xi, job.real("action", "c_t")};
}

WilsonParameters wilson_with(const JobFile& job, double mass) {
  WilsonParameters p;
  p.mass = mass;
  p.xi = job.real("action", "xi");
  p.nu = job.real("action", "nu");
  p.boundary = job.four("action", "boundary");
  p.clover = clover_coefficients(job, p.xi);
  return p;
}

bool has_doubled_mass(const JobFile& job) {
  return job.optional_string("action", "mass_convention").value_or("milc") == "doubled";
}

StaggeredParameters staggered_with(const JobFile& job, double mass) {
  StaggeredParameters p;
  p.mass = has_doubled_mass(job) ? mass / 2 : mass;
  p.boundary = job.four("action", "boundary");
  return p;
}

WallKind wall_kind(const std::string& variant) {
  if (variant == "shamir") return WallKind::shamir;
  if (variant == "borici") return WallKind::borici;
  return variant == "moebius" ? WallKind::moebius : WallKind::optimal;
}

DomainWallChoice domain_wall_with(const JobFile& job, double mass) {
  DomainWallChoice p;
  p.kind = wall_kind(job.optional_string("action", "variant").value_or("shamir"));
  p.n_s = static_cast<int>(*job.optional_integer("action", "n_s"));
  p.m0 = job.optional_real("action", "m0").value_or(p.m0);
  p.mass = mass;
  p.b5 = job.optional_real("action", "b5").value_or(p.b5);
  p.c5 = job.optional_real("action", "c5").value_or(p.c5);
  p.boundary = job.four("action", "boundary");
  if (job.has("action", "bounds")) {
    const auto& bounds = job.reals("action", "bounds");
    p.bounds = {bounds[0], bounds[1]};
  }
  return p;
}

bool knows_all(const JobFile& job) { return job.schema().find("action", "n_s") != nullptr; }

ActionParameters parameters_with(const JobFile& job, double mass) {
  if (!knows_all(job)) return wilson_with(job, mass);
  switch (quark_kind(job)) {
    case QuarkKind::staggered: {
      const StaggeredParameters p = staggered_with(job, mass);
      if (job.string("action", "type") == "staggered") return p;
      return AsqtadParameters{p, job.optional_real("action", "u0").value_or(1)};
    }
    case QuarkKind::domain_wall:
      return domain_wall_with(job, mass);
    case QuarkKind::wilson:
      break;
  }
  return wilson_with(job, mass);
}

bool has_many_masses(const JobFile& job) { return job.schema().find("action", "masses") != nullptr; }

// As the job names them.
std::vector<double> masses_of(const JobFile& job) {
  if (!has_many_masses(job)) {
    const auto kappa = job.optional_real("action", "kappa");
    return {kappa ? WilsonParameters::mass_of_kappa(*kappa) : *job.optional_real("action", "mass")};
  }
  if (!job.has("action", "kappas")) return job.reals("action", "masses");
  std::vector<double> masses;
  for (const double kappa : job.reals("action", "kappas"))
    masses.push_back(WilsonParameters::mass_of_kappa(kappa));
  return masses;
}

void add(Attributes& to, Attributes more) { to.insert(to.end(), more.begin(), more.end()); }

struct Describe {
  const JobFile& job;
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
                             (job.string("action", "type") == "clover" ? clover : "") +
                             ", Clark et al. 2010 eq. (1)"},
            {"spin_basis", std::string("DeGrand-Rossi")}});
    return a;
  }

  Attributes staggered(const std::string& links) const {
    return {{"mass_convention", job.optional_string("action", "mass_convention").value_or("milc")},
            {"operator", std::string(has_doubled_mass(job) ? "M = (mass + D)/2" : "M = mass + D/2") +
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
    Attributes a = {{"variant", job.optional_string("action", "variant").value_or("shamir")},
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

ActionParameters action_parameters(const JobFile& job) { return actions_of_masses(job).front(); }

std::vector<ActionParameters> actions_of_masses(const JobFile& job) {
  std::vector<ActionParameters> all;
  for (const double mass : masses_of(job)) all.push_back(parameters_with(job, mass));
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
  return job.string("action", "type") == "asqtad" ? least_slices_of_long_hops : usual_least_slices;
}

Attributes action_attributes(const JobFile& job) {
  const bool many = has_many_masses(job);
  const std::vector<double> masses = masses_of(job);
  const ActionParameters parameters = parameters_with(job, masses.front());
  Attributes a = {{"type", job.string("action", "type")},
                  {many ? "masses" : "mass", many ? Attribute(masses) : Attribute(masses.front())}};
  add(a, std::visit(Describe{job, many, masses}, parameters));
  const auto boundary = job.four("action", "boundary");
  a.emplace_back("boundary", std::vector<std::int64_t>(boundary.begin(), boundary.end()));
  return a;
}

}  // namespace plaq::jobs
