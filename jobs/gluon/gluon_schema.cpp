// gluon: gluon and ghost propagators of fixed gauge fields in momentum space.
#include <fmt/format.h>

#include "jobs/gluon/gluon_keys.hpp"
#include "jobs/run/momentum_cut_keys.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/slurm_keys.hpp"

namespace plaq::jobs {
namespace {

void check_ghost(Problems& problems, const GluonSettings& gluon, const GhostSettings& ghost) {
  if (ghost.momenta != GhostMomenta::none && gluon.gauge != Gauge::landau)
    problems.add("ghost.momenta", "the ghost propagator is that of Landau gauge");
}

Table gluon() {
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
                &GluonFieldKeys::max_theta, "max_theta",
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

Table ghost() {
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

}  // namespace

const Schema& gluon_schema() {
  static const Schema schema{
      "gluon",
      "Gluon propagators of gauge fields in Landau or Coulomb gauge, and the ghost propagator of Landau "
      "gauge, in momentum space.",
      {top_table("gluon"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"), gluon(),
       ghost(), output_table("HDF5 file of the propagators.", "\"gluon.h5\""), comms_table(), run_table(),
       slurm_table()},
      joined<Rule>({common_rules(),
                    {{{"gluon.gauge", "ghost.momenta"},
                      "The ghost propagator is that of Landau gauge.",
                      check_ghost}}})};
  return schema;
}

}  // namespace plaq::jobs
