#include "plaq/hmc_settings.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "quarks/action/action.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/wilson_action.hpp"
#include "settings/gauge/gauge_action_table.hpp"
#include "settings/hmc/hmc_tables.hpp"
#include "settings/schema/filled_settings.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq {
namespace {

TermSettings terms_of(const HmcSettings& s, const std::vector<ActionTermPtr>& own) {
  if (s.even_odd != "asymmetric" && s.even_odd != "symmetric")
    throw Error(
        ErrorKind::usage,
        fmt::format("HmcChain(): setting 'even_odd': expected \"asymmetric\" or \"symmetric\", found \"{}\"",
                    s.even_odd));
  if (s.one_flavour != "rational" && s.one_flavour != "exact")
    throw Error(
        ErrorKind::usage,
        fmt::format("HmcChain(): setting 'one_flavour': expected \"rational\" or \"exact\", found \"{}\"",
                    s.one_flavour));
  TermSettings terms{
      {}, s.twists, s.rational.factors, {}, s.time_scales, s.heavier_masses, s.even_odd == "symmetric"};
  for (const SeaQuarkSettings& quarks : s.quarks) {
    const auto kind = quarks.action ? sea_kind_of(*quarks.action) : std::nullopt;
    if (!kind)
      throw Error(
          ErrorKind::usage,
          "HmcChain(): setting 'quarks': expected actions of wilson(), clover(), staggered(), hisq() or "
          "domain_wall()");
    if (quarks.action->needs_bounds())
      throw Error(ErrorKind::usage,
                  "HmcChain(): setting 'quarks': optimal weights of sea quarks need spectral bounds");
    const SeaQuarks sea{.kind = *kind,
                        .flavours = quarks.flavours,
                        .pseudofermions = quarks.pseudofermions,
                        .exact = s.one_flavour == "exact"};
    const int most = sea.staggered() ? 16 : 3;
    if (quarks.flavours < 1 || quarks.flavours > most)
      throw Error(ErrorKind::usage,
                  fmt::format("HmcChain(): setting 'quarks': expected 1 to {} flavours, found {}", most,
                              quarks.flavours));
    if (quarks.pseudofermions < 1 || quarks.pseudofermions > 8)
      throw Error(ErrorKind::usage,
                  fmt::format("HmcChain(): setting 'quarks': expected 1 to 8 pseudofermions, found {}",
                              quarks.pseudofermions));
    terms.quarks.push_back(sea);
  }
  if (s.joint_masses) terms.quarks = joint_quarks(terms.quarks);
  name_quarks(terms.quarks);
  for (const ActionTermPtr& term : own) {
    if (!term) throw Error(ErrorKind::usage, "HmcChain(): a term of your own is null");
    terms.own.push_back(term->name());
  }
  return terms;
}

}  // namespace

HmcSetup setup_of(const HmcSettings& s, const std::vector<ActionTermPtr>& own) {
  const TermSettings terms = terms_of(s, own);
  settings::TrajectoryKeys hmc;
  hmc.length = s.length;
  hmc.twists = s.twists;
  hmc.heavier_masses = s.heavier_masses;
  hmc.symmetric = terms.symmetric;
  hmc.joint_masses = s.joint_masses;
  hmc.force_filter = s.force_filter;
  hmc.time_scales = s.time_scales;
  hmc.steps = s.steps;
  hmc.integrators = s.integrators;
  hmc.terms = terms.own;
  const settings::GaugeActionKeys gauge{s.gauge.action, s.gauge.beta,     s.gauge.c1,
                                        s.gauge.u0,     s.gauge.flavours, s.gauge.anisotropy};
  const settings::RationalKeys rational{s.rational.tolerance, s.rational.range, s.rational.factors};
  MdSolverSettings solver;
  solver.force_tolerance = s.solver.force_tolerance;
  solver.action_tolerance = s.solver.action_tolerance;
  solver.max_iterations = s.solver.max_iterations;
  solver.inner_precision = s.solver.inner_precision;
  solver.largest_multigrid_twist = s.solver.largest_twist;
  if (s.solver.multigrid) solver.multigrid = MultigridOptions();  // [multigrid] says which one
  using settings::Problems;
  using settings::Settings;
  const settings::Schema schema{
      "hmc",
      "Hybrid Monte Carlo.",
      {{"hmc", "Trajectories.",
        settings::joined<settings::Key>({settings::trajectory_keys(), {settings::own_terms_key()}})},
       {"gauge", "Gauge action.", settings::gauge_action_keys("5.6")},
       settings::rational_table(),
       settings::md_solver_table(),
       settings::multigrid_table()},
      settings::joined<settings::Rule>(
          {settings::multigrid_rules(),
           {settings::gauge_action_rule(),
            {{"hmc.twists", "hmc.heavier_masses", "hmc.joint_masses", "hmc.force_filter", "hmc.even_odd",
              "hmc.terms", "hmc.time_scales", "hmc.steps", "hmc.integrators", "rational.range",
              "rational.factors"},
             "The terms fit together, and to their time scales.",
             [&](Problems& problems, const Settings&) {
               settings::check_terms(problems, terms);
               settings::check_staggered(problems, hmc, terms);
               settings::check_md_solver(problems, solver, terms);
               settings::check_rational(problems, rational, terms);
               settings::check_smearing(problems, s.smearing, terms);
               settings::check_time_scales(problems, terms, s.steps, s.integrators);
             }}}})};
  settings::expect_valid(schema, "HmcChain()", hmc, gauge, rational, solver,
                         s.solver.multigrid.value_or(MultigridOptions()));
  if (const auto fault = validate(s.smearing.links))
    throw Error(ErrorKind::usage,
                fmt::format("HmcChain(): setting 'smearing.links.{}': {}", fault->parameter, fault->what));
  solver.multigrid = s.solver.multigrid;
  return {terms,  settings::loop_weights(gauge), s.smearing, settings::root_settings(rational),
          solver, settings::time_scales(hmc),    s.length,   s.force_filter};
}

}  // namespace plaq
