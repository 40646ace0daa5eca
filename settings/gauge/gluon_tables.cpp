#include "settings/gauge/gluon_tables.hpp"

#include "settings/gauge/momentum_cut_keys.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

void check_ghost(Problems& problems, const GluonSettings& gluon, const GhostSettings& ghost) {
  if (ghost.momenta != GhostMomenta::none && gluon.gauge != Gauge::landau)
    problems.add("ghost.momenta", "the ghost propagator is that of Landau gauge");
}

Table gluon_table() {
  return {
      "gluon", "The gluon propagator and the momenta of both propagators.",
      joined<Key>(
          {{choice(&GluonSettings::gauge, "gauge",
                   "Gauge of the fields. landau: D(p^2) at four-momenta; coulomb: the equal-time propagators "
                   "at spatial momenta.",
                   {{"landau", Gauge::landau}, {"coulomb", Gauge::coulomb}})
                .need("\"landau\""),
            field(&GluonSettings::max_theta, "max_theta",
                  "Largest theta (see job type gaugefix) of a field that counts as fixed. A field above it "
                  "ends the job. Coulomb gauge: theta of the worst time slice.")
                .between(0, 1),
            field(&GluonSettings::max_n, "max_n",
                  "Largest |n| of the momenta 2 pi n / L in each direction of space; L/2 is a limit too. "
                  "Results are averaged over permutations of axes with equal extents and over reflections.")
                .within(0, 2048)},
           momentum_cut_keys(&GluonSettings::cuts, " Only Landau gauge has this key.",
                             " Coulomb gauge: from (1,1,1)."),
           {field(&GluonSettings::beta, "beta",
                  "6/g0^2. With this key, gluon propagators are those of the field A without the coupling.")
                .between(0, 1e9)
                .such_as("6.0")
                .without("gluon propagators are those of g0 A")}})};
}

Table ghost_table() {
  return {"ghost",
          "The ghost propagator in Landau gauge. Each momentum takes eight solves with the Faddeev-Popov "
          "operator.",
          {choice(&GhostSettings::momenta, "momenta",
                  "Momenta of the ghost propagator. cone: those that survive the cone cut and the cylinder "
                  "cut; cylinder: those that survive the cylinder cut; all: all but 0. One of several "
                  "equivalent momenta is taken.",
                  {{"none", GhostMomenta::none},
                   {"cone", GhostMomenta::cone},
                   {"cylinder", GhostMomenta::cylinder},
                   {"all", GhostMomenta::all}}),
           field(&GhostSettings::count, "count", "Number of these momenta, from the lowest on; 0: all.")
               .within(0, 1e6),
           field(&GhostSettings::tolerance, "tolerance",
                 "Relative residual ||b - M x|| / ||b|| to reach, in double precision.")
               .between(0, 1),
           field(&GhostSettings::max_iterations, "max_iterations",
                 "Largest number of iterations of conjugate gradients.")
               .within(1, 1e9)}};
}

Rule ghost_rule() {
  return {{"gluon.gauge", "ghost.momenta"}, "The ghost propagator needs Landau gauge.", check_ghost};
}

}  // namespace plaq::settings
