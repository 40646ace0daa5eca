#include "observables/gauge/polyakov_correlators.hpp"

#include <algorithm>
#include <complex>
#include <map>
#include <span>

#include "comms/start/shared_lattice.hpp"
#include "core/system/dry_run.hpp"
#include "kernels/fourier/line_transform.hpp"
#include "kernels/gauge/polyakov_lines.hpp"

namespace plaq {
namespace {

using SpaceNumber = FourierNumber<double>;

// Transforms an array [z][y][x][numbers] in space.
void transform(std::vector<SpaceNumber>& array, const Extents& extents, int numbers, bool forward) {
  int inner = numbers, outer = static_cast<int>(array.size()) / numbers;
  for (std::size_t k = 0; k < 3; ++k) {
    outer /= extents[k];
    LineTransform<double>(extents[k], inner, outer).run(array.data(), forward);
    inner *= extents[k];
  }
}

// sum over x and numbers of f(x) f(x + r)^* at r, from f at all x.
std::vector<SpaceNumber> correlation(std::vector<SpaceNumber> f, const Extents& extents, int numbers) {
  transform(f, extents, numbers, true);
  std::vector<SpaceNumber> product(f.size() / numbers);
  for (std::size_t p = 0; p < product.size(); ++p) {
    product[p] = {0, 0};
    for (int k = 0; k < numbers; ++k) {
      const SpaceNumber& n = f[p * numbers + k];
      product[p].re += n.re * n.re + n.im * n.im;
    }
  }
  transform(product, extents, 1, false);
  return product;
}

// r^2 of each r [z][y][x].
std::vector<int> lengths(const Extents& extents) {
  std::vector<int> all;
  const auto squared = [&](int n, std::size_t k) {
    const int shortest = std::min(n, extents[k] - n);
    return shortest * shortest;
  };
  for (int z = 0; z < extents[2]; ++z)
    for (int y = 0; y < extents[1]; ++y)
      for (int x = 0; x < extents[0]; ++x) all.push_back(squared(x, 0) + squared(y, 1) + squared(z, 2));
  return all;
}

// Sums over r of each length, in the order of r.
void add_up(std::vector<double>& sums, const std::vector<SpaceNumber>& values, const std::vector<int>& at,
            double scale) {
  for (std::size_t i = 0; i < values.size(); ++i) sums[static_cast<std::size_t>(at[i])] += values[i].re;
  for (double& sum : sums) sum /= scale;
}

}  // namespace

PolyakovCorrelators polyakov_correlators(const SharedLattice& lattice, const Field& gauge) {
  const Phase phase("Polyakov correlators");
  const Extents& extents = lattice.geometry->global();
  const auto lines = gather_polyakov_lines(*lattice.grid, gauge, lattice.queue);
  const std::vector<int> squares = lengths(extents);
  std::map<int, int> found;  // r^2 and how many r
  for (const int r_squared : squares) ++found[r_squared];
  PolyakovCorrelators made;
  std::map<int, int> places;
  for (const auto& [r_squared, count] : found) {
    places[r_squared] = static_cast<int>(made.r_squared.size());
    made.r_squared.push_back(r_squared);
    made.separations.push_back(count);
  }
  made.average.assign(found.size(), 0.0);
  made.singlet.assign(found.size(), 0.0);
  if (!lines.empty()) {
    std::vector<int> at;
    for (const int r_squared : squares) at.push_back(places.at(r_squared));
    std::vector<SpaceNumber> matrices(lines.size()), traces(squares.size());
    for (std::size_t i = 0; i < lines.size(); ++i) matrices[i] = {lines[i].real(), lines[i].imag()};
    for (std::size_t x = 0; x < traces.size(); ++x) {
      const auto trace = lines[9 * x] + lines[9 * x + 4] + lines[9 * x + 8];
      traces[x] = {trace.real(), trace.imag()};
    }
    // A transform to momenta and back is V times the sum over x, of which an average is wanted.
    const double volume = static_cast<double>(squares.size());
    add_up(made.average, correlation(std::move(traces), extents, 1), at, 9 * volume * volume);
    add_up(made.singlet, correlation(std::move(matrices), extents, 9), at, 3 * volume * volume);
    for (std::size_t i = 0; i < found.size(); ++i) {
      made.average[i] /= static_cast<double>(made.separations[i]);
      made.singlet[i] /= static_cast<double>(made.separations[i]);
    }
  }
  lattice.grid->comm().broadcast(std::span(made.average));
  lattice.grid->comm().broadcast(std::span(made.singlet));
  return made;
}

}  // namespace plaq
