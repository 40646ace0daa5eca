#include "settings/hmc/hmc_tables.hpp"

#include "dynamics/quark/wilson_quark.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

std::vector<Key> trajectory_keys() {
  return {
      field(&TrajectoryKeys::length, "length", "Length of a trajectory in molecular-dynamics time.")
          .between(0, 100),
      field(
          &TrajectoryKeys::flavours, "flavours",
          "Degenerate flavours of each mass in [action]. One flavour, and the third one of three, is a "
          "rational function of Q^2 ([rational]), and so is any number of staggered flavours, of the "
          "even-odd operator. Flavours of domain-wall quarks are ratios to Pauli-Villars quarks, of mass 1.")
          .within(1, 16)
          .such_as("[2, 1]")
          .without("2 of each mass"),
      field(&TrajectoryKeys::pseudofermions, "pseudofermions",
            "Pseudofermions for the determinant of each mass. n > 1 of them have the action phi^dagger "
            "r(Q^2) phi each, with r near x^(-N/2n) for N flavours ([rational]), in place of a ladder, and "
            "are solved together: fluctuations of their forces are smaller. N staggered flavours have r near "
            "x^(-N/4n), and n is larger than N/4.")
          .within(1, 8)
          .such_as("[2, 1]")
          .without("1 of each mass"),
      field(&TrajectoryKeys::epsilons, "epsilons",
            "HISQ: epsilon of each mass, in place of that in [action]: 0 of light quarks, and negative for "
            "charm.")
          .within(-10, 10)
          .such_as("[0.0, -0.226]")
          .without("epsilon of [action] for each mass"),
      field(&TrajectoryKeys::joint_masses, "joint_masses",
            "Staggered quarks: all masses with one epsilon are in the same pseudofermions, with r near "
            "prod_k (x + m_k^2)^(-N_k/4n), and count as one mass in the names of terms."),
      field(
          &TrajectoryKeys::force_filter, "force_filter",
          "HISQ: number delta that is added, in forces alone, to the eigenvalues of V^dagger V of a link "
          "whose smallest one is below delta, so that near-singular links do not make forces large; 0: none.")
          .within(0, 1),
      field(&TrajectoryKeys::twists, "twists",
            "Twists mu of a Hasenbusch ladder, from the largest on, for each pair of flavours: det Q^2 "
            "becomes "
            "det(Q^2 + mu_1^2), and ratios from each mu to the next one and from the last one to 0. Q of the "
            "symmetric form is smaller by about 4 + m, and so are twists that do as much.")
          .between(0, 100)
          .such_as("[0.5, 0.1]"),
      field(
          &TrajectoryKeys::heavier_masses, "heavier_masses",
          "Masses of a Hasenbusch ladder in place of twists, from the heaviest on, for each pair of "
          "flavours: the determinant of the first one, and ratios from each mass to the next one and from "
          "the last one to that of the quarks. Staggered quarks have a rational function for each of these, "
          "and of these masses the ones above theirs. Domain-wall quarks have a ratio to Pauli-Villars "
          "quarks "
          "in place of the determinant, and masses below 1.")
          .between(-4, 100)
          .such_as("[0.5, 0.1]"),
      field(&TrajectoryKeys::heavier_kappas, "heavier_kappas",
            "These masses by kappa = 1/(2(4 + mass)), from the smallest kappa on.")
          .between(0, 100)
          .such_as("[0.11, 0.12]"),
      choice(&TrajectoryKeys::symmetric, "even_odd",
             "Even-odd form of S for pairs of flavours: asymmetric, S = C_e - D_eo C_o^-1 D_oe / 4, or "
             "symmetric, S = 1 - C_e^-1 D_eo C_o^-1 D_oe / 4, whose systems need fewer iterations of "
             "conjugate gradients. Odd flavours have the asymmetric form.",
             {{"asymmetric", false}, {"symmetric", true}}),
      choice(&TrajectoryKeys::exact, "one_flavour",
             "Action of an odd flavour: rational, a rational function, or exact for domain-wall quarks, with "
             "a pseudofermion in four dimensions and two solves a force (EOFA).",
             {{"rational", false}, {"exact", true}}),
      field(&TrajectoryKeys::time_scales, "time_scales",
            "Terms on each time scale, the slowest first, with spaces between them. A name such as quarks or "
            "quarks_2 stands for all terms that begin with it and are not named elsewhere.")
          .not_empty()
          .such_as("[\"quarks_ratio_2\", \"quarks\", \"gauge\"]")
          .without("[\"quarks\", \"gauge\"], or [\"gauge\"] without quarks"),
      field(&TrajectoryKeys::steps, "steps",
            "Steps of each time scale: of the slowest one in a trajectory, of each further one in each "
            "drift of "
            "the scale before it. leapfrog has one drift in a step, omelyan2 and force_gradient have two, "
            "omelyan4 has five.")
          .within(1, 1e6)
          .not_empty()
          .need("[10, 4]"),
      choice(&TrajectoryKeys::integrators, "integrators",
             "Integrator of each time scale. omelyan4 and force_gradient are of fourth order.",
             {{"leapfrog", Integrator::leapfrog},
              {"omelyan2", Integrator::omelyan2},
              {"omelyan4", Integrator::omelyan4},
              {"force_gradient", Integrator::force_gradient}})
          .with_repeats()
          .such_as("[\"omelyan2\", \"omelyan4\"]")
          .without("omelyan2 for all")};
}

Key own_terms_key() {
  return field(&TrajectoryKeys::terms, "terms", "Terms of the user.").such_as("[\"adjoint\"]");
}

Table rational_table() {
  return {
      "rational",
      "The rational function r(x) near x^(-1/2) for an odd flavour, or near x^(-N/2n) for n pseudofermions "
      "of N flavours: S = phi^dagger r(Q^2) phi. Staggered quarks have r near x^(-N/4n) and, in the place of "
      "Q^2, m^2 - D_eo D_oe/4. Joint masses and ladders of theirs have products of powers of this and of x + "
      "m_k^2 - m^2, m the lightest of them. Domain-wall quarks have S = phi^dagger g(B) r(A) g(B) phi with A "
      "= "
      "S^dagger S, B that of Pauli-Villars quarks, and g near the root of 1/r.",
      {field(&RationalKeys::tolerance, "tolerance",
             "Largest relative error of r on its range. The fields have the weight of r: it deviates from "
             "that of the flavour by a variance of about 12 V (n tolerance)^2 with n pseudofermions.")
           .within(1e-14, 0.1),
       field(&RationalKeys::range, "range",
             "Smallest and largest eigenvalue of Q^2 for which r is good. A trajectory at whose start the "
             "spectrum leaves it is rejected. The spectrum of staggered quarks begins at m^2.")
           .between(0, 1e6)
           .such_as("[0.001, 80.0]")
           .without("measured at the first trajectory and again after thermalisation, with the smallest "
                    "eigenvalue times 0.5 and the largest one times 1.1, and extended where the spectrum "
                    "leaves it"),
       field(
           &RationalKeys::factors, "factors",
           "Factors of r, each with a pseudofermion of its own: the first one has the smallest poles, which "
           "need most iterations and have the smallest forces.")
           .within(1, 16)}};
}

Table md_solver_table() {
  return {
      "solver",
      "Solves of molecular dynamics, by conjugate gradients on S^dagger S + mu^2 or with multigrid on S + i "
      "mu gamma5; for staggered quarks by multi-shift conjugate gradients.",
      {optional_choice(
           &MdSolverSettings::multigrid, "preconditioner",
           "multigrid: systems with a twist of at most largest_twist are solved by gcr, as "
           "W^dagger y = b and W x = y with W = S + i mu gamma5, each to the tolerance: those of pairs, "
           "also of twisted-mass quarks, and of rational functions, whose poles -mu^2 are twists. It is "
           "set up for S of each mass at the start of each trajectory, and renewed within it when its "
           "age has cost as much. The keys of [multigrid] are optional. Conjugate gradients take over "
           "where it fails.",
           {{"none", std::nullopt}, {"multigrid", MultigridOptions()}}),
       field(&MdSolverSettings::largest_multigrid_twist, "largest_twist",
             "Largest twist mu of systems that multigrid solves: of [hmc] twists, 0, or of a pole -mu^2. "
             "Conjugate gradients solve those of larger twists.")
           .within(0, 1e6)
           .without(
               "where both take as long, by the iterations of the first setup of each trajectory, and for "
               "poles by the smallest eigenvalue too"),
       field(&MdSolverSettings::force_tolerance, "force_tolerance",
             "||b - A x|| / ||b|| of solves for forces.")
           .between(0, 1),
       field(&MdSolverSettings::action_tolerance, "action_tolerance",
             "||b - A x|| / ||b|| of solves for H and for pseudofermions.")
           .between(0, 1),
       field(&MdSolverSettings::max_iterations, "max_iterations",
             "Most iterations of a solve. A solve that needs more rejects its trajectory.")
           .within(1, 1e9),
       optional_choice(
           &MdSolverSettings::inner_precision, "inner_precision",
           "Precision in which conjugate gradients iterate inside double. auto: half on a GPU, single "
           "on the host. A solve that stagnates is repeated in the next higher one.",
           {{"auto", std::nullopt},
            {"half", Precision::half_precision},
            {"single", Precision::single_precision},
            {"double", Precision::double_precision}})}};
}

}  // namespace plaq::settings
