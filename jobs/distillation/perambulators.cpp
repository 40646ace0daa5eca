// Job type perambulators: on each gauge field the quark propagators between modes of the Laplacian from some
// time slices (quarks/distillation/perambulators.hpp), each slice in a file of its own. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /action, /solves     attributes: what was solved by what
//   /sources/time        [configuration][source] time slice of the source
//   /sources/noise       the same axes: number of the noise vector; with [noise] alone
//   /solves/...          [configuration][source][column] true_residual, iterations; column 4 mode + spin
//   /gauge/000000, ...   one group a field: file, checksum, ..., modes_checksum
//
// A file FIELD.sK.peram.h5 has of source K
//   /perambulator        [t][sink spin][source spin][sink mode][source mode][real, imaginary]
// and a file FIELD.sK.nV.peram.h5 of noise vector V
//   /perambulator        [t][sink spin][sink mode][part][real, imaginary]
//   /noise               [source spin][source mode][real, imaginary]; /parts [source spin][source mode]
#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/distillation/distillation_file.hpp"
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

std::vector<std::string> perambulator_files(const Settings& job, const std::string& gauge_file) {
  std::vector<std::string> names;
  for (int part = 0; part < job.get<PerambulatorKeys>().count * vectors_of(job); ++part)
    names.push_back(perambulator_file(job, gauge_file, part));
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
    return are_there({perambulator_file(job(), gauge_file, part)});
  }

  int quark_fields() const override { return 1; }
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
    if (noise_.type && job().get<ModeNoiseOfFields>().by_trajectory)
      numbers_ = numbers_of_fields(job(), input(), "numbers of [noise]");
    SolvingJob::prepare();
  }

  void begin(LoadedGauge& gauge) override {
    solver_.reset();  // one at a time
    modes_ = {};
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
    const FermionLinks links = fermion_links(context(), gauge.field, job().get<ActionSmearing>());
    gauge.field = {};
    solver_ = std::make_unique<PropagatorSolver>(
        links, action_parameters(job()),
        solver_settings(job(), context().location(), static_cast<double>(solves) * parts()),
        columns_of_solves(solves, together()), paths_of_solver(job(), input().files, file));
  }

  Results compute(LoadedGauge& gauge, int part) override {
    const std::string& file = gauge.report.info.path;
    const int t = keys_.time(part / vectors_, context().extents[3]);
    ColumnReport solves;
    std::vector<ComplexDataset> datasets =
        noise_.type ? stochastic(t, part % vectors_, file, solves) : exact(t, file, solves);
    datasets.front().attributes.emplace_back("source_time", static_cast<std::int64_t>(t));
    warn_of_slices(solves, file);
    write_distillation_file(context(), perambulator_file(job(), file, part), gauge, modes_,
                            std::move(datasets));
    return results_of(gauge, solves, t, part % vectors_);
  }

  // Datasets of a file, and the report on their solves.
  std::vector<ComplexDataset> exact(int t, const std::string& file, ColumnReport& solves) {
    Perambulator found = perambulator(context(), modes_.modes, *solver_, t, file, context().rank() == 0);
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
  }

  const PerambulatorKeys keys_ = job().get<PerambulatorKeys>();
  const ModeNoise noise_ = job().get<ModeNoise>();
  const int vectors_ = vectors_of(job());
  std::map<std::string, FieldNumbers> numbers_;  // by gauge file; empty: the same noise on all
  ModeNoise of_field_;                           // with the seed of this gauge field
  StoredModes modes_;                            // of this gauge field
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
