// gaugefix: Landau, Coulomb and maximally Abelian gauge.
#include "jobs/gaugefix/fixing_files.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "settings/gauge/fixing_tables.hpp"

namespace plaq::jobs {
namespace {

Table output() {
  return output_table(
      "HDF5 file for functional, theta and number of sweeps of each copy.", "\"landau.h5\"",
      joined<Key>(
          {{field(&FixedFileKeys::fields, "fields",
                  "true: the job also writes the best copy of each field to DIRECTORY/GAUGE.FIELD.FORMAT."),
            field(&FixedFileKeys::transformations, "transformations",
                  "true: the job also writes the gauge transformation of the best copy to "
                  "DIRECTORY/GAUGE.FIELD.g.lime."),
            field(&FixedFileKeys::directory, "directory", "Directory for these files.")},
           saved_field_keys()}));
}

}  // namespace

const Schema& gaugefix_schema() {
  static const Schema schema{"gaugefix",
                             "Fix gauge fields to Landau, Coulomb or maximally Abelian gauge, and keep the "
                             "best of one or more gauge copies.",
                             joined<Table>({{top_table("gaugefix"), lattice_table(LatticeFrom::file),
                                             gauge_files_table("of fixing")},
                                            fixing_tables(),
                                            {output(), comms_table(), run_table(), slurm_table()}}),
                             joined<Rule>({common_rules(), fixing_rules(), {saved_field_rule()}})};
  return schema;
}

}  // namespace plaq::jobs
