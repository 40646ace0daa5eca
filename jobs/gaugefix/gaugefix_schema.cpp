// gaugefix: Landau, Coulomb and maximally Abelian gauge.
#include "jobs/gaugefix/fixing_keys.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"

namespace plaq::jobs {
namespace {

Table output() {
  return output_table(
      "HDF5 file of functional, theta and sweeps of each copy.", "\"landau.h5\"",
      joined<Key>({{field(&FixedFileKeys::fields, "fields",
                          "Also write each field as fixed, its best copy: DIRECTORY/GAUGE.FIELD.FORMAT."),
                    field(&FixedFileKeys::transformations, "transformations",
                          "Also write the transformation of the best copy: DIRECTORY/GAUGE.FIELD.g.lime."),
                    field(&FixedFileKeys::directory, "directory", "Where these go.")},
                   saved_field_keys()}));
}

}  // namespace

const Schema& gaugefix_schema() {
  static const Schema schema{
      "gaugefix",
      "Fix gauge fields to Landau, Coulomb or maximally Abelian gauge, the best of one or more gauge copies.",
      joined<Table>(
          {{top_table("gaugefix"), lattice_table(LatticeFrom::file), gauge_files_table("of fixing")},
           fixing_tables(),
           {output(), comms_table(), run_table(), slurm_table()}}),
      joined<Rule>({common_rules(), fixing_rules(), {saved_field_rule()}})};
  return schema;
}

}  // namespace plaq::jobs
