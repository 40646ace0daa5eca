// Kind of field in a file, for the commands that take any kind.
#pragma once

#include <functional>
#include <string>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/system/log.hpp"
#include "io/propagator/propagator_info.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq::jobs {

enum class StoredKind {
  gauge,
  propagator,
  transformation,
  multigrid,
  eigenvectors,
  laplacian_modes,
  state,
  results,
  journal
};
struct StoredField {
  StoredKind kind = StoredKind::gauge;
  Extents extents{};  // not of results and journals
  Precision precision = Precision::double_precision;
  PropagatorKind quarks = PropagatorKind::spinors;  // of a propagator
  int columns = 0;                                  // the same; 1: a single quark field
};

// Collective; the first rank looks, after `before`. Throws Error(input_file), and what `before` throws.
StoredField find_stored_field(const std::string& path, const std::function<void()>& before = {});

// Plaquettes and the like of links from a file, for commands that need no GPU. Collective. `links`: in double
// precision on the host, without halo.
GaugeObservables measure_on_host(const ProcessGrid& grid, const Field& links);

}  // namespace plaq::jobs
