#include "jobs/dirac/dirac_keys.hpp"

#include <algorithm>
#include <iterator>

#include "core/error.hpp"

namespace plaq::jobs {
namespace {

template <class Enum, std::size_t n>
Enum choice(const std::string& name, const std::string_view (&names)[n]) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  require(found != std::end(names), "a job key has a choice that nothing stands for");
  return static_cast<Enum>(found - std::begin(names));
}

Precision precision_named(const std::string& name) {
  return name == "half"     ? Precision::half_precision
         : name == "single" ? Precision::single_precision
                            : Precision::double_precision;
}

MixedScheme scheme_named(const std::string& name) {
  return name == "reliable" ? MixedScheme::reliable_updates
         : name == "defect" ? MixedScheme::defect_correction
                            : MixedScheme::none;
}

CloverCoefficients clover_coefficients(const JobFile& job, double xi) {
  if (job.string("action", "type") != "clover") return {};
  if (const auto c_sw = job.optional_real("action", "c_sw")) return CloverCoefficients::isotropic(*c_sw);
  return {job.real("action", "c_r") / xi, job.real("action", "c_t")};
}

WilsonParameters parameters_with(const JobFile& job, double mass) {
  WilsonParameters p;
  p.mass = mass;
  p.xi = job.real("action", "xi");
  p.nu = job.real("action", "nu");
  p.boundary = job.four("action", "boundary");
  p.clover = clover_coefficients(job, p.xi);
  return p;
}

double kappa_of(const WilsonParameters& p) { return 1 / (2 * (4 + p.mass)); }

bool has_many_masses(const JobFile& job) { return job.schema().find("action", "masses") != nullptr; }

}  // namespace

WilsonParameters wilson_parameters(const JobFile& job) {
  const auto kappa = job.optional_real("action", "kappa");
  return parameters_with(
      job, kappa ? WilsonParameters::mass_of_kappa(*kappa) : *job.optional_real("action", "mass"));
}

std::vector<WilsonParameters> wilson_parameters_of_masses(const JobFile& job) {
  std::vector<WilsonParameters> all;
  if (job.has("action", "kappas")) {
    for (const double kappa : job.reals("action", "kappas"))
      all.push_back(parameters_with(job, WilsonParameters::mass_of_kappa(kappa)));
  } else {
    for (const double mass : job.reals("action", "masses")) all.push_back(parameters_with(job, mass));
  }
  return all;
}

Preconditioning preconditioning_named(const std::string& name) {
  return choice<Preconditioning>(name, preconditioning_names);
}

SolverSpec solver_spec(const JobFile& job, Location location) {
  SolverSpec spec;
  const auto count = [&](const char* key) { return static_cast<int>(job.integer("solver", key)); };
  spec.method = choice<SolverMethod>(job.string("solver", "method"), solver_method_names);
  spec.preconditioning = preconditioning_named(job.string("solver", "preconditioning"));
  spec.scheme = scheme_named(job.string("solver", "mixed"));
  spec.outer = {precision_named(job.string("solver", "precision")), count("links")};
  const std::string& inner = job.string("solver", "inner_precision");
  const Precision automatic =
      location == Location::device ? Precision::half_precision : Precision::single_precision;
  spec.inner = {inner == "auto" ? automatic : precision_named(inner), count("inner_links")};
  if (inner == "auto" && spec.inner.precision == spec.outer.precision) spec.scheme = MixedScheme::none;
  spec.delta = job.real("solver", "delta");
  spec.inner_tolerance = job.optional_real("solver", "inner_tolerance");
  spec.restart = count("restart");
  spec.omega = job.real("solver", "omega");
  spec.tolerance = job.real("solver", "tolerance");
  spec.max_iterations = count("max_iterations");
  spec.fallback = job.flag("solver", "fallback");
  spec.temporal_gauge = job.flag("solver", "temporal_gauge");
  spec.short_halo = job.string("solver", "halo_precision") == "half";
  return spec;
}

Attributes action_attributes(const JobFile& job) {
  const bool many = has_many_masses(job);
  const auto all = many ? wilson_parameters_of_masses(job) : std::vector{wilson_parameters(job)};
  const WilsonParameters& p = all.front();
  const bool clover = job.string("action", "type") == "clover";
  std::vector<double> masses, kappas;
  for (const WilsonParameters& one : all) {
    masses.push_back(one.mass);
    kappas.push_back(kappa_of(one));
  }
  Attributes a = {{"type", job.string("action", "type")},
                  {many ? "masses" : "mass", many ? Attribute(masses) : Attribute(p.mass)},
                  {many ? "kappas" : "kappa", many ? Attribute(kappas) : Attribute(kappa_of(p))},
                  {"xi", p.xi},
                  {"nu", p.nu},
                  {"boundary", std::vector<std::int64_t>(p.boundary.begin(), p.boundary.end())}};
  if (clover) {
    a.emplace_back("clover_spatial", p.clover.spatial);
    a.emplace_back("clover_temporal", p.clover.temporal);
  }
  a.emplace_back(
      "operator",
      std::string(clover ? "M = m + 1 + 3 nu/xi - (1/2)[hop_t + (nu/xi) hop_s] - (1/2) sum_{mu<nu} "
                           "c_mu,nu sigma_mu,nu F_mu,nu, Clark et al. 2010 eq. (1)"
                         : "M = m + 1 + 3 nu/xi - (1/2)[hop_t + (nu/xi) hop_s], Clark et al. 2010 "
                           "eq. (1)"));
  a.emplace_back("spin_basis", std::string("DeGrand-Rossi"));
  return a;
}

Attributes solver_attributes(const SolverSpec& spec) {
  const auto text = [](std::string_view name) { return std::string(name); };
  Attributes a = {
      {"method", text(solver_method_names[static_cast<std::size_t>(spec.method)])},
      {"solver", name_of(spec)},
      {"preconditioning", text(preconditioning_names[static_cast<std::size_t>(spec.preconditioning)])},
      {"storage", name_of(spec.outer)},
      {"scheme", text(name_of(spec.scheme))},
      {"tolerance", spec.tolerance}};
  if (spec.scheme != MixedScheme::none) a.emplace_back("inner_storage", name_of(spec.inner));
  if (has_short_halo(spec)) a.emplace_back("halo_precision", std::string("half"));
  return a;
}

}  // namespace plaq::jobs
