#include "jobs/loops/loop_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/run/field_numbers.hpp"
#include "jobs/schema/common_keys.hpp"
#include "settings/action/action_table.hpp"
#include "settings/quark/quark_observable_tables.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

NoiseDilution fitting_dilution(const Settings& job, const Extents& extents) {
  const auto dilution = job.get<NoiseDilution>();
  const std::string wrong = dilution.fault(extents);
  if (!wrong.empty())
    throw Error(ErrorKind::job_file, fmt::format("{}: [dilution]: {}", job.origin(), wrong));
  return dilution;
}

// Order of the hopping expansion. Throws Error(job_file) where it goes around the lattice.
int fitting_hopping(const Settings& job, const Extents& extents) {
  const int hopping = job.get<LoopKeys>().hopping;
  if (const auto wrong = hopping_fault(hopping, extents))
    throw Error(ErrorKind::job_file, fmt::format("{}: [loops] hopping: {}", job.origin(), *wrong));
  return hopping;
}

QuarkLoopSettings loop_settings(const Settings& job, const Extents& extents) {
  return {.noise = job.get<LoopNoise>(),
          .dilution = fitting_dilution(job, extents),
          .currents = loop_currents(job),
          .momenta = job_momenta(job, "loops", job.get<LoopKeys>().max_momentum_squared, extents),
          .squared = job.get<LoopKeys>().susceptibility,
          .hopping = fitting_hopping(job, extents),
          .one_end = job.get<LoopKeys>().one_end};
}

// Settings of all vectors, which may be approximate.
QuarkLoopSettings settings_of_all(const Settings& job, const Extents& extents) {
  QuarkLoopSettings settings = loop_settings(job, extents);
  const auto keys = job.get<ApproximationKeys>();
  if (keys.is_asked()) settings.approximation = keys.how;
  return settings;
}

}  // namespace

std::optional<std::string> hopping_fault(int hopping, const Extents& extents) {
  if (*std::min_element(extents.begin(), extents.end()) >= hopping) return std::nullopt;
  return fmt::format("{} hops go around the lattice {}; every extent must be at least {}", hopping - 1,
                     to_string(extents), hopping);
}

LoopMeasurement::LoopMeasurement(const JobContext& context, const EnsembleInput& input, int together)
    : context_(context),
      input_(input),
      approximation_(context.job.get<ApproximationKeys>()),
      loops_(context, settings_of_all(context.job, context.extents),
             loop_quarks(*action_parameters(context.job)), together, approximation_.exact) {
  if (context.job.get<LoopNoiseOfFields>().by_trajectory)
    numbers_ = numbers_of_fields(context.job, input, "numbers of [noise]");
  if (!approximation_.is_asked()) return;
  QuarkLoopSettings exact = loop_settings(context.job, context.extents);
  exact.noise.vectors = approximation_.exact;
  exact_.emplace(context, exact, loop_quarks(*action_parameters(context.job)), together, vectors());
}

void LoopMeasurement::begin(LoadedGauge& gauge) {
  solver_.reset();  // one at a time
  const auto numbers = numbers_.find(gauge.report.info.path);
  const std::int64_t given = context_.job.get<LoopNoise>().seed;
  const std::int64_t seed = numbers == numbers_.end() ? given : noise_seed(given, numbers->second);
  loops_.begin(seed);
  if (exact_) exact_->begin(seed);
  const FermionLinks links = fermion_links(context_, gauge.field, context_.job.get<ActionSmearing>());
  gauge.field = {};
  const double all = solves_of(approximation_, vectors());
  const double solves = all * parts() * (loops_.settings().squared ? 2 : 1);
  solver_ = std::make_unique<PropagatorSolver>(
      links, action_parameters(context_.job), solver_settings(context_.job, context_.location(), solves),
      loops_.together(), paths_of_solver(context_.job, input_.files, gauge.report.info.path));
}

Results LoopMeasurement::operator()(const LoadedGauge& gauge, int vector) {
  Results results;
  add_gauge(results, gauge);
  const std::string& file = gauge.report.info.path;
  const QuarkLoop loop = loops_(*solver_, vector, file);
  if (!exact_) {
    add_solves(results, loop);
    results.append(noise_of(loop));
    return results;
  }
  add_approximate_solves(results, loop.true_residuals, loop.iterations, "part");
  results.append(in_group(noise_of(loop), approximate_group));
  if (vector >= approximation_.exact) return results;
  const QuarkLoop exact = (*exact_)(*solver_, vector, file);
  add_solves(results, exact);
  results.append(in_group(noise_of(exact), exact_group));
  return results;
}

void LoopMeasurement::add_gauge(Results& results, const LoadedGauge& gauge) const {
  Attributes of_gauge = jobs::attributes_of(gauge);
  if (const auto bounds = solver_->measured_bounds())
    of_gauge.emplace_back("spectral_bounds", std::vector<double>{bounds->first, bounds->second});
  results.numbered_group("/gauge", of_gauge);
}

void LoopMeasurement::add_solves(Results& results, const QuarkLoop& loop) const {
  const std::size_t parts = loop.true_residuals.size();
  results.dataset(
      "/solves/true_residual", {parts}, loop.true_residuals,
      described({"part"}, "1", "||b - M x|| / ||b|| of the full system, recomputed in double precision"));
  if (context_.job.get<SolverSettings>().slice_tolerance)
    results.dataset(
        "/solves/slice_residual", {loop.slice_residuals.size()}, loop.slice_residuals,
        described({"t of the lattice"}, "1", "||(b - M x)(t)|| / ||x(t)||, the largest of all parts"));
  results.dataset("/solves/iterations", {parts}, loop.iterations, described({"part"}, "1", "of the solver"));
  results.dataset("/solves/attempts", {}, std::vector<std::int64_t>{loop.attempts},
                  described({}, "1", "solvers that it took; more than 1: fallbacks"));
}

Results LoopMeasurement::noise_of(const QuarkLoop& loop) const {
  Results results;
  const auto& currents = loops_.settings().currents;
  const auto& momenta = loops_.settings().momenta;
  for (std::size_t c = 0; c < currents.size(); ++c)
    for (std::size_t p = 0; p < momenta.size(); ++p) {
      std::vector<double> values;
      for (const auto& z : loop.values[c][p]) values.insert(values.end(), {z.real(), z.imag()});
      results.dataset(path_of("noise", currents[c], momenta[p]), {loop.values[c][p].size(), 2},
                      std::move(values), attributes_of(currents[c], momenta[p]));
    }
  if (loops_.settings().squared) {
    std::vector<double> values;
    for (const auto& z : loop.squared) values.insert(values.end(), {z.real(), z.imag()});
    results.dataset("/noise/squared", {loop.squared.size(), 2}, std::move(values),
                    described({"t", "real, imaginary"}, "lattice units", "sum_x tr M^-2(x, x)"));
  }
  return results;
}

std::string LoopMeasurement::path_of(const char* group, const LoopCurrent& current, const Momentum& n) const {
  return fmt::format("/{}/{}/p_{}_{}_{}", group, current.name, n[0], n[1], n[2]);
}

Attributes LoopMeasurement::attributes_of(const LoopCurrent& current, const Momentum& n) const {
  return {{"axes", std::vector<std::string>{"t", "real, imaginary"}},
          {"units", std::string("lattice units")},
          {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
          {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
          {"normalization",
           fmt::format("L(t) = sum_x exp(-i p x) tr[Gamma {}], x from the origin, no sign "
                       "of a closed loop and no volume factor",
                       loops_.settings().one_end ? "(M(mu)^-1 - M(-mu)^-1)(x, x)" : "M^-1(x, x)")},
          {"current", current.name}};
}

namespace {

// Averages over noise of a dataset [vector][t][real, imaginary].
std::vector<double> average_over_noise(const Results& results, const std::string& path, std::size_t vectors) {
  const Dataset* all = find_dataset(results, path);
  require(all != nullptr, "loops without those of noise vectors");
  const auto& of_vectors = std::get<std::vector<double>>(all->values);
  std::vector<double> average(of_vectors.size() / vectors);
  for (std::size_t v = 0; v < vectors; ++v)
    for (std::size_t i = 0; i < average.size(); ++i) average[i] += of_vectors[average.size() * v + i];
  for (double& value : average) value /= static_cast<double>(vectors);
  return average;
}

}  // namespace

// [t][real, imaginary] of a path of noise vectors.
std::vector<double> LoopMeasurement::average(const Results& field, const std::string& path) const {
  if (!exact_) return average_over_noise(field, path, static_cast<std::size_t>(vectors()));
  const Dataset *approximate = find_dataset(field, approximate_group + path),
                *exact = find_dataset(field, exact_group + path);
  require(approximate != nullptr && exact != nullptr, "loops without those of noise vectors");
  return corrected_mean(*approximate, *exact);
}

void LoopMeasurement::complete(Results& results) const {
  Results averages;
  const auto slices = static_cast<std::size_t>(context_.extents[3]);
  const auto density = [&](const char* path, const std::vector<double>& average, const char* meaning,
                           const char* units) {
    double sum = 0;
    for (std::size_t t = 0; t < slices; ++t) sum += average[2 * t];
    averages.dataset(path, {},
                     std::vector<double>{sum / static_cast<double>(context_.geometry->global_volume())},
                     described({}, units, meaning));
  };
  for (const LoopCurrent& current : loops_.settings().currents)
    for (const Momentum& n : loops_.settings().momenta) {
      std::vector<double> mean = average(results, path_of("noise", current, n));
      if (current.name == "scalar" && n == Momentum{} && !loops_.settings().one_end)
        density("/loops/condensate", mean, "tr M^-1 / V, without the sign of a closed loop", "a^-3");
      averages.dataset(path_of("loops", current, n), {slices, 2}, std::move(mean), attributes_of(current, n));
    }
  if (loops_.settings().squared)
    density("/loops/squared", average(results, "/noise/squared"), "tr M^-2 / V", "a^-2");
  results.append(averages);
}

}  // namespace plaq::jobs
