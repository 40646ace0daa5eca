#include "quarks/distillation/perambulators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/quark/slice_products.hpp"

namespace plaq {
namespace {

// Overwrites b with sum_j v_j(t) e_s' coefficient(j, s', k) in subfield k, of the modes in `subfields` of the
// vectors, the first and the last one.
template <class Coefficient>
void fill_with_modes(Field& b, const SliceModes& modes, const std::array<int, 2>& subfields, int t,
                     const Queue& queue, const Coefficient& coefficient) {
  const Geometry& geometry = b.geometry();
  const auto [first, last] = subfields;
  const ColorVectors from{&modes.vectors, first, last - first + 1}, to = all_vectors(b);
  const auto rows = static_cast<std::size_t>(from.size()), columns = static_cast<std::size_t>(to.size());
  const auto slices = static_cast<std::size_t>(geometry.local()[3]);
  std::vector<char> is_source(slices, 0), is_other(slices, 1);
  SliceMatrices matrix(slices * rows * columns);
  const int here = t - geometry.offset()[3];
  if (here >= 0 && here < geometry.local()[3]) {
    std::swap(is_source[static_cast<std::size_t>(here)], is_other[static_cast<std::size_t>(here)]);
    for (int j = 4 * first; j < std::min(4 * (last + 1), modes.count); ++j)
      for (int k = 0; k < b.subfields(); ++k)
        for (int spin = 0; spin < 4; ++spin)
          matrix[(static_cast<std::size_t>(here) * rows + static_cast<std::size_t>(j - 4 * first)) * columns +
                 static_cast<std::size_t>(4 * k + spin)] = coefficient(j, spin, k);
  }
  slice_axpys(from, matrix, 0, to, is_source, queue);
  slice_axpys({&modes.vectors, first, 1}, SliceMatrices(slices * 4 * columns), 0, to, is_other, queue);
  b.touch();
}

// Products of the modes with solutions, handed to put(t', i, k, s, number) of subfield k where `kept`.
template <class Put>
void multiply_with_modes(const SharedLattice& lattice, const SliceModes& modes, const Field& x, bool kept,
                         const Put& put) {
  const SliceMatrices products = slice_dots(*lattice.grid, modes.all(), all_vectors(x), lattice.queue);
  if (!kept) return;
  const auto rows = static_cast<std::size_t>(modes.all().size()),
             columns = static_cast<std::size_t>(4 * x.subfields());
  for (int t = 0; t < lattice.geometry->global()[3]; ++t)
    for (int i = 0; i < modes.count; ++i) {
      const std::size_t row = (static_cast<std::size_t>(t) * rows + static_cast<std::size_t>(i)) * columns;
      for (int k = 0; k < x.subfields(); ++k)
        for (int s = 0; s < 4; ++s) put(t, i, k, s, products[row + static_cast<std::size_t>(4 * k + s)]);
    }
}

void expect_source(const SharedLattice& lattice, const PropagatorSolver& solver, int t) {
  require(solver.quark_spec(1).spins == 4 && t >= 0 && t < lattice.geometry->global()[3],
          "perambulators of quarks without spin, or of a time slice that is not there");
}

std::vector<std::string> names_of_columns(int modes) {
  std::vector<std::string> names;
  for (int j = 0; j < modes; ++j)
    for (int spin = 0; spin < 4; ++spin) names.push_back(fmt::format("mode {} spin {}", j, spin));
  return names;
}

std::vector<std::string> names_of_parts(int parts) {
  std::vector<std::string> names;
  for (int part = 0; part < parts; ++part) names.push_back(fmt::format("part {} of the noise", part));
  return names;
}

}  // namespace

int columns_of_solves(int solves, int most) {
  int columns = std::min(most, solves);
  while (solves % columns != 0) --columns;
  return columns;
}

ColumnReport solve_from_modes(const SharedLattice& lattice, const SliceModes& modes, PropagatorSolver& solver,
                              int t, const PropagatorSolver::TakeSolutions& take, const std::string& file) {
  expect_source(lattice, solver, t);
  const auto fill = [&](Field& b, int first) {
    fill_with_modes(b, modes, {first / 16, (first + b.subfields() - 1) / 16}, t, lattice.queue,
                    [&](int j, int spin, int k) { return first + k == 4 * j + spin ? 1.0 : 0.0; });
  };
  return solver.solve_each(4 * modes.count, fill, take, file, names_of_columns(modes.count));
}

Perambulator perambulator(const SharedLattice& lattice, const SliceModes& modes, PropagatorSolver& solver,
                          int t, const std::string& file, bool kept, std::vector<Field>* solutions) {
  const MemoryName name("perambulators");
  Perambulator found;
  found.slices = lattice.geometry->global()[3];
  found.modes = modes.count;
  if (kept && !runs_dry()) found.numbers.resize(Perambulator::size(found.slices, found.modes));
  const auto take = [&](const Field& x, int first) {
    multiply_with_modes(lattice, modes, x, !found.numbers.empty(),
                        [&](int time, int i, int k, int s, const std::complex<double>& z) {
                          found.numbers[found.at(time, s, (first + k) % 4, i, (first + k) / 4)] = z;
                        });
    if (solutions == nullptr) return;
    const MemoryName name_of_kept("solutions from a source slice");
    copy(solutions->emplace_back(x.geometry_ptr(), x.spec()), x);
  };
  found.solves = solve_from_modes(lattice, modes, solver, t, take, file);
  return found;
}

StochasticPerambulator stochastic_perambulator(const SharedLattice& lattice, const SliceModes& modes,
                                               const ModeNoise& noise, PropagatorSolver& solver, int t,
                                               int vector, const std::string& file, bool kept) {
  const MemoryName name("perambulators");
  expect_source(lattice, solver, t);
  StochasticPerambulator found;
  found.slices = lattice.geometry->global()[3];
  found.modes = modes.count;
  found.parts = noise.parts(modes.count);
  found.eta = mode_noise(noise, t, vector, modes.count);
  if (kept && !runs_dry())
    found.numbers.resize(StochasticPerambulator::size(found.slices, found.modes, found.parts));
  const auto fill = [&](Field& b, int first) {
    fill_with_modes(b, modes, {0, modes.subfields() - 1}, t, lattice.queue, [&](int j, int spin, int k) {
      return noise.part_of(spin, j, modes.count) == first + k
                 ? found.eta[static_cast<std::size_t>(spin * modes.count + j)]
                 : 0.0;
    });
  };
  const auto take = [&](const Field& x, int first) {
    multiply_with_modes(lattice, modes, x, !found.numbers.empty(),
                        [&](int time, int i, int k, int s, const std::complex<double>& z) {
                          found.numbers[found.at(time, s, i, first + k)] = z;
                        });
  };
  found.solves = solver.solve_each(found.parts, fill, take, file, names_of_parts(found.parts));
  return found;
}

}  // namespace plaq
