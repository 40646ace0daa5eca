// Random fields for benchmarks: never time on zeros. Keyed by global site, hence the same on any process
// grid.
#pragma once

#include "core/field/field.hpp"

namespace plaq::jobs {

// Random SU(3) links, host, double.
Field random_gauge(const GeometryPtr& geometry, std::uint64_t seed);
// Components uniform in (-1, 1); subfield i is the same in any batch.
Field random_vectors(const GeometryPtr& geometry, const FieldSpec& spec, std::uint64_t seed);
Field random_spinor(const GeometryPtr& geometry, Subset subset, int batch, Precision precision,
                    Location location, std::uint64_t seed);

}  // namespace plaq::jobs
