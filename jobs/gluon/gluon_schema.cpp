// gluon: gluon and ghost propagators of fixed gauge fields in momentum space.
#include "jobs/gluon/gluon_keys.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "settings/gauge/gluon_tables.hpp"

namespace plaq::jobs {
const Schema& gluon_schema() {
  static const Schema schema{
      "gluon",
      "Compute the gluon propagator in Landau or Coulomb gauge and the ghost propagator in Landau gauge, in "
      "momentum space.",
      {top_table("gluon"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"),
       gluon_table(), ghost_table(), output_table("HDF5 file for the propagators.", "\"gluon.h5\""),
       comms_table(), run_table(), slurm_table()},
      joined<Rule>({common_rules(), {ghost_rule()}})};
  return schema;
}

}  // namespace plaq::jobs
