// measure: observables of gauge fields.
#include <fmt/format.h>

#include "jobs/measure/flow.hpp"
#include "jobs/run/link_smearing.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

Table measure() {
  const std::vector<std::string> usual = {"plaquette", "link_trace", "polyakov_loop", "unitarity"};
  std::vector<std::string> all = usual;
  all.insert(all.end(), {"clover", "flow"});
  return {
      "measure",
      "What is measured.",
      {key::strings(
           "observables",
           "Average plaquette Re tr P/3 with its spatial and temporal parts, average Re tr U/3, "
           "Polyakov loop tr L/3 averaged over space, largest violation of unitarity and det = 1; clover: "
           "energy "
           "density and topological charge from clover leaves; flow: both along the Wilson flow, t0 and w0.")
           .one_of(all)
           .not_empty()
           .otherwise(usual)}};
}

Table output() {
  return {"output",
          "The results.",
          {key::string("file", "HDF5 file of the results.").need("\"measurements.h5\""), overwrite_key()}};
}

void check_flow(const JobFile& job, std::vector<Problem>& problems) {
  const double step = job.real("flow", "step"), t_max = job.real("flow", "t_max");
  if (job.lists("measure", "observables", "flow") && step > t_max)
    problems.push_back(
        {{"flow", "step"},
         fmt::format("'step' in [flow]: {} is above t_max = {}: nothing would flow", step, t_max)});
}

std::vector<Rule> rules() {
  std::vector<Rule> all = common_rules();
  all.push_back({{{"measure", "observables"}, {"flow", "step"}, {"flow", "t_max"}},
                 "A flow has at least one step to t_max.",
                 check_flow});
  return all;
}

}  // namespace

const Schema& measure_schema() {
  static const Schema schema{
      "measure",
      "Measure plaquettes, link trace, Polyakov loop, topological charge and the "
      "Wilson flow of gauge fields.",
      {top_table("measure"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"),
       link_smearing_table("before anything is measured"), measure(), flow_table(), output(), comms_table(),
       run_table()},
      rules()};
  return schema;
}

}  // namespace plaq::jobs
