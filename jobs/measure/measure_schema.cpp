// measure: observables of gauge fields.
#include "jobs/measure/measure.hpp"
#include "jobs/measure/smeared_files.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "kernels/gauge/gradient_flow.hpp"
#include "settings/gauge/gauge_observable_tables.hpp"
#include "settings/gauge/link_smearing.hpp"

namespace plaq::jobs {
namespace {

Table measure() {
  return {
      "measure",
      "The measured observables.",
      {field(&MeasureKeys::observables, "observables",
             "plaquette: average Re tr P/3 with its spatial and temporal parts; link_trace: average Re tr "
             "U/3; polyakov_loop: tr L/3 averaged over space; unitarity: largest violation of unitarity and "
             "of det = 1; clover: energy density and topological charge from clover leaves; flow: both along "
             "the gradient flow, with t0 and w0; wilson_loops: Wilson loops for the static potential; "
             "polyakov_correlators: correlators of Polyakov loops by distance, average and singlet, for free "
             "energies at finite temperature. The singlet is that of links in Coulomb gauge.")
           .one_of({"plaquette", "link_trace", "polyakov_loop", "unitarity", "clover", "flow", "wilson_loops",
                    "polyakov_correlators"})
           .not_empty()}};
}

void check_wanted_flow(Problems& problems, const MeasureKeys& measure, const FlowRun& flow) {
  if (measure.wants("flow")) check_flow(problems, flow);
}

}  // namespace

const Schema& measure_schema() {
  static const Schema schema{
      "measure",
      "Measure plaquettes, link trace, Polyakov loop and its correlators, topological charge, the gradient "
      "flow "
      "and Wilson loops of gauge fields.",
      {top_table("measure"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"),
       link_smearing_table("before the measurement"), measure(), flow_table(), wilson_loops_table(),
       output_table("HDF5 file for the results.", "\"measurements.h5\"", smeared_file_keys()), comms_table(),
       run_table(), slurm_table()},
      joined<Rule>({common_rules(),
                    {link_smearing_rule()},
                    smeared_file_rules(),
                    {{{"measure.observables", "flow.step", "flow.t_max", "flow.action"},
                      "step must not be larger than t_max, and be stable for the action.",
                      check_wanted_flow}}})};
  return schema;
}

}  // namespace plaq::jobs
