#include "jobs/loops/loop_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/dirac/action_smearing.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/run/job_momenta.hpp"

namespace plaq::jobs {
namespace {

int largest_divisor(std::int64_t number, int most) {
  while (number % most != 0) --most;
  return most;
}

NoiseDilution fitting_dilution(const JobFile& job, const Extents& extents) {
  const auto dilution = job.get<NoiseDilution>();
  const std::string wrong = dilution.fault(extents);
  if (!wrong.empty()) throw Error(ErrorKind::job_file, fmt::format("{}: [dilution]: {}", job.file(), wrong));
  return dilution;
}

}  // namespace

LoopMeasurement::LoopMeasurement(const JobContext& context, const EnsembleInput& input)
    : context_(context),
      input_(input),
      noise_(context.job.get<LoopNoiseKeys>()),
      dilution_(fitting_dilution(context.job, context.extents)),
      currents_(loop_currents(context.job)),
      momenta_(job_momenta(context.job, "loops", context.job.get<LoopKeys>().max_momentum_squared,
                           context.extents)),
      spins_(action_of_any_mass(context.job)->spins()),
      classes_(dilution_.classes(spins_)),
      project_(*context.grid, context.geometry, momenta_, context.queue),
      matrices_(context.geometry, spins_, context.queue) {
  const ActionParameters action = action_of_any_mass(context.job);
  const int most = columns_at_once(context.job, action->columns(), action->slices());
  group_ = largest_divisor(noise_.vectors, std::min(noise_.vectors, std::max(1, most / classes_)));
  together_ = largest_divisor(std::int64_t{group_} * classes_, most);
}

void LoopMeasurement::begin(LoadedGauge& gauge) {
  system_.reset();  // one at a time
  solved_.clear();
  const Background links = action_links(context_, gauge.field);
  gauge.field = {};
  system_ = std::make_unique<DiracSystem>(
      context_, links, together_, paths_of_solver(context_.job, input_.files, gauge.report.info.path),
      static_cast<int>(std::min<std::int64_t>(std::int64_t{noise_.vectors} * classes_, 1 << 30)));
}

Results LoopMeasurement::operator()(const LoadedGauge& gauge, int vector) {
  if (!solved_.contains(vector)) solve_group(vector / group_ * group_, gauge.report.info.path);
  const Solved solved = std::move(solved_.at(vector));
  solved_.erase(vector);
  return collect(gauge, solved);
}

void LoopMeasurement::solve_group(int first, const std::string& file) {
  const MemoryName name("noise and solutions");
  Field eta(context_.geometry, system_->quark_spec());
  const std::int64_t begin = std::int64_t{first} * classes_, end = begin + std::int64_t{group_} * classes_;
  Solved solved;
  for (std::int64_t column = begin; column < end; column += together_) {
    Field phi(context_.geometry, system_->quark_spec());  // 0: the first guess is the same in any batch
    std::vector<std::string> names;
    for (std::int64_t i = column; i < column + together_; ++i)
      names.push_back(fmt::format("noise {} part {}", i / classes_, i % classes_));
    const ColumnReport report = system_->solve(
        phi,
        [&](Field& b, int) {
          const Phase phase("making the source");
          diluted_noise_source(eta, noise_.type, static_cast<std::uint64_t>(noise_.seed), dilution_, column);
          copy(b, eta);
        },
        file, nullptr, names);
    const Phase phase("contracting");
    for (int i = 0; i < together_;) {
      const std::int64_t at = column + i;
      const int part = static_cast<int>(at % classes_), count = std::min(together_ - i, classes_ - part);
      if (part == 0) matrices_.clear();
      matrices_.add(phi, eta, i, i + count);
      const auto keep = [&](auto& all, const auto& some) {
        all.insert(all.end(), some.begin() + i, some.begin() + i + count);
      };
      keep(solved.residuals, report.true_residuals);
      keep(solved.iterations, report.iterations);
      solved.attempts = std::max(solved.attempts, report.attempts);
      add_slices(solved.slices, report.slice_residuals);
      i += count;
      if (part + count < classes_) continue;
      solved.matrix = project_(matrices_.density(), {0, 0, 0, 0});
      solved_[static_cast<int>(at / classes_)] = std::exchange(solved, {});
    }
  }
}

Results LoopMeasurement::collect(const LoadedGauge& gauge, const Solved& solved) const {
  Results results;
  Attributes of_gauge = jobs::attributes_of(gauge);
  if (const auto bounds = system_->measured_bounds())
    of_gauge.emplace_back("spectral_bounds", std::vector<double>{bounds->first, bounds->second});
  results.numbered_group("/gauge", of_gauge);
  const std::size_t parts = solved.residuals.size();
  results.dataset(
      "/solves/true_residual", {parts}, solved.residuals,
      described({"part"}, "1", "||b - M x|| / ||b|| of the full system, recomputed in double precision"));
  if (context_.job.get<SolverSpec>().slice_tolerance)
    results.dataset(
        "/solves/slice_residual", {solved.slices.size()}, solved.slices,
        described({"t of the lattice"}, "1", "||(b - M x)(t)|| / ||x(t)||, the largest of all parts"));
  results.dataset("/solves/iterations", {parts}, solved.iterations,
                  described({"part"}, "1", "of the solver"));
  results.dataset("/solves/attempts", {}, std::vector<std::int64_t>{solved.attempts},
                  described({}, "1", "solvers that it took; more than 1: fallbacks"));
  for (const LoopCurrent& current : currents_) {
    const auto traces = spins_ == 4 ? trace_with(current.gamma, solved.matrix) : solved.matrix.front();
    for (std::size_t p = 0; p < momenta_.size(); ++p) {
      std::vector<double> values;
      for (const auto& z : traces[p]) values.insert(values.end(), {z.real(), z.imag()});
      results.dataset(path_of("noise", current, momenta_[p]), {traces[p].size(), 2}, std::move(values),
                      attributes_of(current, momenta_[p]));
    }
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
           std::string("L(t) = sum_x exp(-i p x) tr[Gamma M^-1(x, x)], x from the origin, no sign "
                       "of a closed loop and no volume factor")},
          {"current", current.name}};
}

void LoopMeasurement::complete(Results& results) const {
  Results averages;
  const auto vectors = static_cast<std::size_t>(noise_.vectors);
  const auto slices = static_cast<std::size_t>(context_.extents[3]);
  for (const LoopCurrent& current : currents_)
    for (const Momentum& n : momenta_) {
      const Dataset* all = find_dataset(results, path_of("noise", current, n));
      require(all != nullptr, "loops without those of noise vectors");
      const auto& of_vectors = std::get<std::vector<double>>(all->values);
      std::vector<double> average(2 * slices);
      for (std::size_t v = 0; v < vectors; ++v)
        for (std::size_t i = 0; i < average.size(); ++i) average[i] += of_vectors[2 * slices * v + i];
      for (double& value : average) value /= static_cast<double>(vectors);
      if (current.name == "scalar" && n == Momentum{}) {
        double sum = 0;
        for (std::size_t t = 0; t < slices; ++t) sum += average[2 * t];
        averages.dataset("/loops/condensate", {},
                         std::vector<double>{sum / static_cast<double>(context_.geometry->global_volume())},
                         described({}, "a^-3", "tr M^-1 / V, without the sign of a closed loop"));
      }
      averages.dataset(path_of("loops", current, n), {slices, 2}, std::move(average),
                       attributes_of(current, n));
    }
  results.append(averages);
}

}  // namespace plaq::jobs
