// Job type perambulators: on each gauge field the quark propagators between modes of the Laplacian from some
// time slices (quarks/distillation/perambulators.hpp), each slice in a file of its own. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /action, /solves     attributes: what was solved by what
//   /sources/time        [configuration][source] time slice of the source
//   /sources/noise       the same axes: number of the noise vector; with [noise] alone
//   /solves/...          [configuration][source][column] true_residual, iterations; column 4 mode + spin
//   /sinks/...           [configuration][source][sink][column] the same from the sinks of [currents]
//   /gauge/000000, ...   one group a field: file, checksum, ..., modes_checksum
//
// A file FIELD.sK.peram.h5 has of source K
//   /perambulator        [t][sink spin][source spin][sink mode][source mode][real, imaginary]
// and a file FIELD.sK.nV.peram.h5 of noise vector V
//   /perambulator        [t][sink spin][sink mode][part][real, imaginary]
//   /noise               [source spin][source mode][real, imaginary]; /parts [source spin][source mode]
// jobs/distillation/generalised_files.hpp has those of [currents].
#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/distillation/distillation_file.hpp"
#include "jobs/distillation/generalised_files.hpp"
#include "jobs/distillation/perambulator_keys.hpp"
#include "jobs/run/field_numbers.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/job_types.hpp"
#include "quarks/distillation/perambulators.hpp"
#include "settings/action/action_table.hpp"
#include "settings/gauge/link_smearing.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

// Parts of a gauge field: the noise vectors of each source in turn.
int vectors_of(const Settings& job) {
  const auto noise = job.get<ModeNoise>();
  return noise.type ? noise.vectors : 1;
}

std::string perambulator_file(const Settings& job, const std::string& gauge_file, int part) {
  const int vectors = vectors_of(job);
  const std::string vector = job.get<ModeNoise>().type ? fmt::format(".n{}", part % vectors) : "";
  return distillation_file(job.get<PerambulatorKeys>().directory, gauge_file,
                           fmt::format("s{}{}", part / vectors, vector), "peram.h5");
}

// Files that a part makes.
std::vector<std::string> files_of_part(const Settings& job, const std::string& gauge_file, int part) {
  std::vector<std::string> names{perambulator_file(job, gauge_file, part)};
  for (const int sink_time : job.get<CurrentKeys>().sink_times)
    names.push_back(generalised_file(job, gauge_file, part, sink_time));
  return names;
}

std::vector<std::string> perambulator_files(const Settings& job, const std::string& gauge_file) {
  std::vector<std::string> names;
  for (int part = 0; part < job.get<PerambulatorKeys>().count * vectors_of(job); ++part)
    for (const auto& name : files_of_part(job, gauge_file, part)) names.push_back(name);
  return names;
}

class PerambulatorsJob : public SolvingJob {
 public:
  using SolvingJob::SolvingJob;

 private:
  JobFiles files() const override {
    JobFiles files = SolvingJob::files();
    for (const auto& name : mode_files(job(), input().files))
      files.paths.reads(name, "modes of the Laplacian ([laplacian_modes] directory)");
    return files;
  }
  std::vector<std::string> made_files(const std::vector<std::string>& gauge_files) const override {
    return names_of_made_files(
        job(), [&](const std::string& field) { return perambulator_files(job(), field); }, gauge_files);
  }
  std::string use_of_made_file() const override { return "a perambulator ([perambulators] directory)"; }
  bool holds(const std::string& gauge_file, int part) const override {
    return are_there(files_of_part(job(), gauge_file, part));
  }

  // The solution, and those of the source that [currents] keeps: 4 columns of 12 for each mode.
  int quark_fields() const override {
    const bool keeps = !job().get<CurrentKeys>().sink_times.empty();
    return 1 + (keeps ? (job().get<ModeFileKeys>().modes.value_or(0) + 2) / 3 : 0);
  }
  std::string axis() const override { return "source"; }
  int parts() const override { return keys_.count * vectors_; }

  void prepare() override {
    const int slices = context().extents[3];
    if (keys_.source_time >= slices)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: [perambulators] source_time: there are time slices 0 to "
                              "{}, not {}",
                              job().origin(), slices - 1, keys_.source_time));
    if (static_cast<std::int64_t>(keys_.count - 1) * keys_.shift >= slices)
      throw Error(
          ErrorKind::job_file,
          fmt::format("{}: [perambulators] count, shift: {} sources at distances of {} go around the {} "
                      "time slices of the lattice",
                      job().origin(), keys_.count, keys_.shift, slices));
    currents_ = currents_of(job(), context().extents);
    if (noise_.type && job().get<ModeNoiseOfFields>().by_trajectory)
      numbers_ = numbers_of_fields(job(), input(), "numbers of [noise]");
    SolvingJob::prepare();
  }

  void begin(LoadedGauge& gauge) override {
    solver_.reset();  // one at a time
    modes_ = {};
    links_ = {};
    const std::string& file = gauge.report.info.path;
    modes_ = read_modes(context(), file, links_of_modes(context(), gauge.field),
                        job().get<ActionKeys>().in_space());
    of_field_ = noise_;
    if (const auto numbers = numbers_.find(file); numbers != numbers_.end())
      of_field_.seed = noise_seed(noise_.seed, numbers->second);
    const int slices = context().extents[3], modes = modes_.modes.count;
    const int solves = noise_.type ? noise_.parts(modes) : 4 * modes;
    expect_room_for_file(
        context(),
        sizeof(std::complex<double>) * (noise_.type ? StochasticPerambulator::size(slices, modes, solves)
                                                    : Perambulator::size(slices, modes)),
        "perambulators of a source");
    if (!sink_times_.empty())
      expect_room_for_file(context(), bytes_of_generalised(currents_, sink_times_.back(), modes),
                           "generalised perambulators of a sink");
    const FermionLinks links = fermion_links(context(), gauge.field, job().get<ActionSmearing>());
    gauge.field = {};
    links_ = sink_times_.empty() ? Field() : links.gauge;
    solver_ = std::make_unique<PropagatorSolver>(
        links, action_parameters(job()),
        solver_settings(job(), context().location(),
                        solves * (1.0 + static_cast<double>(sink_times_.size())) * parts()),
        columns_of_solves(solves, together()), paths_of_solver(job(), input().files, file));
  }

  Results compute(LoadedGauge& gauge, int part) override {
    const std::string& file = gauge.report.info.path;
    const int t = keys_.time(part / vectors_, context().extents[3]);
    ColumnReport solves;
    std::vector<Field> solutions;
    std::vector<ComplexDataset> datasets =
        noise_.type ? stochastic(t, part % vectors_, file, solves) : exact(t, file, solves, solutions);
    datasets.front().attributes.emplace_back("source_time", static_cast<std::int64_t>(t));
    warn_of_slices(solves, file);
    write_distillation_file(context(), perambulator_file(job(), file, part), gauge, modes_,
                            std::move(datasets));
    Results results = results_of(gauge, solves, t, part % vectors_);
    add_sinks(results, gauge, t, part, solutions);
    return results;
  }

  // Writes the generalised perambulators of all sinks, and adds the reports on their solves.
  void add_sinks(Results& results, const LoadedGauge& gauge, int t, int part,
                 const std::vector<Field>& solutions) {
    if (sink_times_.empty()) return;
    const std::string& file = gauge.report.info.path;
    ColumnReport all;
    for (const int sink_time : sink_times_) {
      const SourceAndSink at{t, sink_time};
      GeneralisedPerambulators found = generalised_perambulators(
          context(), modes_.modes, *solver_, solutions, at, currents_,
          {&links_, job().get<ActionKeys>().in_space()}, file, context().rank() == 0);
      const ColumnReport& solves = found.solves;
      warn_of_slices(solves, file);
      all.true_residuals.insert(all.true_residuals.end(), solves.true_residuals.begin(),
                                solves.true_residuals.end());
      all.iterations.insert(all.iterations.end(), solves.iterations.begin(), solves.iterations.end());
      write_distillation_file(context(), generalised_file(job(), file, part, sink_time), gauge, modes_,
                              datasets_of(std::move(found), currents_, at));
    }
    const std::size_t sinks = sink_times_.size(), columns = all.true_residuals.size() / sinks;
    results.dataset("/sinks/true_residual", {sinks, columns}, std::move(all.true_residuals),
                    described({"sink", "column"}, "1", "||b - M x|| / ||b||, as of /solves"));
    results.dataset("/sinks/iterations", {sinks, columns}, std::move(all.iterations),
                    described({"sink", "column"}, "1", "of the solver; column 4 mode + spin"));
  }

  // Datasets of a file, and the report on their solves. `solutions` are kept where there are sinks.
  std::vector<ComplexDataset> exact(int t, const std::string& file, ColumnReport& solves,
                                    std::vector<Field>& solutions) {
    Perambulator found = perambulator(context(), modes_.modes, *solver_, t, file, context().rank() == 0,
                                      sink_times_.empty() ? nullptr : &solutions);
    solves = std::move(found.solves);
    const auto slices = static_cast<std::size_t>(found.slices), count = static_cast<std::size_t>(found.modes);
    return {{"/perambulator",
             {slices, 4, 4, count, count},
             std::move(found.numbers),
             described({"t", "sink spin", "source spin", "sink mode", "source mode", "real, imaginary"},
                       "lattice units", "tau(t, source_time) = v(t)^dagger M^-1 v(source_time)")}};
  }

  std::vector<ComplexDataset> stochastic(int t, int vector, const std::string& file, ColumnReport& solves) {
    StochasticPerambulator found = stochastic_perambulator(context(), modes_.modes, of_field_, *solver_, t,
                                                           vector, file, context().rank() == 0);
    solves = std::move(found.solves);
    const auto slices = static_cast<std::size_t>(found.slices), count = static_cast<std::size_t>(found.modes);
    std::vector<std::complex<double>> parts;
    for (int spin = 0; spin < 4; ++spin)
      for (int j = 0; j < found.modes; ++j) parts.emplace_back(noise_.part_of(spin, j, found.modes));
    std::vector<ComplexDataset> datasets;
    datasets.push_back({"/perambulator",
                        {slices, 4, count, static_cast<std::size_t>(found.parts)},
                        std::move(found.numbers),
                        described({"t", "sink spin", "sink mode", "part", "real, imaginary"}, "lattice units",
                                  "v(t)^dagger M^-1 of the noise of a part")});
    datasets.push_back({"/noise",
                        {4, count},
                        std::move(found.eta),
                        described({"source spin", "source mode", "real, imaginary"}, "1", "eta")});
    datasets.push_back({"/parts",
                        {4, count},
                        std::move(parts),
                        described({"source spin", "source mode", "real, imaginary"}, "1",
                                  "number of the part that has this spin and mode")});
    return datasets;
  }

  Results results_of(const LoadedGauge& gauge, const ColumnReport& solves, int t, int vector) const {
    Results results;
    Attributes of_gauge = attributes_of(gauge);
    of_gauge.emplace_back("modes_checksum", modes_.checksum);
    if (const auto bounds = solver_->measured_bounds())
      of_gauge.emplace_back("spectral_bounds", std::vector<double>{bounds->first, bounds->second});
    results.numbered_group("/gauge", of_gauge);
    results.dataset("/sources/time", {}, std::vector<std::int64_t>{t},
                    described({}, "1", "time slice of the source"));
    if (noise_.type)
      results.dataset("/sources/noise", {}, std::vector<std::int64_t>{vector},
                      described({}, "1", "number of the noise vector"));
    const std::size_t columns = solves.true_residuals.size();
    results.dataset(
        "/solves/true_residual", {columns}, solves.true_residuals,
        described({"column"}, "1", "||b - M x|| / ||b|| of the full system, recomputed in double precision"));
    results.dataset("/solves/iterations", {columns}, solves.iterations,
                    described({"column"}, "1",
                              noise_.type ? "of the solver; column: part of the noise"
                                          : "of the solver; column 4 mode + spin"));
    results.dataset("/solves/attempts", {}, std::vector<std::int64_t>{solves.attempts},
                    described({}, "1", "solvers that it took; more than 1: fallbacks"));
    if (job().get<SolverSettings>().slice_tolerance)
      results.dataset(
          "/solves/slice_residual", {solves.slice_residuals.size()}, solves.slice_residuals,
          described({"t of the lattice"}, "1", "||(b - M x)(t)|| / ||x(t)||, the largest of all columns"));
    return results;
  }

  void describe(OutputFile& out) const override {
    SolvingJob::describe(out);
    out.group("/laplacian", link_smearing_attributes(job().get<LinkSmearing>()));
    if (sink_times_.empty()) return;
    out.group("/sinks", {{"sink_times", std::vector<std::int64_t>(sink_times_.begin(), sink_times_.end())},
                         {"operators", currents_.operators}});
  }

  const PerambulatorKeys keys_ = job().get<PerambulatorKeys>();
  const ModeNoise noise_ = job().get<ModeNoise>();
  const int vectors_ = vectors_of(job());
  const std::vector<int> sink_times_ = job().get<CurrentKeys>().sink_times;
  LineCurrents currents_;
  std::map<std::string, FieldNumbers> numbers_;  // by gauge file; empty: the same noise on all
  ModeNoise of_field_;                           // with the seed of this gauge field
  StoredModes modes_;                            // of this gauge field
  Field links_;                                  // of the action on this gauge field, for [currents]
  std::unique_ptr<PropagatorSolver> solver_;
};

}  // namespace

extern constinit const JobType perambulators_job{
    .name = "perambulators",
    .schema = perambulators_schema,
    .run = run_as<PerambulatorsJob>,
    .written_files =
        [](const JobFile& job, const std::string& gauge_file) {
          std::vector<std::string> names = perambulator_files(job, gauge_file);
          for (const auto& name : SolvingJob::setups_of(job, {gauge_file})) names.push_back(name);
          return names;
        },
    .written_directory = "perambulators.directory"};

}  // namespace plaq::jobs
