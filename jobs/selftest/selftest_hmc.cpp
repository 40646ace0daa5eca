// Checks of molecular dynamics: forces and pseudofermions of all terms of an action, trajectories and
// integrators.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/check/md_check.hpp"
#include "dynamics/monomial/exact_flavour_monomial.hpp"
#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/monomial/rational_ratio_monomial.hpp"
#include "dynamics/quark/domain_wall_sea_quark.hpp"
#include "dynamics/quark/hisq_chain.hpp"
#include "dynamics/quark/staggered_quark.hpp"
#include "dynamics/terms/hmc_terms.hpp"
#include "dynamics/trajectory/hybrid_monte_carlo.hpp"
#include "jobs/selftest/selftest.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"

namespace plaq::jobs {
namespace {

constexpr double force_bar = 1e-7, draw_bar = 1e-10, reversibility_bar = 1e-10, order_bar = 0.1;
constexpr double roughness = 0.3;  // of links, whose plaquette is near 0.7
constexpr MdSolverSettings exact_solves{.force_tolerance = 1e-13, .action_tolerance = 1e-13};
constexpr int drawn_number = 3;

// With as many slices of a rank at least, where a direction is split.
SharedLattice lattice_of_trial(const Trial& trial, int least_slices = usual_least_slices) {
  Extents extents = trial.extents;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (const int ranks = trial.world.ranks()[mu]; ranks > 1)
      extents[mu] = std::max(extents[mu], least_slices * ranks);
  return {std::shared_ptr<const ProcessGrid>(std::shared_ptr<void>(), &trial.world),
          trial.world.geometry(extents), trial.queue, make_host_transport(trial.world, trial.location())};
}

WilsonParameters light_wilson() { return {.mass = WilsonParameters::mass_of_kappa(0.12)}; }
WilsonParameters light_clover() {
  return {.mass = WilsonParameters::mass_of_kappa(0.115), .clover = CloverCoefficients::isotropic(1.3)};
}
WilsonParameters twisted_mass(WilsonParameters quarks) {
  quarks.twisted_mass = 0.2;
  return quarks;
}
WilsonParameters light_anisotropic() { return {.mass = 0.2, .xi = 2.1, .nu = 0.9, .clover = {0.5, 0.8}}; }

CheckResult result_of_force(double force) {
  return {std::abs(force) < force_bar,
          fmt::format("force {:.1e} (below {:.0e})", std::abs(force), force_bar)};
}

CheckResult check_gauge(const Trial& trial, const LoopWeights& weights) {
  const SharedLattice lattice = lattice_of_trial(trial);
  GaugeMonomial monomial(lattice, weights);
  return result_of_force(force_deviation(lattice, monomial, weak_links(lattice, roughness, 1)));
}

CheckResult check_determinant(const Trial& trial, const WilsonParameters& quarks) {
  const SharedLattice lattice = lattice_of_trial(trial);
  DeterminantMonomial monomial("determinant", std::make_shared<WilsonQuark>(lattice, quarks, exact_solves),
                               2);
  return result_of_force(force_deviation(lattice, monomial, weak_links(lattice, roughness, 1)));
}

constexpr double usual_step = 8e-3, short_step = 2e-3;  // of differences; the second one for HISQ links

// `draw`: |S/|eta|^2 - 1|
CheckResult result_of_draw(CheckResult result, double draw) {
  result.passed = result.passed && draw < draw_bar;
  result.detail += fmt::format(", S/|eta|^2 - 1 {:.1e} (below {:.0e})", draw, draw_bar);
  return result;
}

CheckResult check_pseudofermion(const SharedLattice& lattice, Monomial& monomial, SeaQuark& quark,
                                double step = usual_step) {
  const Field links = weak_links(lattice, roughness, 1);
  const double draw = std::abs(draw_deviation(monomial, drawn_number, quark, links, 5, 8));
  return result_of_draw(result_of_force(force_deviation(lattice, monomial, links, step)), draw);
}

using Form = WilsonQuark::Form;

CheckResult check_twisted(const Trial& trial, const WilsonParameters& quarks, double mu,
                          std::optional<double> heavier, Form form) {
  const SharedLattice lattice = lattice_of_trial(trial);
  const auto quark = std::make_shared<WilsonQuark>(lattice, quarks, exact_solves, QuarkLinks{}, form);
  PairMonomial monomial("quarks", drawn_number, quark, mu, heavier);
  return check_pseudofermion(lattice, monomial, *quark);
}

CheckResult check_masses(const Trial& trial, const WilsonParameters& quarks, double heavier, Form form) {
  const SharedLattice lattice = lattice_of_trial(trial);
  const QuarkLinks links{.copies = std::make_shared<LinkCopies>(lattice)};
  const auto light = std::make_shared<WilsonQuark>(lattice, quarks, exact_solves, links, form);
  WilsonParameters others = quarks;
  others.mass = heavier;
  const auto heavy = std::make_shared<WilsonQuark>(lattice, others, exact_solves, links, form);
  PairMonomial monomial("quarks", drawn_number, PairOperator{light}, PairOperator{heavy});
  return check_pseudofermion(lattice, monomial, *light);
}

CheckResult check_stout(const Trial& trial, const WilsonParameters& quarks, bool thin_clover) {
  const SharedLattice lattice = lattice_of_trial(trial);
  const auto smeared = std::make_shared<SmearedLinks>(lattice, StoutSmearing{0.12, false}, 2);
  const auto quark =
      std::make_shared<WilsonQuark>(lattice, quarks, exact_solves, QuarkLinks{smeared, thin_clover});
  PairMonomial monomial("quarks", drawn_number, quark, 0);
  return check_pseudofermion(lattice, monomial, *quark);
}

CheckResult check_root(const std::shared_ptr<SeaQuark>& quark, const PowerProduct& target, int factors,
                       int factor, double step = usual_step) {
  const auto root = std::make_shared<InverseRoot>(
      quark, InverseRootSettings{.tolerance = 1e-5, .factors = factors, .range = {}, .targets = {target}});
  RationalMonomial monomial("quarks", drawn_number, root, factor);
  return check_pseudofermion(quark->lattice(), monomial, *quark, step);
}

CheckResult check_rational(const Trial& trial, const WilsonParameters& quarks, int factors, int factor) {
  return check_root(std::make_shared<WilsonQuark>(lattice_of_trial(trial), quarks, exact_solves),
                    PowerProduct(-0.5), factors, factor);
}

CheckResult check_staggered(const Trial& trial, int flavours, int stout_steps) {
  const SharedLattice lattice = lattice_of_trial(trial);
  QuarkLinks links;
  if (stout_steps > 0)
    links.smeared = std::make_shared<SmearedLinks>(lattice, StoutSmearing{0.12, false}, stout_steps);
  return check_root(
      std::make_shared<StaggeredQuark>(lattice, StaggeredParameters{.mass = 0.2}, exact_solves, links),
      PowerProduct(-0.25 * flavours), 1, 0);
}

// 2+1 flavours in one pseudofermion, in a ratio to a heavy mass.
CheckResult check_joint_masses(const Trial& trial) {
  const StaggeredParameters light{.mass = 0.2};
  const SeaQuarks quarks{.kind = StaggeredSea{.parameters = light, .partners = {{0.5, 1, 1}}}};
  return check_root(std::make_shared<StaggeredQuark>(lattice_of_trial(trial), light, exact_solves),
                    quarks.targets({1.2}).back(), 1, 0);
}

CheckResult check_hisq(const Trial& trial, double epsilon) {
  const SharedLattice lattice = lattice_of_trial(trial, least_slices_of_long_hops);
  const QuarkLinks links{.hisq = std::make_shared<HisqChain>(lattice, std::vector{epsilon}),
                         .epsilon = epsilon};
  return check_root(
      std::make_shared<StaggeredQuark>(lattice, StaggeredParameters{.mass = 0.2}, exact_solves, links),
      PowerProduct(-0.5), 1, 0, short_step);
}

DomainWallParameters light_walls() { return DomainWallParameters::moebius(4, 1.6, 0.1, 1.5, 0.5); }

CheckResult check_walls(const Trial& trial, const DomainWallParameters& quarks, double heavier) {
  const SharedLattice lattice = lattice_of_trial(trial);
  const auto light = std::make_shared<DomainWallSeaQuark>(lattice, quarks, exact_solves);
  PairMonomial monomial("quarks", drawn_number, PairOperator{light}, PairOperator{light->of_mass(heavier)});
  return check_pseudofermion(lattice, monomial, *light);
}

CheckResult check_walls_root(const Trial& trial) {
  const SharedLattice lattice = lattice_of_trial(trial);
  const auto light = std::make_shared<DomainWallSeaQuark>(
      lattice, DomainWallParameters::moebius(2, 1.6, 0.3, 1.5, 0.5), exact_solves);
  const auto root = [](const std::shared_ptr<PairQuark>& quark, double power) {
    return QuarkRoot{quark,
                     std::make_shared<InverseRoot>(
                         quark, InverseRootSettings{.tolerance = 1e-5, .targets = {PowerProduct(-power)}})};
  };
  RationalRatioMonomial monomial("quarks", drawn_number, root(light, 0.5), root(light->of_mass(1), 0.25));
  return check_pseudofermion(lattice, monomial, *light);
}

CheckResult check_exact_flavour(const Trial& trial) {
  const SharedLattice lattice = lattice_of_trial(trial);
  const auto quark = std::make_shared<DomainWallSeaQuark>(lattice, light_walls(), exact_solves);
  ExactFlavourMonomial monomial("quarks", drawn_number, quark);
  const Field links = weak_links(lattice, roughness, 1);
  const PhaseSpace space(lattice, links, monomial.halo_depth());
  monomial.draw(space.links(), 5, 8);
  Field eta(lattice.geometry, spinor_spec(Subset::full, 1, Precision::double_precision, lattice.location()));
  draw_pseudofermion(eta, 5, 8, drawn_number, lattice.queue);
  const double draw = std::abs(monomial.value(space.links()) / quark->real_product(eta, eta) - 1);
  return result_of_draw(result_of_force(force_deviation(lattice, monomial, links)), draw);
}

CheckResult check_way_back(const Trial& trial) {
  const SharedLattice lattice = lattice_of_trial(trial);
  const auto quark =
      std::make_shared<WilsonQuark>(lattice, light_clover(), MdSolverSettings{.force_tolerance = 1e-10});
  const std::vector<MonomialPtr> quarks{std::make_shared<PairMonomial>("quarks", 0, quark, 0.3),
                                        std::make_shared<PairMonomial>("ratio", 1, quark, 0, 0.3),
                                        std::make_shared<DeterminantMonomial>("determinant", quark, 2)};
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6));
  HybridMonteCarlo hmc(
      MolecularDynamics({{{Integrator::omelyan2, 4}, quarks}, {{Integrator::omelyan2, 3}, {gauge}}}, 1), 31);
  PhaseSpace space(lattice, weak_links(lattice, roughness, 1), hmc.halo_depth());
  const auto report = hmc.trajectory(space, 1, {.check_reversibility = true});
  if (!report.reversibility) return {false, report.failure};
  const double links = report.reversibility->links;
  return {links < reversibility_bar && std::abs(report.delta_h) < 1,
          fmt::format("links {:.1e} (below {:.0e}), dH {:.2g}", links, reversibility_bar, report.delta_h)};
}

CheckResult check_orders(const Trial& trial) {
  const SharedLattice lattice = lattice_of_trial(trial);
  const Field links = weak_links(lattice, roughness, 1);
  CheckResult result{true, fmt::format("within {:g}: ", order_bar)};
  for (const auto& [integrator, steps, order] : {std::tuple{Integrator::leapfrog, 30, 2},
                                                 {Integrator::omelyan2, 20, 2},
                                                 {Integrator::omelyan4, 12, 4},
                                                 {Integrator::force_gradient, 12, 4}}) {
    const double found = order_of_integrator(lattice, wilson_gauge_action(5.6), links, integrator, steps, 2);
    result.passed = result.passed && std::abs(found - order) < order_bar;
    result.detail += fmt::format("{}{} {:.2f}", integrator == Integrator::leapfrog ? "" : ", ",
                                 name_of(integrator), found);
  }
  return result;
}

}  // namespace

std::vector<Check> hmc_checks() {
  const auto gauge = [](const LoopWeights& weights) {
    return [weights](const Trial& trial) { return check_gauge(trial, weights); };
  };
  const auto twisted = [](const WilsonParameters& quarks, double mu, std::optional<double> heavier = {},
                          Form form = Form::asymmetric) {
    return [=](const Trial& trial) { return check_twisted(trial, quarks, mu, heavier, form); };
  };
  const auto masses = [](const WilsonParameters& quarks, double heavier, Form form) {
    return [=](const Trial& trial) { return check_masses(trial, quarks, heavier, form); };
  };
  const auto rational = [](const WilsonParameters& quarks, int factors, int factor) {
    return [=](const Trial& trial) { return check_rational(trial, quarks, factors, factor); };
  };
  return {
      {"gauge action: wilson", gauge(wilson_gauge_action(5.6))},
      {"gauge action: symanzik", gauge(rectangle_gauge_action(4.0, symanzik_c1))},
      {"gauge action: iwasaki, anisotropic", gauge(rectangle_gauge_action(2.2, iwasaki_c1, 1.4))},
      {"gauge action: dbw2", gauge(rectangle_gauge_action(1.0, dbw2_c1))},
      {"gauge action: luscher_weisz", gauge(luscher_weisz_gauge_action(6.5, 0.862, 2))},
      {"two flavours: wilson", twisted(light_wilson(), 0)},
      {"two flavours: clover", twisted(light_clover(), 0)},
      {"two flavours: clover, anisotropic, twist 0.2", twisted(light_anisotropic(), 0.2)},
      {"two flavours: wilson, ratio of twists 0.1 to 0.5", twisted(light_wilson(), 0.1, 0.5)},
      {"two flavours: clover, ratio of twists 0 to 0.4", twisted(light_clover(), 0, 0.4)},
      {"two flavours: wilson, twisted mass", twisted(twisted_mass(light_wilson()), 0)},
      {"two flavours: clover, twisted mass, ratio 0 to 0.4", twisted(twisted_mass(light_clover()), 0, 0.4)},
      {"two flavours: clover, ratio of masses", masses(light_clover(), 0.6, Form::asymmetric)},
      {"two flavours: clover, symmetric", twisted(light_clover(), 0, {}, Form::symmetric)},
      {"two flavours: clover, symmetric, ratio of twists 0 to 0.4",
       twisted(light_clover(), 0, 0.4, Form::symmetric)},
      {"two flavours: clover, symmetric, ratio of masses", masses(light_clover(), 0.6, Form::symmetric)},
      {"two flavours: clover, stout links",
       [](const Trial& trial) { return check_stout(trial, light_clover(), false); }},
      {"two flavours: clover, stout links of the hops alone",
       [](const Trial& trial) { return check_stout(trial, light_clover(), true); }},
      {"determinant of the clover term",
       [](const Trial& trial) { return check_determinant(trial, light_clover()); }},
      {"determinant of the clover term: twisted mass",
       [](const Trial& trial) { return check_determinant(trial, twisted_mass(light_clover())); }},
      {"one flavour: wilson", rational(light_wilson(), 1, 0)},
      {"one flavour: clover", rational(light_clover(), 1, 0)},
      {"one flavour: clover, first of two factors", rational(light_clover(), 2, 0)},
      {"one flavour: staggered", [](const Trial& trial) { return check_staggered(trial, 1, 0); }},
      {"three flavours: staggered, stout links",
       [](const Trial& trial) { return check_staggered(trial, 3, 2); }},
      {"2+1 flavours: staggered, joint masses", check_joint_masses},
      {"two flavours: hisq", [](const Trial& trial) { return check_hisq(trial, 0); }},
      {"two flavours: hisq, epsilon -0.2", [](const Trial& trial) { return check_hisq(trial, -0.2); }},
      {"two flavours: domain wall, moebius",
       [](const Trial& trial) { return check_walls(trial, light_walls(), 1); }},
      {"two flavours: domain wall, optimal, ratio of masses",
       [](const Trial& trial) {
         return check_walls(trial, DomainWallParameters::optimal(optimal_weights(4, 0.4, 6.2), 1.6, 0.1),
                            0.5);
       }},
      {"one flavour: domain wall, moebius", check_walls_root},
      {"one flavour: domain wall, moebius, exact", check_exact_flavour},
      {"trajectory of two flavours: leads back", check_way_back},
      {"integrators: orders of dH", check_orders}};
}

}  // namespace plaq::jobs
