// Observables of gauge fields as results: one dataset an observable.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "jobs/results/results.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq::jobs {

// Datasets plaquette, plaquette_spatial, plaquette_temporal, link_trace, polyakov_loop (real, imaginary) and
// unitarity_violation under `group`, as far as `wanted` (names as in the key `observables`) says yes.
void add_observables(Results& results, const std::string& group, const GaugeObservables& row,
                     const std::function<bool(const char*)>& wanted);
// All of them, one row a field; `axis` names the rows. None without rows.
void add_observable_columns(Results& results, const std::string& group,
                            std::span<const GaugeObservables> rows, const std::string& axis);

}  // namespace plaq::jobs
