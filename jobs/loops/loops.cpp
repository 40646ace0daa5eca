// Job type loops: on each gauge field, quark loops of time slices by noise vectors with dilution. Results:
//
//   /                     attributes: plaq_version, job_type, job, extents
//   /action, /noise       attributes: what was solved, and the noise
//   /noise/...            [configuration][noise][t][real, imaginary], jobs/loops/loop_measurement.hpp
//   /loops/...            [configuration][t][real, imaginary], their averages; condensate [configuration]
//   /solves/...           [configuration][noise][part] true_residual, iterations; [configuration][noise]
//                         attempts; attributes: what solved it
//   /approximate, /exact  in the place of /noise, by the truncated solver method
//   /gauge/000000, ...    one group a configuration
#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "jobs/common/terminal_text.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/loops/loop_measurement.hpp"
#include "jobs/schema/job_types.hpp"
#include "settings/action/action_table.hpp"
#include "settings/quark/quark_observable_tables.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

Attributes noise_attributes(const Settings& job, int parts) {
  const auto noise = job.get<LoopNoise>();
  const auto dilution = job.get<NoiseDilution>();
  Attributes all = {
      {"type", std::string(name_of(noise.type))},
      {"seed", noise.seed},
      {"vectors", std::int64_t{noise.vectors}},
      {"parts", std::int64_t{parts}},
      {"part",
       std::string(dilution.probing > 1
                       ? "color + 3 * (spin + spins * (t + n_t * Hadamard vector)), of what is diluted, t "
                         "modulo that of [dilution]"
                       : "color + 3 * (spin + spins * (parity + parities * (x + n_x * (y + n_y * (z + "
                         "n_z * t))))), of what is diluted, coordinates modulo that of [dilution]")},
      {"dilution_time", std::int64_t{dilution.time}},
      {"dilution_space", std::vector<std::int64_t>(dilution.space.begin(), dilution.space.end())},
      {"dilution_even_odd", std::int64_t{dilution.even_odd}},
      {"dilution_spin", std::int64_t{dilution.spin}},
      {"dilution_color", std::int64_t{dilution.color}}};
  if (dilution.probing > 1) all.emplace_back("probing", std::int64_t{dilution.probing});
  if (job.get<LoopNoiseOfFields>().by_trajectory) all.emplace_back("by_trajectory", std::int64_t{1});
  const int hopping = job.get<LoopKeys>().hopping;
  if (hopping > 0) all.emplace_back("hopping", std::int64_t{hopping});
  if (job.get<LoopKeys>().one_end) all.emplace_back("one_end", std::int64_t{1});
  return all;
}

class LoopsJob : public SolvingJob {
 public:
  using SolvingJob::SolvingJob;

 private:
  void prepare() override {
    SolvingJob::prepare();
    measurement_.emplace(context(), input(), together());
  }
  int quark_fields() const override { return 1; }  // the solution
  std::string axis() const override { return "noise"; }
  int parts() const override { return measurement_->vectors(); }
  std::vector<PartBlock> blocks() const override { return exact_blocks(job().get<ApproximationKeys>()); }
  bool counts(const Results& vector) const override {
    if (job().get<ApproximationKeys>().is_asked() && has_no_exact_solves(vector)) return true;
    return SolvingJob::counts(vector);
  }
  void begin(LoadedGauge& gauge) override { measurement_->begin(gauge); }
  Results compute(LoadedGauge& gauge, int vector) override { return (*measurement_)(gauge, vector); }
  void complete(Results& field) const override { measurement_->complete(field); }
  void report(const std::string& file, const Results& field) const override {
    const Dataset* condensate = find_dataset(field, "/loops/condensate");
    if (condensate == nullptr) return;
    print_safely("{}  tr M^-1 / V {:.9f}\n", file, std::get<std::vector<double>>(condensate->values)[0]);
    std::fflush(stdout);
  }
  void describe(OutputFile& out) const override {
    SolvingJob::describe(out);
    out.group("/noise", noise_attributes(job(), measurement_->parts()));
    const auto approximation = job().get<ApproximationKeys>();
    if (approximation.is_asked()) out.group("/approximation", approximation_attributes(approximation));
  }

  std::optional<LoopMeasurement> measurement_;
};

}  // namespace

extern constinit const JobType loops_job{
    .name = "loops",
    .schema = loops_schema,
    .run = run_as<LoopsJob>,
    .written_files = [](const JobFile& job, const std::string& gauge_file) {
      return SolvingJob::setups_of(job, {gauge_file});
    }};

}  // namespace plaq::jobs
