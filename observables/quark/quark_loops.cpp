#include "observables/quark/quark_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/algebra/complex.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "kernels/quark/sequential.hpp"
#include "quarks/action/hopping_expansion.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq {
namespace {

int largest_divisor(std::int64_t number, int most) {
  while (number % most != 0) --most;
  return most;
}

std::complex<double> trace_of(const GammaMatrix& gamma) {
  std::complex<double> trace = 0;
  if (gamma.flip == 0)
    for (const int phase : gamma.phase) {
      const Complex<double> z = power_of_i(phase);
      trace += std::complex<double>(z.re, z.im);
    }
  return trace;
}

}  // namespace

const std::vector<LoopCurrent>& all_loop_currents() {
  static const std::vector<LoopCurrent> all = [] {
    std::vector<LoopCurrent> currents;
    for (const MesonChannel& channel : local_currents())
      currents.push_back({channel.name, channel.pairs.front().sink});
    currents.insert(currents.begin() + 1, {"pseudoscalar", gamma5()});
    return currents;
  }();
  return all;
}

std::vector<LoopCurrent> loop_currents_of(int spins) {
  const auto& all = all_loop_currents();
  return spins == 1 ? std::vector<LoopCurrent>{all.front()} : all;
}

LoopQuarks loop_quarks(const Action& action) {
  const auto* wilson = parameters_of<WilsonParameters>(action);
  return {action.spins(), hopping_diagonal(action).value_or(0), wilson != nullptr ? wilson->twisted_mass : 0};
}

QuarkLoops::QuarkLoops(const SharedLattice& lattice, QuarkLoopSettings settings, const LoopQuarks& quarks,
                       int most_columns, int others)
    : lattice_(lattice),
      settings_(std::move(settings)),
      quarks_(quarks),
      parts_(settings_.dilution.classes(quarks.spins)),
      project_(*lattice.grid, lattice.geometry, settings_.momenta, lattice.queue),
      matrices_(lattice.geometry, quarks.spins, lattice.queue) {
  require(settings_.hopping == 0 || quarks.diagonal > 0, "a hopping expansion of quarks that have none");
  require(!settings_.one_end || quarks.twisted_mass != 0, "the one-end trick of quarks without a twist");
  require(!settings_.one_end || (!settings_.squared && settings_.hopping == 0),
          "the one-end trick with tr M^-2 or a hopping expansion");
  if (settings_.squared)
    squared_.emplace(Squared{{lattice.geometry, quarks.spins, lattice.queue},
                             {*lattice.grid, lattice.geometry, {Momentum{}}, lattice.queue}});
  if (settings_.currents.empty()) settings_.currents = loop_currents_of(quarks.spins);
  const int vectors = std::gcd(settings_.noise.vectors, others);
  group_ = largest_divisor(vectors, std::min(vectors, std::max(1, most_columns / parts_)));
  together_ = largest_divisor(std::int64_t{group_} * parts_, most_columns);
}

QuarkLoop QuarkLoops::operator()(PropagatorSolver& solver, int vector, const std::string& file) {
  if (!found_.contains(vector)) solve_group(solver, vector / group_ * group_, file);
  QuarkLoop found = std::move(found_.at(vector));
  found_.erase(vector);
  return found;
}

// Parts are added, but for Hadamard vectors of probing, over which loops are averages.
Correlators QuarkLoops::traces() {
  const Correlators matrix = project_(matrices_.density(), {0, 0, 0, 0});
  Correlators all;
  for (const LoopCurrent& current : settings_.currents) {
    const GammaMatrix gamma = settings_.one_end ? gamma5() * current.gamma : current.gamma;
    all.push_back(quarks_.spins == 4 ? trace_with(gamma, matrix) : matrix.front());
    for (auto& of_momentum : all.back())
      for (auto& value : of_momentum) {
        value /= settings_.dilution.probing;
        if (settings_.one_end) value *= std::complex<double>(0, -2 * quarks_.twisted_mass);
      }
    if (settings_.hopping > 0) add_exact(all.back(), current.gamma);
  }
  return all;
}

// The terms of fewer hops: sum_x exp(-i p x) tr Gamma / d of the one without hops.
void QuarkLoops::add_exact(std::vector<std::vector<std::complex<double>>>& values,
                           const GammaMatrix& gamma) const {
  const Extents& extents = lattice_.geometry->global();
  const double sites = static_cast<double>(extents[0]) * extents[1] * extents[2];
  const std::complex<double> exact = 3 * sites / quarks_.diagonal * trace_of(gamma);
  for (std::size_t p = 0; p < values.size(); ++p)
    if (settings_.momenta[p] == Momentum{})
      for (auto& value : values[p]) value += exact;
}

// H^n phi, H = 1 - M / d
void QuarkLoops::hop(PropagatorSolver& solver, Field& phi) const {
  Field next(lattice_.geometry, phi.spec());
  blas::Workspace work(lattice_.queue, phi.batch());
  const blas::Coefficients both{1, {1, 0, -1 / quarks_.diagonal, 0}};
  for (int k = 0; k < settings_.hopping; ++k) {
    solver.apply(next, phi);
    blas::update<blas::Axpby>(work, std::vector(static_cast<std::size_t>(phi.batch()), both), {&phi, &next});
    lattice_.queue.synchronize();
    next.touch();
    std::swap(phi, next);
  }
}

std::vector<std::complex<double>> QuarkLoops::squared_trace() {
  const Correlators matrix = squared_->project(squared_->matrices.density(), {0, 0, 0, 0});
  auto trace = quarks_.spins == 4 ? trace_with(unit_gamma(), matrix).front() : matrix.front().front();
  for (auto& value : trace) value /= settings_.dilution.probing;
  return trace;
}

// Parts of noise vectors that are solved together, and what was found.
struct QuarkLoops::Batch {
  Field eta, phi, psi;  // phi = M^-1 eta, psi = M^-1 phi
  std::vector<std::string> names;
  ColumnReport report;
};

void QuarkLoops::solve_batch(PropagatorSolver& solver, Batch& batch, const std::string& file) {
  const auto solve = [&](Field& x, const Field& source) {
    // 0: the first guess is the same in any batch.
    x = Field(lattice_.geometry, solver.quark_spec(together_));
    const PropagatorSolver::FillSource fill = [&](Field& b, int) { copy(b, source); };
    return settings_.approximation ? solver.approximate(x, fill, *settings_.approximation, file, batch.names)
                                   : solver.solve(x, fill, file, nullptr, batch.names);
  };
  batch.report = solve(batch.phi, batch.eta);
  if (settings_.squared) add_second(batch, solve(batch.psi, batch.phi));
  if (settings_.hopping > 0) hop(solver, batch.phi);
}

// The report of second solves, in that of the first ones.
void QuarkLoops::add_second(Batch& batch, const ColumnReport& second) {
  ColumnReport& report = batch.report;
  for (std::size_t i = 0; i < report.iterations.size(); ++i) {
    report.true_residuals[i] = std::max(report.true_residuals[i], second.true_residuals[i]);
    report.iterations[i] += second.iterations[i];
  }
  report.attempts = std::max(report.attempts, second.attempts);
  add_slices(report.slice_residuals, second.slice_residuals);
}

void QuarkLoops::solve_group(PropagatorSolver& solver, int first, const std::string& file) {
  const MemoryName name("noise and solutions");
  const auto& [type, seed, vectors] = settings_.noise;
  Batch batch;
  batch.eta = Field(lattice_.geometry, solver.quark_spec(together_));
  const std::int64_t begin = std::int64_t{first} * parts_, end = begin + std::int64_t{group_} * parts_;
  QuarkLoop loop;
  for (std::int64_t column = begin; column < end; column += together_) {
    batch.names.clear();
    for (std::int64_t i = column; i < column + together_; ++i)
      batch.names.push_back(fmt::format("noise {} part {}", i / parts_, i % parts_));
    {
      const Phase phase("making the source");
      diluted_noise_source(batch.eta, type, static_cast<std::uint64_t>(seed), settings_.dilution, column);
    }
    solve_batch(solver, batch, file);
    const ColumnReport& report = batch.report;
    const Phase phase("contracting");
    for (int i = 0; i < together_;) {
      const std::int64_t at = column + i;
      const int part = static_cast<int>(at % parts_), count = std::min(together_ - i, parts_ - part);
      if (part == 0) {
        matrices_.clear();
        if (squared_) squared_->matrices.clear();
      }
      matrices_.add(batch.phi, settings_.one_end ? batch.phi : batch.eta, i, i + count);
      if (squared_) squared_->matrices.add(batch.psi, batch.eta, i, i + count);
      const auto keep = [&](auto& all, const auto& some) {
        all.insert(all.end(), some.begin() + i, some.begin() + i + count);
      };
      keep(loop.true_residuals, report.true_residuals);
      keep(loop.iterations, report.iterations);
      loop.attempts = std::max(loop.attempts, report.attempts);
      add_slices(loop.slice_residuals, report.slice_residuals);
      i += count;
      if (part + count < parts_) continue;
      loop.values = traces();
      if (squared_) loop.squared = squared_trace();
      found_[static_cast<int>(at / parts_)] = std::exchange(loop, {});
    }
  }
}

}  // namespace plaq
