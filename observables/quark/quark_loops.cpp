#include "observables/quark/quark_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/dry_run.hpp"
#include "kernels/quark/sequential.hpp"

namespace plaq {
namespace {

int largest_divisor(std::int64_t number, int most) {
  while (number % most != 0) --most;
  return most;
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

QuarkLoops::QuarkLoops(const SharedLattice& lattice, QuarkLoopSettings settings, int spins, int most_columns)
    : lattice_(lattice),
      settings_(std::move(settings)),
      spins_(spins),
      parts_(settings_.dilution.classes(spins)),
      project_(*lattice.grid, lattice.geometry, settings_.momenta, lattice.queue),
      matrices_(lattice.geometry, spins, lattice.queue) {
  if (settings_.currents.empty()) settings_.currents = loop_currents_of(spins);
  const int vectors = settings_.noise.vectors;
  group_ = largest_divisor(vectors, std::min(vectors, std::max(1, most_columns / parts_)));
  together_ = largest_divisor(std::int64_t{group_} * parts_, most_columns);
}

QuarkLoop QuarkLoops::operator()(PropagatorSolver& solver, int vector, const std::string& file) {
  if (!found_.contains(vector)) solve_group(solver, vector / group_ * group_, file);
  QuarkLoop found = std::move(found_.at(vector));
  found_.erase(vector);
  return found;
}

Correlators QuarkLoops::traces() {
  const Correlators matrix = project_(matrices_.density(), {0, 0, 0, 0});
  Correlators all;
  for (const LoopCurrent& current : settings_.currents)
    all.push_back(spins_ == 4 ? trace_with(current.gamma, matrix) : matrix.front());
  return all;
}

void QuarkLoops::solve_group(PropagatorSolver& solver, int first, const std::string& file) {
  const MemoryName name("noise and solutions");
  const auto& [noise, dilution, currents, momenta] = settings_;
  Field eta(lattice_.geometry, solver.quark_spec(together_));
  const std::int64_t begin = std::int64_t{first} * parts_, end = begin + std::int64_t{group_} * parts_;
  QuarkLoop loop;
  for (std::int64_t column = begin; column < end; column += together_) {
    // 0: the first guess is the same in any batch.
    Field phi(lattice_.geometry, solver.quark_spec(together_));
    std::vector<std::string> names;
    for (std::int64_t i = column; i < column + together_; ++i)
      names.push_back(fmt::format("noise {} part {}", i / parts_, i % parts_));
    const ColumnReport report = solver.solve(
        phi,
        [&, type = noise.type, seed = noise.seed, &dilution = dilution](Field& b, int) {
          const Phase phase("making the source");
          diluted_noise_source(eta, type, static_cast<std::uint64_t>(seed), dilution, column);
          copy(b, eta);
        },
        file, nullptr, names);
    const Phase phase("contracting");
    for (int i = 0; i < together_;) {
      const std::int64_t at = column + i;
      const int part = static_cast<int>(at % parts_), count = std::min(together_ - i, parts_ - part);
      if (part == 0) matrices_.clear();
      matrices_.add(phi, eta, i, i + count);
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
      found_[static_cast<int>(at / parts_)] = std::exchange(loop, {});
    }
  }
}

}  // namespace plaq
