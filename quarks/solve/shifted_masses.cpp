#include "quarks/solve/shifted_masses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "core/system/progress.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/column_scale.hpp"

namespace plaq {
namespace {

constexpr double safety = 0.9;  // of targets, which the full system is measured by afterwards
// Residuals relative to the sources: as far as recurrences get.
constexpr double least_in_double = 1e-14, least_in_single = 1e-5;

const ActionPtr& lightest(const std::vector<ActionPtr>& actions) {
  return *std::min_element(actions.begin(), actions.end(),
                           [](const auto& a, const auto& b) { return a->mass() < b->mass(); });
}

std::vector<double> shifts_of(const std::vector<ActionPtr>& actions) {
  const double least = lightest(actions)->mass();
  std::vector<double> shifts;
  for (const auto& action : actions) shifts.push_back((action->mass() - least) * (action->mass() + least));
  return shifts;
}

// Vectors of a mixed solve are single here: 16 bits are of no use without corrections on the way.
LinkStorage storage_of(const SolverSettings& settings) {
  if (settings.scheme == MixedScheme::none) return settings.outer;
  return {Precision::single_precision, settings.outer.reconstruction};
}

}  // namespace

bool ShiftedMasses::helps(const SolverSettings& settings, const std::vector<ActionPtr>& actions) {
  const std::size_t least = settings.scheme == MixedScheme::none ? 2 : 3;
  return actions.size() >= least && actions.front()->shifts_with_mass() &&
         method_of(settings) == SolverMethod::cg && settings.preconditioning == Preconditioning::even_odd &&
         !settings.multigrid && !settings.modes;
}

ShiftedMasses::ShiftedMasses(const FermionLinks& links, const std::vector<ActionPtr>& actions,
                             const SolverSettings& settings, int batch)
    : settings_(settings),
      least_(lightest(actions)->mass()),
      operators_(links, lightest(actions), settings.preconditioning, batch),
      outer_(operators_.outer(storage_of(settings))),
      cg_(*outer_->schur(), *links.grid, batch, shifts_of(actions)),
      sums_(*links.grid, links.queue, batch) {
  for (const auto& action : actions) {
    masses_.push_back(action->mass());
    y_.emplace_back(outer_->schur()->geometry(), outer_->schur()->spec(batch));
  }
}

std::vector<double> ShiftedMasses::norms_of(const Field& field) {
  auto norms = sums_.sum<blas::Norm>(sums_.coefficients(sums_.all()), {&field});
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

std::vector<std::vector<std::int64_t>> ShiftedMasses::solve(std::vector<Field>& x, const Field& b,
                                                            SolveStop& stop) {
  const MemoryName name("multi-shift solve");
  SchurOperator& schur = *outer_->schur();
  const FieldSpec half = schur.spec(b.subfields());
  FieldSpec full = b.spec();
  full.precision = half.precision;
  std::vector<std::vector<std::int64_t>> iterations(
      masses_.size(), std::vector<std::int64_t>(static_cast<std::size_t>(b.subfields())));
  std::vector<Part> parts;
  Field source(b.geometry_ptr(), full);
  const ColumnScale scale(sums_.grid(), schur.queue(), b, half.precision);
  copy(source, scale.any() ? scale.scaled(b) : b);
  for (const bool own : {true, false}) {
    Part part{Field(schur.geometry(), half), {}, own};
    Field of_one_parity(b.geometry_ptr(), full);
    copy_parity(of_one_parity, source, own ? schur.parity() : 1 - schur.parity(), schur.queue());
    schur.reduce_source(part.source, of_one_parity);
    part.norms = norms_of(part.source);
    // A dry run has no numbers: sources of one site take one part.
    const bool any =
        runs_dry() ? own : std::any_of(part.norms.begin(), part.norms.end(), [](double n) { return n > 0; });
    if (any) parts.push_back(std::move(part));
  }
  std::vector<Field> sums(masses_.size());
  for (Field& sum : sums) sum = Field(schur.geometry(), half);
  const double share =
      safety * settings_.tolerance * least_ / static_cast<double>(std::max<std::size_t>(1, parts.size()));
  const double least = half.precision == Precision::single_precision ? least_in_single : least_in_double;
  const std::vector<double> norms = norms_of(source);
  for (const Part& part : parts) {
    std::vector<double> targets;
    for (std::size_t i = 0; i < norms.size(); ++i)
      targets.push_back(std::max(share * norms[i], least * part.norms[i]));
    add(sums, part, targets, stop, iterations);
  }
  FieldSpec wide = half;
  wide.precision = b.precision();
  Field solution(schur.geometry(), wide);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    copy(solution, sums[k]);
    if (scale.any()) scale.unscale(solution, solution);
    copy_parity(x[k], solution, schur.parity(), schur.queue());
    schur.queue().synchronize();
  }
  return iterations;
}

// ||b - M x|| is the residual on this parity over m, of which S_m leaves most at the least mass.
void ShiftedMasses::add(std::vector<Field>& sums, const Part& part, const std::vector<double>& targets,
                        SolveStop& stop, std::vector<std::vector<std::int64_t>>& iterations) {
  SolverParameters parameters;
  parameters.targets = targets;
  parameters.max_iterations = settings_.max_iterations;
  parameters.watch = [&](int, const std::vector<double>&) { stop.after_iteration(0); };
  const MultishiftReport report = cg_.solve(y_, part.source, parameters);
  log::info(fmt::format("{} masses together: {} iterations of multi-shift CG, {:.3f} s", masses_.size(),
                        report.iterations, report.seconds));
  for (std::size_t k = 0; k < masses_.size(); ++k) {
    auto c = sums_.coefficients(sums_.all());
    for (auto& of_one : c) set(of_one, 0, part.own ? masses_[k] / least_ : 1.0);
    sums_.update<blas::Axpy>(c, {&y_[k], &sums[k]});
    for (std::size_t i = 0; i < iterations[k].size(); ++i)
      iterations[k][i] += report.shifts[k].results[i].iterations;
  }
}

}  // namespace plaq
