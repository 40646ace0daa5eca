// The plan of a measure job (jobs/measure/measure.cpp).
#include <fmt/format.h>

#include "jobs/plan/plan_parts.hpp"
#include "jobs/run/link_smearing.hpp"
#include "kernels/gauge/smearing_launch.hpp"

namespace plaq::jobs {
namespace {

// WilsonFlow.
void pass_flow(Plan& plan, const Geometry& geometry, const FieldSpec& gauge) {
  plan.phase("flowing");
  const auto work = hold_field(plan, "links of the next stage", geometry, gauge);
  const auto algebra = hold_field(plan, "forces", geometry, algebra_spec(gauge.precision, gauge.location));
  const Helds exchange = hold_extended_halo(plan, geometry, gauge);
  const Helds sums = hold_sums(plan, 2);
}

// Points of the flow, WilsonFlow::run.
std::uint64_t flow_points(const JobFile& job) {
  const double steps = job.real("flow", "t_max") / job.real("flow", "step") * (1 + 1e-12);
  const auto count = static_cast<std::uint64_t>(steps),
             every = static_cast<std::uint64_t>(job.integer("flow", "measure_every"));
  return 1 + (count + every - 1) / every;
}

void plan_files(Plan& plan, std::uint64_t fields) {
  const JobFile& job = plan.job();
  const auto wanted = [&](const char* name) { return job.lists("measure", "observables", name); };
  std::uint64_t datasets = 0, numbers = 0;  // of a field
  const auto count = [&](const char* observable, std::uint64_t d, std::uint64_t n) {
    datasets += wanted(observable) ? d : 0;
    numbers += wanted(observable) ? n : 0;
  };
  count("plaquette", 3, 3);
  count("link_trace", 1, 1);
  count("polyakov_loop", 1, 2);
  count("unitarity", 1, 1);
  count("clover", 2, 2);
  count("flow", 6, 2 + 4 * flow_points(job));
  const std::string output = job.string("output", "file");
  // A group of a field is a name, a checksum and two numbers.
  plan.writes({output, about_result_file_bytes(job) + datasets * about_dataset_bytes(100) +
                           fields * (1100 + 8 * numbers)});
  plan.writes(planned_journal(job, output + ".journal", fields * (400 + 200 * datasets + 8 * numbers)));
}

}  // namespace

void plan_measure(Plan& plan) {
  const JobFile& job = plan.job();
  const EnsembleInput input = planned_ensemble(plan);
  const std::size_t files = input.files.size();
  plan.split(input.extents);
  expect_ensemble(plan, files_of_ensemble(plan.job(), input), input, "", 1, {});
  const GeometryPtr extended = plan.geometry()->extended(1);
  const FieldSpec spec = gauge_spec(Precision::double_precision, plan.location());
  keep_tables(plan, *extended, Precision::double_precision);
  const auto gauge = plan_load_gauge(plan);  // one after the other
  pass_smear_links(plan, *extended, spec);
  plan.phase("measuring");
  if (smears_links(job)) pass_measure_gauge(plan, *extended, spec);
  if (job.lists("measure", "observables", "flow")) pass_flow(plan, *extended, spec);
  plan_files(plan, files);
  plan.note(fmt::format("{} gauge field{}, one after the other.", files, files == 1 ? "" : "s"));
}

}  // namespace plaq::jobs
