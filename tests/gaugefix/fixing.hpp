// For the tests of gauge fixing: links, fixers, and what must be the same on every process grid.
#pragma once

#include "gaugefix/run/gauge_fixer.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/grids.hpp"

namespace plaq::test {

inline constexpr Gauge all_gauges[] = {Gauge::landau, Gauge::coulomb, Gauge::maximally_abelian};
inline constexpr FixingPrecision all_fixing_precisions[] = {FixingPrecision::single, FixingPrecision::mixed,
                                                            FixingPrecision::full};
inline constexpr Precision wide = Precision::double_precision;

inline reference::GaugeField weak_links(const Extents& extents, unsigned seed, double strength) {
  reference::Generator generator(seed);
  return reference::weak_gauge({extents}, generator, strength);
}

// One process grid of all ranks, with a geometry.
struct OneGrid {
  explicit OneGrid(const Extents& extents) : OneGrid(extents, allowed_grids(world_size(), extents).front()) {}
  OneGrid(const Extents& extents, const Extents& ranks)
      : grid(MPI_COMM_WORLD, ranks), geometry(grid.geometry(extents)) {}
  const ProcessGrid grid;
  const GeometryPtr geometry;
};

inline GaugeFixer make_fixer(const ProcessGrid& grid, const Field& gauge, Gauge kind,
                             FixingPrecision precision, int copies = 1) {
  return GaugeFixer(grid, gauge, kind, precision, copies, Queue(gauge.location()),
                    make_host_transport(grid, gauge.location()));
}

inline double violation(Gauge gauge, const GaugeQuality& quality) {
  return gauge == Gauge::coulomb ? quality.worst_slice : quality.theta;
}

inline std::vector<std::uint64_t> fingerprints(const GaugeFixer& fixer, int copies, const ProcessGrid& grid) {
  std::vector<std::uint64_t> all;
  for (int k = 0; k < copies; ++k) all.push_back(fingerprint(fixer.transformation(k), grid));
  return all;
}

// First result at a location.
template <class T>
class FirstFound {
 public:
  const T& at(Location location, const T& found) {
    auto& first = first_[location == Location::device];
    if (!first) first = found;
    return *first;
  }

 private:
  std::optional<T> first_[2];
};

}  // namespace plaq::test
