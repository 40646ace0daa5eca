// The plan of a generate job (jobs/generate/generate.cpp).
#include "jobs/generate/chain_plan.hpp"
#include "jobs/plan/plan_parts.hpp"
#include "jobs/run/job_inputs.hpp"

namespace plaq::jobs {
namespace {

void plan_files(Plan& plan, const ChainPlan& chain) {
  const JobFile& job = plan.job();
  const Extents& extents = plan.geometry()->global();
  const std::uint64_t bytes = about_gauge_file_bytes(chain.saved_at(job, extents, chain.last), extents);
  for (std::int64_t sweep = chain.first; sweep <= chain.last; sweep += chain.separation)
    plan.writes({chain.configuration_name(sweep), bytes});
  const std::int64_t rows = chain.measure_every > 0 ? chain.last / chain.measure_every + 1 : 0;
  // Eight columns a measured sweep, nine a field; the rest is HDF5's and the job file.
  plan.writes({chain.history_name(), static_cast<std::uint64_t>(11800 + (rows > 0 ? 3700 + 64 * rows : 0) +
                                                                72 * chain.configurations)});
  plan.writes({chain.checkpoint_name(),
               about_gauge_file_bytes(chain.checkpoint_at(job, extents, chain.last), extents), false, true});
  constexpr std::uint64_t event = 104;
  plan.writes(planned_journal(job, chain.journal_name(),
                              event * static_cast<std::uint64_t>(rows + chain.configurations + 1)));
}

void plan_messages(Plan& plan, const Geometry& geometry, const FieldSpec& spec) {
  for (int mu = 0; mu < 4; ++mu)
    if (geometry.partitioned(mu))  // after each direction and parity, to both sides
      plan.sends({"a sweep", mu, 2 * 4 * 2, ExtendedHalo::plane_bytes(geometry, spec, mu)});
}

}  // namespace

void plan_generate(Plan& plan) {
  const JobFile& job = plan.job();
  const ChainPlan chain(job);
  const auto path = job.optional_string("gauge", "file");
  plan.split(path ? planned_extents(plan, *path, [&] { return extents_of_start(job); })
                  : extents_of_start(job));
  plan.expects(outlook_of_generate(job, chain));
  const bool reads = path || plan.outlook().kind == Outlook::Kind::goes_on;
  const Geometry& geometry = *plan.geometry();
  const GeometryPtr extended = geometry.extended(1);
  const FieldSpec spec = gauge_spec(Precision::double_precision, plan.location());
  const FieldSpec on_host = gauge_spec(Precision::double_precision, Location::host);

  keep_tables(plan, *extended, Precision::double_precision);
  plan.phase("updating");
  const auto gauge = hold_field(plan, "gauge field with its halo", *extended, spec);
  const auto output = hold_field(plan, "gauge field as written", geometry, on_host);
  const Helds exchange = hold_extended_halo(plan, *extended, spec);
  if (reads) (void)plan_load_gauge(plan);
  plan.phase("measuring");
  pass_measure_gauge(plan, *extended, spec);
  plan.phase("writing a gauge field");
  pass_copy(plan, geometry, on_host, *extended, spec);
  pass_links_file(plan, links_to_write(chain.saved));
  plan_messages(plan, *extended, spec);
  plan_files(plan, chain);
}

}  // namespace plaq::jobs
