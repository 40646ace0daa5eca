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
      "gluon", "The gluon propagator, and the momenta of both propagators.",
      joined<Key>(
          {{choice(
                &GluonSettings::gauge, "gauge",
                "The gauge that the fields are in: landau has D(p^2) of four-momenta, coulomb the equal-time "
                "propagators of momenta in space.",
                {{"landau", Gauge::landau}, {"coulomb", Gauge::coulomb}})
                .need("\"landau\""),
            field(
                &GluonSettings::max_theta, "max_theta",
                "A field whose gauge precision theta (as of a gaugefix job) is above this is not fixed, and "
                "ends the job; in Coulomb gauge that of the worst time slice.")
                .between(0, 1),
            field(
                &GluonSettings::max_n, "max_n",
                "Momenta 2 pi n / L with |n| up to this, and up to L/2, in each direction of space; averaged "
                "over permutations of axes with equal extents and over reflections.")
                .within(0, 2048)},
           momentum_cut_keys(&GluonSettings::cuts, " Landau gauge alone.", " In Coulomb gauge from (1,1,1)."),
           {field(
                &GluonSettings::beta, "beta",
                "6/g0^2: propagators of gluons are then those of the field with the coupling divided out, A.")
                .between(0, 1e9)
                .such_as("6.0")
                .without("those of g0 A")}})};
}

Table ghost_table() {
  return {"ghost",
          "The ghost propagator of Landau gauge: eight solves with the Faddeev-Popov operator a momentum.",
          {choice(&GhostSettings::momenta, "momenta",
                  "At which momenta: none, those that survive the cone cut and the cylinder cut (cone), the "
                  "cylinder cut (cylinder), or all but 0. Of equivalent momenta one is taken.",
                  {{"none", GhostMomenta::none},
                   {"cone", GhostMomenta::cone},
                   {"cylinder", GhostMomenta::cylinder},
                   {"all", GhostMomenta::all}}),
           field(&GhostSettings::count, "count", "The lowest so many of them; 0: all.").within(0, 1e6),
           field(&GhostSettings::tolerance, "tolerance", "||b - M x|| / ||b|| to reach, in double precision.")
               .between(0, 1),
           field(&GhostSettings::max_iterations, "max_iterations", "Of conjugate gradients, at most.")
               .within(1, 1e9)}};
}

Rule ghost_rule() {
  return {{"gluon.gauge", "ghost.momenta"}, "The ghost propagator is that of Landau gauge.", check_ghost};
}

}  // namespace plaq::settings
