#include "quarks/distillation/perambulators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/quark/slice_products.hpp"

namespace plaq {
namespace {

// Overwrites b with v_j(t) e_s', columns 4 j + s' from first_column on.
void fill_with_modes(Field& b, int first_column, const SliceModes& modes, int t, const Queue& queue) {
  const Geometry& geometry = b.geometry();
  const int first = first_column / 16, last = (first_column + b.subfields() - 1) / 16;
  const ColorVectors from{&modes.vectors, first, last - first + 1}, to = all_vectors(b);
  const auto rows = static_cast<std::size_t>(from.size()), columns = static_cast<std::size_t>(to.size());
  SliceMatrices unit(static_cast<std::size_t>(geometry.local()[3]) * rows * columns);
  const int here = t - geometry.offset()[3];
  if (here >= 0 && here < geometry.local()[3])
    for (int k = 0; k < b.subfields(); ++k) {
      const int mode = (first_column + k) / 4 - 4 * first, spin = (first_column + k) % 4;
      unit[(static_cast<std::size_t>(here) * rows + static_cast<std::size_t>(mode)) * columns +
           static_cast<std::size_t>(4 * k + spin)] = 1;
    }
  slice_axpys(from, unit, 0, to, {}, queue);
  b.touch();
}

std::vector<std::string> names_of_columns(int modes) {
  std::vector<std::string> names;
  for (int j = 0; j < modes; ++j)
    for (int spin = 0; spin < 4; ++spin) names.push_back(fmt::format("mode {} spin {}", j, spin));
  return names;
}

// products: [t'][i][4 k + s] of columns first_column + k = 4 j + s'.
void put(Perambulator& to, const SliceMatrices& products, std::size_t rows, int columns, int first_column) {
  const auto all = static_cast<std::size_t>(4 * columns);
  for (int t = 0; t < to.slices; ++t)
    for (int i = 0; i < to.modes; ++i) {
      const std::size_t row = (static_cast<std::size_t>(t) * rows + static_cast<std::size_t>(i)) * all;
      for (int k = 0; k < columns; ++k)
        for (int s = 0; s < 4; ++s)
          to.numbers[to.at(t, s, (first_column + k) % 4, i, (first_column + k) / 4)] =
              products[row + static_cast<std::size_t>(4 * k + s)];
    }
}

}  // namespace

int columns_of_perambulators(int modes, int most) {
  int columns = std::min(most, 4 * modes);
  while (4 * modes % columns != 0) --columns;
  return columns;
}

Perambulator perambulator(const SharedLattice& lattice, const SliceModes& modes, PropagatorSolver& solver,
                          int t, const std::string& file, bool kept) {
  const MemoryName name("perambulators");
  require(solver.quark_spec(1).spins == 4 && t >= 0 && t < lattice.geometry->global()[3],
          "perambulators of quarks without spin, or of a time slice that is not there");
  Perambulator found;
  found.slices = lattice.geometry->global()[3];
  found.modes = modes.count;
  if (kept && !runs_dry()) found.numbers.resize(Perambulator::size(found.slices, found.modes));
  const auto fill = [&](Field& b, int first_column) {
    fill_with_modes(b, first_column, modes, t, lattice.queue);
  };
  const auto take = [&](const Field& x, int first_column) {
    const SliceMatrices products = slice_dots(*lattice.grid, modes.all(), all_vectors(x), lattice.queue);
    if (!found.numbers.empty())
      put(found, products, static_cast<std::size_t>(modes.all().size()), x.subfields(), first_column);
  };
  found.solves = solver.solve_each(4 * modes.count, fill, take, file, names_of_columns(modes.count));
  return found;
}

}  // namespace plaq
