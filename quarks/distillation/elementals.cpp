#include "quarks/distillation/elementals.hpp"

#include <algorithm>
#include <array>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/quark/color_cross.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "kernels/quark/slice_products.hpp"

namespace plaq {
namespace {

// Subfields of modes that are made ready together; results do not depend on it.
constexpr int most_at_once = 8;

// A field for `subfields` of four color vectors.
Field some_vectors(const SliceModes& modes, int subfields) {
  FieldSpec spec = modes.vectors.spec();
  spec.subfields = subfields;
  return Field(modes.vectors.geometry_ptr(), spec);
}

// Multiplies by exp(i sign p x).
void multiply_by_wave(Field& field, const Momentum& n, int sign, const Queue& queue) {
  if (n == Momentum{}) return;
  multiply_by_plane_wave(field, {sign * n[0], sign * n[1], sign * n[2]}, {0, 0, 0, 0}, queue);
}

// B_ijk of j < k < i and all permutations of it, at slice t.
void put_antisymmetric(std::vector<std::complex<double>>& to, std::size_t count, std::size_t t,
                       const std::array<std::size_t, 3>& ijk, const std::complex<double>& value) {
  const auto put = [&](std::size_t a, std::size_t b, std::size_t c, const std::complex<double>& z) {
    to[((t * count + a) * count + b) * count + c] = z;
  };
  const auto [i, j, k] = ijk;
  put(i, j, k, value);
  put(j, k, i, value);
  put(k, i, j, value);
  put(j, i, k, -value);
  put(i, k, j, -value);
  put(k, j, i, -value);
}

}  // namespace

std::vector<std::complex<double>> meson_elemental(const SharedLattice& lattice, const SliceModes& modes,
                                                  const QuarkDerivative* derivative, const Momentum& n,
                                                  bool kept) {
  const MemoryName name("elementals");
  const auto count = static_cast<std::size_t>(modes.count),
             slices = static_cast<std::size_t>(lattice.geometry->global()[3]);
  std::vector<std::complex<double>> found(kept && !runs_dry() ? slices * count * count : 0);
  const std::size_t rows = static_cast<std::size_t>(modes.all().size());
  for (int first = 0; first < modes.subfields(); first += most_at_once) {
    const int subfields = std::min(most_at_once, modes.subfields() - first);
    Field right = some_vectors(modes, subfields);
    for (int i = 0; i < subfields; ++i) copy_subfield(right, i, modes.vectors, first + i);
    if (derivative != nullptr) derivative->apply(right);
    multiply_by_wave(right, n, -1, lattice.queue);
    const SliceMatrices products = slice_dots(*lattice.grid, modes.all(), all_vectors(right), lattice.queue);
    if (found.empty()) continue;
    const std::size_t all = static_cast<std::size_t>(4 * subfields),
                      before = static_cast<std::size_t>(4 * first);
    for (std::size_t t = 0; t < slices; ++t)
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < std::min(all, count - before); ++j)
          found[(t * count + i) * count + before + j] = products[(t * rows + i) * all + j];
  }
  return found;
}

std::vector<std::complex<double>> baryon_elemental(const SharedLattice& lattice, const SliceModes& modes,
                                                   const Momentum& n, bool kept) {
  const MemoryName name("elementals");
  const auto count = static_cast<std::size_t>(modes.count),
             slices = static_cast<std::size_t>(lattice.geometry->global()[3]);
  std::vector<std::complex<double>> found(kept && !runs_dry() ? slices * count * count * count : 0);
  for (int j = 0; j + 2 < modes.count; ++j) {
    // Vectors i and k behind j alone.
    const int first = (j + 1) / 4;
    for (int part = first; part < modes.subfields(); part += most_at_once) {
      const int subfields = std::min(most_at_once, modes.subfields() - part);
      Field cross = some_vectors(modes, subfields);
      color_cross(modes.vectors, j, part, cross, lattice.queue);
      multiply_by_wave(cross, n, 1, lattice.queue);
      const ColorVectors right{&modes.vectors, part, modes.subfields() - part};
      const SliceMatrices products =
          slice_dots(*lattice.grid, all_vectors(cross), right, lattice.queue);  // [t][k][i]
      if (found.empty()) continue;
      const auto rows = static_cast<std::size_t>(4 * subfields),
                 columns = static_cast<std::size_t>(right.size()),
                 before = static_cast<std::size_t>(4 * part), left = static_cast<std::size_t>(j);
      for (std::size_t t = 0; t < slices; ++t)
        for (std::size_t row = 0; row < rows; ++row)
          for (std::size_t i = before + row + 1; i < count; ++i)
            if (before + row > left)
              put_antisymmetric(found, count, t, {i, left, before + row},
                                products[(t * rows + row) * columns + i - before]);
    }
  }
  return found;
}

}  // namespace plaq
