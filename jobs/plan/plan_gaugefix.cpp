// The plan of a gaugefix job (jobs/gaugefix/gaugefix.cpp).
#include <fmt/format.h>

#include "jobs/gaugefix/fixing_files.hpp"
#include "jobs/gaugefix/fixing_keys.hpp"
#include "jobs/gaugefix/fixing_results.hpp"
#include "jobs/plan/plan_fixer.hpp"
#include "jobs/run/saved_fields.hpp"
#include "kernels/gauge/temporal_gauge.hpp"

namespace plaq::jobs {
namespace {

constexpr Precision wide = Precision::double_precision;

class FixingPlan {
 public:
  FixingPlan(Plan& plan, const Extents& extents)
      : plan_(plan),
        settings_(fixing_settings(plan.job())),
        groups_(groups_of(plan.job(), extents, plan.ranks())),
        geometry_(groups_ == 1 ? plan.geometry()
                               : Geometry::create({extents,
                                                   choose_grid(plan.ranks() / groups_, extents),
                                                   {0, 0, 0, 0},
                                                   forced_directions(plan.job())})),
        at_once_(copies_at_once(plan.job(), geometry_->local_volume(), plan.location())),
        full_(gauge_spec(wide, plan.location())),
        frame_(gauge_frame_spec(wide, plan.location())) {}

  void run() {
    const GeometryPtr extended = plan_.geometry()->extended(1);
    keep_tables(plan_, *extended, wide);
    Plan::Held links;
    {
      const auto loaded = plan_load_gauge(plan_);
      plan_.phase("taking the links");
      links = hold_field(plan_, "gauge field", *geometry_, full_);
      if (groups_ == 1) pass_copy(plan_, *geometry_, full_, *extended, full_);
    }
    if (groups_ > 1) {
      const FieldSpec on_host = gauge_spec(wide, Location::host);
      const auto read = hold_field(plan_, "gauge field as read", *geometry_, on_host);
      pass_copy(plan_, *geometry_, full_, *geometry_, on_host);
    }
    const Helds exact = hold_fixer(FixingPrecision::full, 1, "of what is measured in double");
    keep_tables(plan_, *geometry_, wide);
    {
      plan_.phase("sweeping");
      const Helds fixer = hold_fixer(settings_.precision, at_once_, "of the sweeps");
      if (settings_.precision != FixingPrecision::full)
        keep_tables(plan_, *geometry_, Precision::single_precision);
      pass_quality(at_once_);
      const auto best = hold_field(plan_, "transformation of the best copy", *geometry_, frame_);
      const auto one = hold_field(plan_, "transformation of a copy", *geometry_, frame_, 2);
    }
    const auto best = hold_field(plan_, "transformation of the best copy", *geometry_, frame_);
    write();
  }

  int groups() const { return groups_; }
  int at_once() const { return at_once_; }

 private:
  Helds hold_fixer(FixingPrecision precision, int copies, const std::string& whose) {
    return hold_gauge_fixer(plan_, *geometry_, whose, full_, settings_.gauge, precision, copies);
  }
  void pass_quality(int copies) { const Helds sums = hold_sums(plan_, 2 * copies * geometry_->local()[3]); }

  // FixingCopies::write, of the ranks of the group that has the best copy.
  void write() {
    const JobFile& job = plan_.job();
    const bool field = job.flag("output", "fields"), transformation = job.flag("output", "transformations");
    if (!field && !transformation) return;
    plan_.phase("writing a fixed field");
    const FieldSpec on_host = gauge_spec(wide, Location::host);
    const GeometryPtr extended = geometry_->extended(1);
    const auto fixed = hold_field(plan_, "fixed field", *geometry_, full_);
    {
      const auto links = hold_field(plan_, "fixed field with its halo", *extended, full_);
      const auto halo = hold_field(plan_, "transformation with its halo", *extended, frame_);
      const Helds exchange = hold_extended_halo(plan_, *extended, frame_);
    }
    {
      const Helds exact = hold_fixer(FixingPrecision::full, 1, "of the fixed field");
      pass_quality(1);
    }
    if (field) {
      const auto halo = hold_field(plan_, "fixed field with its halo", *extended, full_);
      { const Helds exchange = hold_extended_halo(plan_, *extended, full_); }
      pass_measure_gauge(plan_, *extended, full_);
      const auto host = hold_field(plan_, "fixed field as written", *geometry_, on_host);
      pass_copy(plan_, *geometry_, on_host, *geometry_, full_);
      pass_links_file(plan_, links_to_write(saved_field_options(job)));
    }
    if (transformation) {
      const auto host =
          hold_field(plan_, "transformation as written", *geometry_, gauge_frame_spec(wide, Location::host));
      pass_copy(plan_, *geometry_, gauge_frame_spec(wide, Location::host), *geometry_, frame_);
      pass_site_file(plan_, 144, {});
    }
  }

  Plan& plan_;
  FixingSettings settings_;
  int groups_;
  GeometryPtr geometry_;  // of a group
  int at_once_;
  FieldSpec full_, frame_;
};

void plan_files(Plan& plan, const EnsembleInput& input) {
  const JobFile& job = plan.job();
  const Extents& extents = plan.geometry()->global();
  const auto fields = static_cast<std::uint64_t>(input.files.size());
  const auto copies = static_cast<std::uint64_t>(copies_of(job));
  constexpr std::uint64_t datasets = 9 + 5, numbers = 9 + 5 * history_points;
  const std::string output = job.string("output", "file");
  plan.writes({output, about_result_file_bytes(job) + datasets * about_dataset_bytes(120) +
                           fields * (1100 + 8 * copies * numbers)});
  for (const auto& gauge_file : input.files) {
    const FixedFiles files = fixed_files(job, gauge_file);
    if (!files.field.empty())
      plan.writes({files.field, about_gauge_file_bytes(saved_field_options(job), extents)});
    if (!files.transformation.empty())
      plan.writes(
          {files.transformation, 144 * static_cast<std::uint64_t>(plan.geometry()->global_volume()) + 4000});
  }
  plan.writes(
      planned_journal(job, output + ".journal", fields * copies * (400 + 200 * datasets + 8 * numbers)));
}

}  // namespace

void plan_gaugefix(Plan& plan) {
  const JobFile& job = plan.job();
  const EnsembleInput input =
      planned_ensemble(plan, [&](std::vector<std::string>& files) { leave_out_fixed_files(job, files); });
  plan.split(input.extents);
  expect_ensemble(plan, files_of_fixing(job, input), input, "copy", copies_of(job),
                  fixed_file_names(job, input.files));
  FixingPlan fixing(plan, input.extents);
  fixing.run();
  plan_files(plan, input);
  plan.note(fmt::format("{} gauge field{}, one after the other.", input.files.size(),
                        input.files.size() == 1 ? "" : "s"));
  if (copies_of(job) > 1)
    plan.note(fmt::format("{} copies of each: {} at once on each of {} group{} of ranks.", copies_of(job),
                          fixing.at_once(), fixing.groups(), fixing.groups() == 1 ? "" : "s"));
}

}  // namespace plaq::jobs
