// Checks of fields that benchmarks make: results of Dirac operators against those of the same operator in
// double precision with links of 18 reals.
#pragma once

#include <cstdint>
#include <string>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

// ||found - expected|| / ||expected||, the largest of all right-hand sides; `expected` in double. Collective.
double relative_difference(const ProcessGrid& grid, const Field& found, const Field& expected,
                           const Queue& queue);

// Largest relative difference that rounding may make in one hopping term with random links.
double allowed_difference(const LinkStorage& storage);

// The relative difference; throws Error(internal) where `found` is off by more than `factor` times the bound.
double check_against_double(const ProcessGrid& grid, const Field& found, const Field& expected,
                            const LinkStorage& storage, const Queue& queue, double factor = 1);
std::string difference_text(double difference);  // "3.1e-08 off double"

// All bits of a field in one number, whatever the process grid: the sum modulo 2^64 over all reals of the
// lattice of a hash of global site, subfield, place within the site and the 64 bits of the value as a double
// (core/algebra/bits.hpp). Takes the sites that `field` holds on a geometry without halo. Collective over the
// grid.
std::uint64_t field_checksum(const ProcessGrid& grid, const Field& field);

}  // namespace plaq::jobs
